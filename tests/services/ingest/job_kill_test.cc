// kill -9 in the middle of a job, again and again: once it has come to its end, the store, the
// results, the dead letters and the sums are those of a job that nobody killed.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "catalog/product_json.h"
#include "catalog/product_store.h"
#include "services/ingest/job.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using emptor::testing::ChildProcess;
using emptor::testing::TemporaryDirectory;
using namespace std::chrono_literals;

constexpr int kRows = 400;

// Products, several rows of one product, deletions, patches that do not fit, junk.
std::string MakeFeed(uint64_t seed, const std::string& mode) {
  std::mt19937_64 random(seed);
  std::string feed;
  for (int i = 0; i < kRows; ++i) {
    const std::string id = "p" + std::to_string(random() % 150);
    const uint64_t draw = random() % 20;
    if (draw == 0 && mode != "replace") {
      feed += "{junk " + std::to_string(i) + "\n";
      continue;
    }
    if (draw == 1 && mode != "replace") {
      feed += "{\"id\":\"" + id + "\",\"deleted\":true}\n\n";
      continue;
    }
    if (draw == 2) {
      feed += "{\"id\":\"" + id + "\",\"title\":\"T\",\"price\":\"free\"}\n";
      continue;
    }
    catalog::Product product;
    product.id = id;
    product.title = "Kettle " + std::to_string(i);
    product.price = catalog::Money{static_cast<int64_t>(random() % 5), "USD"};
    product.description = std::string(random() % 300, 'd');
    feed += catalog::ToJson(product) + "\n";
  }
  return feed;
}

std::string ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// All that a job leaves behind, as text; the times and ids of the job left out.
std::string Dump(const std::string& shop, const std::string& job_id) {
  std::string all;
  const auto store = catalog::ProductStore::Open(shop + "/catalog", {});
  EXPECT_TRUE(store.ok()) << store.status();
  if (!store.ok()) return all;
  EXPECT_TRUE((*store)
                  ->ScanProducts([&](const catalog::Product& product, std::string_view entry) {
                    all += ToJson(product) + (entry.empty() ? " no vector\n" : "\n");
                    return true;
                  })
                  .ok());
  EXPECT_TRUE((*store)
                  ->ScanMetadata([&](std::string_view name, std::string_view value) {
                    if (name != job_id) return true;
                    const auto job = ParseJob(value);
                    EXPECT_TRUE(job.ok()) << job.status();
                    if (!job.ok()) return false;
                    Job timeless = *job;
                    timeless.seconds = 0;
                    timeless.created_at = timeless.finished_at = "";
                    all += ToJson(timeless) + "\n";
                    return true;
                  })
                  .ok());
  all += ReadFile(shop + "/jobs/" + job_id + "/results.jsonl");
  all += ReadFile(shop + "/jobs/" + job_id + "/dead_letters.jsonl");
  return all;
}

void RunToTheEnd(const std::string& shop, const std::string& feed, const std::string& mode) {
  ChildProcess child({EMPTOR_JOB_CHILD, shop, feed, mode});
  EXPECT_EQ(child.Wait(60000ms), 0);
  ASSERT_TRUE(child.ReadUntil("done", 1000ms).has_value()) << child.output();
}

// Kills the child at rows drawn by `random` until it gets through. Returns the number of kills.
int RunUnderKills(const std::string& shop, const std::string& feed, const std::string& mode,
                  std::mt19937_64& random) {
  for (int kills = 0;; ++kills) {
    ChildProcess child({EMPTOR_JOB_CHILD, shop, feed, mode});
    const std::string marker = "row " + std::to_string(1 + random() % 120) + "\n";
    if (child.ReadUntil(marker, 60000ms).has_value()) child.Signal(SIGKILL);
    const int exit = child.Wait(60000ms);
    EXPECT_EQ(child.output().find("refused"), std::string::npos) << child.output();
    if (exit == 0 || ::testing::Test::HasFailure()) return kills;
    EXPECT_EQ(exit, 128 + SIGKILL);
  }
}

// About 25 kills; 500 and more with EMPTOR_SOAK=20.
TEST(JobKillTest, AKilledJobEndsAsAnUnkilledOne) {
  const char* soak = std::getenv("EMPTOR_SOAK");
  const int kills_wanted = 25 * (soak != nullptr ? std::max(1, std::atoi(soak)) : 1);
  std::mt19937_64 random(5);
  int kills = 0;
  for (uint64_t seed = 0; kills < kills_wanted; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const TemporaryDirectory directory;
    const std::string first = directory.path() + "/first", second = directory.path() + "/second";
    const std::string killed = directory.path() + "/killed", whole = directory.path() + "/whole";
    // The first job fills the shop, the second changes it by another mode.
    const char* modes[] = {"upsert", "replace", "update", "create", "delete"};
    const std::string mode = modes[seed % 5];
    std::ofstream(first) << MakeFeed(2 * seed, "upsert");
    std::ofstream(second) << MakeFeed(2 * seed + 1, mode);
    for (const auto& [feed, how, job] :
         {std::tuple{first, std::string("upsert"), std::string("job-00000001")},
          std::tuple{second, mode, std::string("job-00000002")}}) {
      RunToTheEnd(whole, feed, how);
      kills += RunUnderKills(killed, feed, how, random);
      const std::string expected = Dump(whole, job);
      ASSERT_EQ(Dump(killed, job), expected);
      ASSERT_NE(expected.find("\"state\":\"done\""), std::string::npos);
    }
  }
  std::printf("%d kills\n", kills);
}

}  // namespace
}  // namespace emptor::services
