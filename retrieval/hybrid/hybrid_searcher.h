// The search of one shop: lexical and vector index over the same records, one filter, one ranking.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/filter/filter.h"
#include "retrieval/filter/filter_row.h"
#include "retrieval/hit.h"
#include "retrieval/hybrid/facet_values.h"
#include "retrieval/hybrid/sort_order.h"
#include "retrieval/lexical/bm25.h"
#include "retrieval/ranking/placement.h"
#include "retrieval/ranking/ranking_model.h"
#include "retrieval/segment/indexed_product.h"
#include "retrieval/segment/merge_policy.h"
#include "retrieval/vector/vector_index_spec.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {

struct Snapshot;

/// How the two searches are weighed (formula: hybrid/fusion.h). The weights are what every fold of
/// the homedepot judgments chose; figures in docs/evaluation.md.
struct FusionOptions {
  float lexical_weight = 0.6f;
  float vector_weight = 0.4f;
  int candidates = 200;  // taken from each search before fusion
  /// On the weight of each term that is searched beside the query's own (words/query_rewriter.h).
  float expansions = 1.0f;
  /// Share of the fused score that popularity decides, to the most popular candidate's, where any
  /// is known; and the part of it that a record out of stock loses (hybrid/arrangement.h).
  float popularity = 0.02f;
  float out_of_stock = 0.1f;
};

struct HybridOptions {
  FusionOptions fusion;
  /// Saved indexes are of the defaults: REQUIRES these where there is an index_directory.
  Bm25Options bm25;
  /// Orders the first of the fused candidates anew (hybrid/rerank.h); null: they stay.
  std::shared_ptr<const RankingModel> ranker;
  /// Where the vector index file lies; empty: it is kept in memory only.
  std::string index_directory;
  VectorIndexSpec vector_index;  // of the immutable part; the others use the default
  /// When fresh records are merged.
  MergeLimits merges;
  /// Decides which prices hold; null: the system's clock. Called from every searching thread.
  std::function<int64_t()> now_unix;
  /// Corrects and widens queries; null: they are searched as they are. Outlives the searcher, and
  /// is fed by whoever feeds that.
  const ShopWords* words = nullptr;
};

enum class SearchMode { kHybrid, kLexical, kVector };

struct SearchRequest {
  std::string query;
  Filter filter = {};
  int limit = 10;
  SearchMode mode = SearchMode::kHybrid;
  /// Every record that meets the filter, whatever the query: for a message that only states
  /// conditions. In the order of `sort`.
  bool browse = false;
  /// Other than kRelevance: the records that hold every word of the query (word_match.h) in that
  /// order (listing.h); where none holds a word, what the vector search proposes.
  SortOrder sort = SortOrder::kRelevance;
  std::string currency = {};              // of the prices to sort by, where the filter names none
  Language language = Language::kOther;   // of the query; kOther: detected
  bool correct = true;                    // false: "search for what I typed"
  bool rewrite = true;                    // false: nothing of `words`, no term beside the query's
  const FusionOptions* fusion = nullptr;  // borrowed; null: the searcher's
  /// From 0, off, to 1: how far a hit that is like those before it falls behind.
  float diversity = 0;
  bool group_variants = false;           // one hit for each item group: the first in the order
  std::string typed = {};                // what the shopper wrote, where that is not `query`
  const Placement* placement = nullptr;  // borrowed; a merchant's wishes, unless `sort` says other
  bool rerank = true;                    // kHybrid only: by `ranker`, else the searcher's
  const RankingModel* ranker = nullptr;  // borrowed
  /// Gets the features of each candidate that is reranked, with or without a model; for training.
  std::function<void(const std::string& id, const FeatureVector&)> on_features = {};
};

/// Thread-safety: Search from any thread, also beside Upsert and Remove, which are serialised
/// inside. A search sees every change whose call has returned. Fresh records are merged on threads
/// of its own: neither searches nor changes wait for them. The destructor stops a merge that runs.
/// Lifetime: the embedder outlives it.
class HybridSearcher {
 public:
  /// Builds the index over `records`. A vector index file under options.index_directory is used
  /// when its digest, model id and the digest of the records' vectors all match, else it is rebuilt
  /// and written. Errors: kInvalidArgument (vector length), kInternal (FAISS).
  static absl::StatusOr<std::unique_ptr<HybridSearcher>> Build(std::vector<IndexedProduct> records,
                                                               const Embedder& embedder,
                                                               const HybridOptions& options);

  /// What Save wrote, ready to search without a look at the records.
  struct Opened {
    std::unique_ptr<HybridSearcher> searcher;
    std::string attachment;
  };
  /// Opens the segment file under options.index_directory if it was saved for the same `source` and
  /// embedder by a program that reads text alike. Errors: kNotFound, kUnavailable (file system),
  /// kDataLoss (damaged), kFailedPrecondition (of something else): build anew; and as Build.
  static absl::StatusOr<Opened> Open(const std::string& source, const Embedder& embedder,
                                     const HybridOptions& options);

  /// The present state, which stays as it is while changes go on.
  std::shared_ptr<const Snapshot> Freeze() const;
  /// Writes a state to that file; searches and changes go on beside it. `source` tells what the
  /// records are, and `attachment` comes back from Open: one of them must tell whether the records
  /// are still the same. One save at a time. Errors: kFailedPrecondition (no index_directory),
  /// kUnavailable (file system).
  absl::Status Save(const Snapshot& frozen, const std::string& source,
                    std::string_view attachment) const;
  /// The same with the present state.
  absl::Status Save(const std::string& source, std::string_view attachment) const {
    return Save(*Freeze(), source, attachment);
  }

  ~HybridSearcher();
  HybridSearcher(const HybridSearcher&) = delete;
  HybridSearcher& operator=(const HybridSearcher&) = delete;

  /// Best hits that pass the filter. Never fewer than exist, up to `limit`, when the query matches.
  /// A hybrid search goes on by words alone when the embedder fails, and says so.
  /// Errors: kInvalidArgument (limit out of 1..1000, query over 4 KiB or not UTF-8); of the
  /// embedder, kVector only.
  absl::StatusOr<SearchResult> Search(const SearchRequest& request) const;

  /// How the records that match spread (facets.h). Prices are counted in `currency` where the
  /// filter names none. Errors: as Search.
  absl::StatusOr<Facets> CountFacets(const SearchRequest& request,
                                     const std::string& currency) const;

  /// Adds or replaces records; visible when the call returns. Errors: kInvalidArgument (names the
  /// record: its vector's length or values, or an empty vector of an id that is not there).
  absl::Status Upsert(std::vector<IndexedProduct> records);
  void Remove(std::span<const std::string> ids);

  size_t size() const;
  bool Contains(const std::string& id) const;

  /// Waits until nothing is merged or due to be: for measurements and tests.
  void WaitForMerges();

  /// What the filters of this shop know, over all its segments; records that were removed count
  /// until their segment is merged.
  struct KnownValue {
    std::string text;  // as the catalog writes it
    size_t records = 0;
  };
  std::optional<KnownValue> FindFilterValue(FilterField field, const std::string& folded) const;
  size_t CountOwning(const std::string& term) const;
  /// Whether bounds in that base unit can be asked of the property; see MeasureCounts.
  bool HasMeasure(const std::string& attribute, const std::string& base_unit) const;

  struct Stats {
    size_t products = 0, immutable_vectors = 0, fresh_vectors = 0, tombstones = 0, terms = 0;
    uint64_t faiss_searches = 0, scan_searches = 0;
    uint64_t words_only_searches = 0;     // because the embedder failed
    uint64_t folds = 0, compactions = 0;  // merges into the immutable part, of fresh segments
    double merge_seconds = 0;
    size_t bytes = 0;  // that the index takes in memory, mapped parts among them
  };
  Stats stats() const;

 private:
  struct Impl;
  explicit HybridSearcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
