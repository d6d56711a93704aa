// Damage to every file of a shop's directory: records, seal, change log, segments, vectors, jobs
// and their feeds, the pointer to the generation. What is then answered is what was answered
// before, or is refused with the reason.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "catalog/product_json.h"
#include "catalog/storage/record_store.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop_directory.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;
using emptor::testing::TemporaryDirectory;

constexpr int kProducts = 1200;
constexpr size_t kBlock = 4096;

/// What a shop answers, by what is asked; "refused: ..." where it is not answered.
using Answers = std::map<std::string, std::string>;

std::string Words(std::mt19937& random, int count) {
  std::string words;
  for (int i = 0; i < count; ++i) words += fmt::format("w{} ", random() % 60);
  return words;
}

std::string Feed(uint32_t seed) {
  std::mt19937 random(seed);
  std::string lines;
  for (int i = 0; i < kProducts; ++i) {
    lines += fmt::format(
        R"({{"id":"p{}","title":"{}","brand":"Brand{}","price":{{"amount":{},"currency":"USD"}}}})"
        "\n",
        i, Words(random, 5), random() % 7, 100 + random() % 9000);
  }
  return lines;
}

void AskSearch(const Shop& shop, Answers& answers) {
  std::mt19937 random(5);
  for (int q = 0; q < 12; ++q) {
    retrieval::SearchRequest request{.query = Words(random, 2)};
    request.mode = q % 3 == 0   ? retrieval::SearchMode::kLexical
                   : q % 3 == 1 ? retrieval::SearchMode::kVector
                                : retrieval::SearchMode::kHybrid;
    if (q % 4 == 0) request.filter.max_price = 4000;
    if (q % 5 == 0) request.filter.brands = {"brand2"};
    const auto found = shop.reader().SearchProducts(request);
    std::string& answer = answers[fmt::format("search {}", q)];
    if (!found.ok()) answer = "refused: " + found.status().ToString();
    if (!found.ok()) continue;
    for (const retrieval::Hit& hit : found->hits)
      answer += fmt::format("{} {} ", hit.id, hit.score);
  }
}

void AskRecords(const Shop& shop, Answers& answers) {
  for (int i = 0; i < kProducts; i += 7) {
    const std::string id = fmt::format("p{}", i);
    const auto product = shop.reader().FindProduct(id);
    answers[id] = !product.ok()           ? "refused: " + product.status().ToString()
                  : !product->has_value() ? "nothing"
                                          : ToJson(**product);
  }
  const auto document = shop.reader().FindDocument("d1");
  answers["d1"] = !document.ok()           ? "refused: " + document.status().ToString()
                  : !document->has_value() ? "nothing"
                                           : (*document)->text;
}

/// Also runs what is queued.
void AskJobs(Shop& shop, Answers& answers) {
  const auto jobs = Jobs::Open(shop.writer(), {.directory = shop.directory() + "/jobs"});
  if (!jobs.ok()) {
    answers["jobs"] = "refused: " + jobs.status().ToString();
    return;
  }
  for (const std::string& id : (*jobs)->QueuedIds()) {
    const auto run = (*jobs)->RunKept(id);
    const std::string error = run.ok() ? run->error : run.status().ToString();
    answers[id] = error.empty() ? "done" : "refused: " + error;
  }
  for (const Job& job : (*jobs)->List()) {
    for (const auto& [what, read] : {std::pair("results", &Jobs::ReadResults),
                                     std::pair("dead letters", &Jobs::ReadDeadLetters)}) {
      const auto text = ((**jobs).*read)(job.id);
      const bool is_told = text.ok() && job.state != JobState::kFailed;
      answers[job.id + " " + what] =
          is_told ? *text : "refused: " + (text.ok() ? job.error : text.status().ToString());
    }
    answers[job.id + " state"] =
        job.state == JobState::kFailed ? "refused: " + job.error : std::string(ToString(job.state));
  }
}

class ShopDamageTest : public ::testing::Test {
 protected:
  static std::unique_ptr<ShopDirectory> Open(const std::string& directory,
                                             const retrieval::Embedder& embedder) {
    ShopDirectoryOptions options;
    options.data_directory = directory;
    options.shop.vector_index = retrieval::ParseVectorIndex("IVF16,SQ8").value();
    options.shop.create_if_missing =
        true;  // as the service does: damage must not look like a new shop
    return std::make_unique<ShopDirectory>(options, embedder);
  }

  /// Two generations, a change log, jobs that are done, one that waits.
  void Build(const std::string& directory) {
    const auto shops = Open(directory, embedder_);
    for (const uint32_t seed : {1u, 2u, 3u}) {
      const absl::Status status = shops->Rebuild(
          kDefaultShop, {.min_products = 0},
          [&](Shop& next) { return testing::ImportLines(next, Feed(seed)).status(); });
      ASSERT_TRUE(status.ok()) << status;
    }
    const auto shop = *shops->Find(kDefaultShop);
    ASSERT_TRUE(shop->lifecycle().store().records().KeepChanges().ok());
    ASSERT_TRUE(testing::ImportLines(*shop, R"({"id":"d1","kind":"policy","title":"Returns",)"
                                            R"("text":"Thirty days, unworn."})"
                                            "\n")
                    .ok());
    const auto jobs = Jobs::Open(shop->writer(), {.directory = shop->directory() + "/jobs"});
    ASSERT_TRUE(jobs.ok());
    for (const char* key : {"done", "waits"}) {
      const std::string feed = testing::ProductLine(key, "Kettle") + "{\"id\":\"x\",\"price\":1}\n";
      JobSpec spec;
      spec.idempotency_key = spec.digest = key;
      const auto started = (*jobs)->Start(spec, feed);
      ASSERT_TRUE(started.ok());
      ASSERT_TRUE(spec.digest != "done" || (*jobs)->RunKept(started->job.id).ok());
    }
  }

  /// Both generations get an index as one that is made from the records: the order of equal scores
  /// and the last digits of others depend on which records were added when.
  void BuildIndexesAnew(const std::string& directory) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.is_directory()) fs::remove_all(entry.path() / "index");
    }
    const std::string kept = directory + ".CURRENT";
    fs::copy_file(directory + "/CURRENT", kept);
    {
      const auto shops = Open(directory, embedder_);
      ASSERT_TRUE(shops->RollBack(kDefaultShop).ok());
    }
    fs::rename(kept, directory + "/CURRENT");
  }

  /// Of both generations; "refused" alone when the shop is not opened.
  Answers AskAll(const std::string& directory) {
    Answers answers;
    const auto shops = Open(directory, embedder_);
    for (const char* generation : {"", "before: "}) {
      Answers part;
      const auto shop = shops->Find(kDefaultShop);
      if (!shop.ok()) {
        answers[generation + std::string("shop")] = "refused: " + shop.status().ToString();
        return answers;
      }
      AskSearch(**shop, part);
      AskRecords(**shop, part);
      AskJobs(**shop, part);
      for (auto& [what, answer] : part) answers[generation + what] = std::move(answer);
      if (generation[0] != '\0') break;
      const absl::Status back = shops->RollBack(kDefaultShop);
      if (!back.ok()) {
        answers["before: shop"] = "refused: " + back.ToString();
        break;
      }
    }
    return answers;
  }

  const retrieval::HashingEmbedder embedder_{16};
};

std::vector<std::string> FilesOf(const std::string& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || entry.file_size() == 0) continue;
    if (name == "LOCK" || name == "LOG" || name == "LOG.old") continue;  // nobody reads them
    files.push_back(fs::relative(entry.path(), directory));
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Says what it did.
std::string Damage(const std::string& path, std::mt19937& random) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  const size_t at = random() % bytes.size();
  const size_t size = std::min<size_t>(1 + random() % kBlock, bytes.size() - at);
  std::string what;
  switch (random() % 5) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      what = fmt::format("a bit of byte {}", at);
      break;
    case 1:
      bytes.replace(at, size, size, '\0');
      what = fmt::format("{} zeros at {}", size, at);
      break;
    case 2:
      bytes.resize(at);
      what = fmt::format("cut to {}", at);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, size));
      what = fmt::format("{} bytes twice at {}", size, at);
      break;
    default:
      fs::remove(path);
      return "deleted";
  }
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  return what;
}

// 30 mutations; 600 with EMPTOR_SOAK=20.
TEST_F(ShopDamageTest, WhateverIsDamagedNoAnswerIsWrong) {
  const char* soak = std::getenv("EMPTOR_SOAK");
  const int mutations = 30 * (soak != nullptr ? std::max(1, std::atoi(soak)) : 1);
  const TemporaryDirectory folder;
  const std::string sound = folder.path() + "/sound";
  ASSERT_NO_FATAL_FAILURE(Build(sound));
  ASSERT_NO_FATAL_FAILURE(BuildIndexesAnew(sound));
  const std::vector<std::string> files = FilesOf(sound);
  const auto copy = [&](const std::string& to) {
    fs::copy(sound, to, fs::copy_options::recursive);
  };
  Answers wanted;
  {
    copy(folder.path() + "/shop");
    wanted = AskAll(folder.path() + "/shop");
  }
  for (const auto& [what, answer] : wanted) {
    ASSERT_FALSE(answer.starts_with("refused")) << what << ": " << answer;
  }
  std::mt19937 random(31);
  int refused_starts = 0, refused_parts = 0;
  for (int mutation = 0; mutation < mutations && !HasFailure(); ++mutation) {
    const TemporaryDirectory directory;
    const std::string shop = directory.path() + "/shop";
    copy(shop);
    // Every file in turn; a stride that shares no factor with their number mixes them in a short
    // run.
    const std::string& file = files[static_cast<size_t>(mutation) * 7919 % files.size()];
    const std::string what = Damage(shop + "/" + file, random);
    SCOPED_TRACE(::testing::Message() << mutation << ": " << file << ": " << what);
    const Answers found = AskAll(shop);
    refused_starts += found.contains("shop");
    for (const auto& [asked, answer] : found) {
      const bool is_refused = answer.starts_with("refused: ") && answer.size() > 12;
      refused_parts += is_refused && asked != "shop";
      EXPECT_TRUE(is_refused || answer == wanted.at(asked))
          << asked << "\n  found " << answer << "\n  wanted " << wanted.at(asked);
    }
  }
  std::printf("%d mutations of %zu files: %d refused starts, %d answers refused, none wrong\n",
              mutations, files.size(), refused_starts, refused_parts);
}

}  // namespace
}  // namespace emptor::services
