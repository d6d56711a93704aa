// The generated shop and its searches.
#include "services/bench/retrieval_speed.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/vector/row_scan.h"
#include "retrieval/vector/vector_index.h"
#include "retrieval/words/shop_words.h"
#include "services/bench/split_mix.h"

namespace emptor::services {
namespace {

using retrieval::HybridSearcher;
using retrieval::IndexedProduct;
using retrieval::SearchMode;
using retrieval::SearchRequest;

constexpr size_t kEmbeddedTogether = 256;
constexpr size_t kNeighbours = 300;

/// Every record is in the categories of one of these shares.
struct Share {
  double share;
  const char* category;
};
constexpr Share kShares[] = {
    {0.5, "half"}, {0.1, "tenth"}, {0.01, "hundredth"}, {0.001, "thousandth"}};

double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double ResidentBytes() {
  ::malloc_trim(0);  // free memory does not count for the index
  std::ifstream in("/proc/self/statm");
  double total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string MadeUpWord(uint64_t rank) {
  std::string word;
  uint64_t letters = rank * 2654435761u >> 4;
  for (uint64_t i = 0; i < 3 + rank % 5; ++i, letters /= 5) {
    word.push_back("bdfgklmnprstv"[(letters >> 3) % 13]);
    word.push_back("aeiou"[letters % 5]);
  }
  return word;
}

/// A mix of real words, which the embedder knows, and generated ones.
std::string MadeUpTitle(SplitMix& random) {
  static constexpr std::string_view kTypes[] = {
      "kettle", "toaster", "monitor", "laptop", "mouse",  "keyboard", "headphones", "speaker",
      "lamp",   "chair",   "desk",    "sofa",   "drill",  "hammer",   "camera",     "phone",
      "case",   "charger", "shirt",   "shoes",  "jacket", "watch",    "backpack",   "bottle"};
  static constexpr std::string_view kWords[] = {
      "red",   "blue",  "black",    "white",  "wireless", "steel",  "wooden", "leather", "small",
      "large", "smart", "portable", "garden", "kitchen",  "office", "gaming", "kids",    "outdoor"};
  std::string title = MadeUpWord(random.Next() % 400);
  for (uint64_t i = random.Next() % 3; i-- > 0;) {
    title += ' ';
    title += kWords[random.Next() % std::size(kWords)];
  }
  title += ' ';
  title += kTypes[random.Next() % std::size(kTypes)];
  for (uint64_t i = random.Next() % 4; i-- > 0;) title += ' ' + MadeUpWord(random.Next() % 20000);
  return title + ' ' + std::to_string(random.Next() % 1000);
}

/// The beginning of one text with the end of another, cut between words.
std::string Joined(std::string_view first, std::string_view second, SplitMix& random) {
  const auto cut = [&random](std::string_view text) {
    const size_t blank = text.find(' ', text.empty() ? 0 : random.Next() % text.size());
    return blank == std::string_view::npos ? text.size() : blank;
  };
  return std::string(first.substr(0, cut(first))) + ' ' +
         std::string(second.substr(std::min(cut(second), second.size())));
}

class Shop {
 public:
  Shop(const RetrievalSpeedOptions& options, const retrieval::Embedder& embedder)
      : options_(options),
        embedder_(embedder),
        random_(options.seed),
        rows_(embedder.dimension()),
        allowed_(std::size(kShares), retrieval::RecordSet(options.passages)) {
    rows_.Reserve(options.passages);
  }

  /// The exact ten nearest of those in the category of share `s` (all: std::size(kShares)), as far
  /// as they are related at all. Empty: no word that the embedder knows.
  absl::StatusOr<std::vector<retrieval::ScoredRecord>> ExactTen(const std::string& query,
                                                                size_t s) const {
    std::vector<float> vector(static_cast<size_t>(embedder_.dimension()));
    if (absl::Status status = embedder_.EmbedQueryInto(query, vector); !status.ok()) return status;
    if (!retrieval::ValidateQueryVector(vector, embedder_.dimension()).ok()) {
      return std::vector<retrieval::ScoredRecord>();
    }
    auto best =
        retrieval::ScanExactly(rows_, vector, 10, s < allowed_.size() ? &allowed_[s] : nullptr);
    std::erase_if(best, [](const retrieval::ScoredRecord& each) { return each.score <= 0; });
    return best;
  }
  /// Of the copy of the vectors that ExactTen reads.
  size_t own_bytes() const {
    return rows_.size() * (2 * static_cast<size_t>(rows_.dimension()) + sizeof(float));
  }

  absl::StatusOr<std::vector<IndexedProduct>> MakeRecords() {
    std::vector<IndexedProduct> records;
    records.reserve(options_.passages);
    const auto width = static_cast<size_t>(embedder_.dimension());
    while (records.size() < options_.passages) {
      const size_t begin = records.size();
      const size_t count = std::min(kEmbeddedTogether, options_.passages - begin);
      std::vector<std::string> texts;
      for (size_t i = 0; i < count; ++i) {
        records.push_back({MakeProduct(begin + i), {}});
        texts.push_back(retrieval::EmbeddingText(records.back().product));
      }
      std::vector<float> rows(count * width);
      if (absl::Status status = embedder_.EmbedInto(texts, rows); !status.ok()) return status;
      for (size_t i = 0; i < count; ++i) {
        const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * width);
        records[begin + i].vector.assign(row, row + static_cast<std::ptrdiff_t>(width));
        rows_.Add(records[begin + i].vector);
      }
    }
    return records;
  }

  std::vector<std::string> MakeQueries() {
    std::vector<std::string> queries = options_.searched;
    while (queries.size() < options_.queries) {
      std::string query = MakeTitle(random_.Next() % options_.passages);
      size_t end = 0;
      for (uint64_t words = 2 + random_.Next() % 3; words-- > 0 && end != std::string::npos;) {
        end = query.find(' ', end + 1);
      }
      queries.push_back(query.substr(0, end));
    }
    queries.resize(options_.queries);
    return queries;
  }

 private:
  std::string MakeTitle(size_t number) {
    const std::vector<std::string>& texts = options_.texts;
    if (texts.empty()) return MadeUpTitle(random_);
    if (number < texts.size()) return texts[number];
    const size_t first = random_.Next() % texts.size();
    const size_t second = std::min(first + random_.Next() % kNeighbours, texts.size() - 1);
    return Joined(texts[first], texts[second], random_);
  }

  catalog::Product MakeProduct(size_t number) {
    catalog::Product product;
    product.id = fmt::format("p{:08}", number);
    product.title = MakeTitle(number);
    product.brand = "brand" + std::to_string(random_.Next() % 500);
    for (size_t s = 0; s < std::size(kShares); ++s) {
      if (random_.NextUnit() >= kShares[s].share) continue;
      product.categories.emplace_back(kShares[s].category);
      allowed_[s].Insert(static_cast<uint32_t>(number));
    }
    product.price = catalog::Money{100 + static_cast<int64_t>(random_.Next() % 50000), "USD"};
    return product;
  }

  const RetrievalSpeedOptions& options_;
  const retrieval::Embedder& embedder_;
  SplitMix random_;
  retrieval::QuantizedRows rows_;              // by number
  std::vector<retrieval::RecordSet> allowed_;  // [shares]
};

/// Every query on every thread, each thread beginning elsewhere.
absl::StatusOr<SearchTimes> TimeSearches(const HybridSearcher& searcher,
                                         const std::vector<std::string>& queries,
                                         const SearchRequest& like, int threads) {
  std::mutex mutex;
  std::vector<double> taken;
  double processor = 0, matched = 0;
  absl::Status failed;
  const double begin = Seconds(CLOCK_MONOTONIC);
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        std::vector<double> own;
        size_t own_matched = 0;
        const double cpu = Seconds(CLOCK_THREAD_CPUTIME_ID);
        const size_t first = static_cast<size_t>(t) * queries.size() / static_cast<size_t>(threads);
        for (size_t q = 0; q < queries.size(); ++q) {
          SearchRequest request = like;
          request.query = queries[(first + q) % queries.size()];
          const double start = Seconds(CLOCK_MONOTONIC);
          const auto result = searcher.Search(request);
          own.push_back(Seconds(CLOCK_MONOTONIC) - start);
          if (result.ok()) {
            own_matched += result->matched;
          } else {
            const std::lock_guard lock(mutex);
            failed = result.status();
          }
        }
        const std::lock_guard lock(mutex);
        taken.insert(taken.end(), own.begin(), own.end());
        processor += Seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
        matched += static_cast<double>(own_matched);
      });
    }
  }
  if (!failed.ok()) return failed;
  const double wall = Seconds(CLOCK_MONOTONIC) - begin;
  std::sort(taken.begin(), taken.end());
  const auto count = static_cast<double>(taken.size());
  return SearchTimes{.threads = threads,
                     .p50_ms = 1e3 * taken[taken.size() / 2],
                     .p99_ms = 1e3 * taken[taken.size() * 99 / 100],
                     .most_ms = 1e3 * taken.back(),
                     .processor_ms = 1e3 * processor / count,
                     .per_second = count / wall,
                     .matched = matched / count};
}

/// Of vectors alone. Records that score as much as the exact tenth count as found: of equal ones
/// any will do.
absl::Status MeasureRecall(const HybridSearcher& searcher, const Shop& shop,
                           const std::vector<std::string>& queries, size_t s,
                           const retrieval::Filter& filter, FilteredSearch& out) {
  constexpr float kSameScore = 1e-6f;
  size_t found = 0, wanted = 0;
  const auto before = searcher.stats();
  for (const std::string& query : queries) {
    const auto want = shop.ExactTen(query, s);
    const auto got = searcher.Search(
        {.query = query, .filter = filter, .limit = 10, .mode = SearchMode::kVector});
    if (!got.ok() || !want.ok()) return got.ok() ? want.status() : got.status();
    out.short_answers += got->hits.size() < want->size();
    if (want->empty()) continue;
    const float least = want->back().score - kSameScore;
    size_t same = 0;
    for (const retrieval::Hit& hit : got->hits) same += hit.vector_score >= least;
    found += std::min(same, want->size());
    wanted += want->size();
  }
  const auto after = searcher.stats();
  const auto scans = static_cast<double>(after.scan_searches - before.scan_searches);
  const auto walks = static_cast<double>(after.faiss_searches - before.faiss_searches);
  out.scanned = scans + walks > 0 ? scans / (scans + walks) : 0;
  out.recall_at_10 = wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
  return absl::OkStatus();
}

absl::Status MeasureFiltered(const HybridSearcher& searcher, const Shop& shop,
                             const std::vector<std::string>& queries,
                             RetrievalSpeedReport& report) {
  constexpr size_t kAll = std::size(kShares);
  for (const size_t s : {kAll, size_t{0}, size_t{1}, size_t{2}, size_t{3}}) {
    retrieval::Filter filter;
    if (s < kAll) filter.categories.emplace_back(kShares[s].category);
    FilteredSearch& measured = report.filtered.emplace_back();
    measured.share = s < kAll ? kShares[s].share : 1;
    absl::Status status = MeasureRecall(searcher, shop, queries, s, filter, measured);
    if (!status.ok()) return status;
    auto times = TimeSearches(searcher, queries, {.query = "", .filter = filter}, 1);
    if (!times.ok()) return times.status();
    measured.times = *times;
  }
  return absl::OkStatus();
}

absl::Status MeasureSearches(const HybridSearcher& searcher,
                             const std::vector<std::string>& queries,
                             const std::vector<int>& threads, RetrievalSpeedReport& report) {
  for (const int count : threads) {
    auto times = TimeSearches(searcher, queries, {}, count);
    if (!times.ok()) return times.status();
    report.hybrid.push_back(*times);
  }
  for (const auto& [mode, into] : {std::pair(SearchMode::kVector, &report.vectors),
                                   std::pair(SearchMode::kLexical, &report.words)}) {
    auto times = TimeSearches(searcher, queries, {.query = "", .mode = mode}, 1);
    if (!times.ok()) return times.status();
    *into = *times;
  }
  return absl::OkStatus();
}

/// What is searched. The searcher reads the words, so it goes first.
struct Index {
  std::unique_ptr<retrieval::ShopWords> words;  // null: searched without a dictionary
  std::unique_ptr<HybridSearcher> searcher;

  size_t bytes() const {
    return searcher->stats().bytes + (words == nullptr ? 0 : words->stats().bytes);
  }
};

/// The dictionary of the records, complete.
absl::StatusOr<std::unique_ptr<retrieval::ShopWords>> ReadWords(
    const std::vector<IndexedProduct>& records) {
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  auto words = std::make_unique<retrieval::ShopWords>(*analyzer);
  words->SetSynonyms(retrieval::DefaultSynonyms());
  for (const IndexedProduct& each : records) words->Put(each.product);
  words->WaitUntilCurrent();
  return words;
}

absl::StatusOr<Index> BuildIndex(std::vector<IndexedProduct> records,
                                 const retrieval::Embedder& embedder,
                                 const RetrievalSpeedOptions& options,
                                 RetrievalSpeedReport& report) {
  Index index;
  double begin = Seconds(CLOCK_MONOTONIC);
  if (options.dictionary) {
    auto words = ReadWords(records);
    if (!words.ok()) return words.status();
    index.words = *std::move(words);
    report.dictionary_seconds = Seconds(CLOCK_MONOTONIC) - begin;
  }
  begin = Seconds(CLOCK_MONOTONIC);
  const double processor = Seconds(CLOCK_PROCESS_CPUTIME_ID);
  retrieval::HybridOptions search;
  search.vector_index = options.vector_index;
  search.words = index.words.get();
  auto searcher = HybridSearcher::Build(std::move(records), embedder, search);
  if (!searcher.ok()) return searcher.status();
  index.searcher = *std::move(searcher);
  report.build_seconds = Seconds(CLOCK_MONOTONIC) - begin;
  report.build_processor_seconds = Seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  return index;
}

}  // namespace

absl::StatusOr<RetrievalSpeedReport> MeasureRetrieval(const RetrievalSpeedOptions& options,
                                                      const retrieval::Embedder& embedder) {
  if (options.passages < 1 || options.queries < 1) {
    return absl::InvalidArgumentError("bench retrieval: expected passages and queries");
  }
  RetrievalSpeedReport report;
  report.passages = options.passages;
  report.embedder = embedder.model_id();
  report.dimension = embedder.dimension();
  const double resident = ResidentBytes();
  Shop shop(options, embedder);
  const double wall = Seconds(CLOCK_MONOTONIC);
  const double processor = Seconds(CLOCK_PROCESS_CPUTIME_ID);
  auto records = shop.MakeRecords();
  if (!records.ok()) return records.status();
  report.embed_seconds = Seconds(CLOCK_MONOTONIC) - wall;
  report.embed_processor_seconds = Seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  const auto index = BuildIndex(*std::move(records), embedder, options, report);
  if (!index.ok()) return index.status();
  report.bytes_per_passage = (ResidentBytes() - resident - static_cast<double>(shop.own_bytes())) /
                             static_cast<double>(options.passages);
  report.counted_per_passage =
      static_cast<double>(index->bytes()) / static_cast<double>(options.passages);
  const std::vector<std::string> queries = shop.MakeQueries();
  absl::Status status = MeasureSearches(*index->searcher, queries, options.threads, report);
  if (status.ok()) status = MeasureFiltered(*index->searcher, shop, queries, report);
  if (!status.ok()) return status;
  return report;
}

}  // namespace emptor::services
