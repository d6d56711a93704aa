// The search of one shop: lexical and vector index over the same records, one filter, one ranking.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
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
#include "retrieval/ranking/merchandising.h"
#include "retrieval/segment/indexed_product.h"
#include "retrieval/segment/merge_policy.h"
#include "retrieval/vector/vector_index_spec.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {

struct Snapshot;

/// Weights of the two searches (formula: hybrid/fusion.h). Every fold of the homedepot judgments
/// chose these; figures in docs/evaluation.md.
struct FusionOptions {
  float lexical_weight = 0.6f;
  float vector_weight = 0.4f;
  int candidates = 200;  // of each search, before fusion
  /// Words are trusted fully when one record has this share of the query's words, by weight, and
  /// less below it (hybrid/word_trust.h); 0: always.
  float trusted_coverage = 0.5f;
  /// Scales the weight of each expansion of the query (words/query_rewriter.h).
  float expansions = 1.0f;
  /// Share of popularity, relative to the most popular candidate, in the score; and the share of
  /// the score that a record out of stock loses (hybrid/post_ranking.h).
  float popularity = 0.02f;
  float out_of_stock = 0.1f;
};

struct HybridOptions {
  FusionOptions fusion;
  /// REQUIRES: the defaults when index_directory is set; saved indexes assume them.
  Bm25Options bm25;
  /// Directory of the index files; empty: the index is in memory only.
  std::string index_directory;
  VectorIndexSpec vector_index;  // of the immutable part; the others use the default
  /// When fresh records are merged.
  MergeLimits merges;
  /// Decides which prices are in effect; null: the system clock. Called from every searching
  /// thread.
  std::function<int64_t()> now_unix;
  /// Corrects and expands queries; null: queries are searched as they are. Outlives the searcher.
  /// The caller keeps it up to date with the records.
  const ShopWords* words = nullptr;
};

enum class SearchMode { kHybrid, kLexical, kVector };

inline constexpr size_t kMaxQueryBytes = 4096;  // of SearchRequest::query

struct SearchRequest {
  std::string query;
  Filter filter = {};
  int limit = 10;
  SearchMode mode = SearchMode::kHybrid;
  /// Returns every record that passes the filter, in the order of `sort`, whatever the query is.
  /// For messages that only state conditions.
  bool browse = false;
  /// Other than kRelevance: the records that have every word of the query (word_match.h) in that
  /// order (sorted_retrieval.h); when there is none, those that the vector search finds.
  SortOrder sort = SortOrder::kRelevance;
  std::string currency = {};             // of the prices to sort by, if the filter has none
  Language language = Language::kOther;  // of the query; kOther: detected
  bool correct = true;                   // false: no spelling correction
  bool rewrite = true;                   // false: neither correction nor expansion
  bool quotes = true;  // a quoted phrase is demanded; false: its words count as any others
  const FusionOptions* fusion = nullptr;  // borrowed; null: the searcher's
  /// From 0 (off) to 1: how strongly a hit that resembles earlier ones is moved down.
  float diversity = 0;
  bool group_variants = false;                   // one hit for each item group: its best
  std::string typed = {};                        // the shopper's text, if it differs from `query`
  const Merchandising* merchandising = nullptr;  // borrowed; applies when sort is kRelevance
  /// Ids of the only records that may be found, a condition like those of the filter; borrowed,
  /// null: all.
  const std::unordered_set<std::string>* only = nullptr;
  /// Ids of records that are not found; borrowed, null: none.
  const std::unordered_set<std::string>* except = nullptr;

  /// What quoted phrases are read from.
  std::string_view quoting() const { return quotes ? std::string_view(query) : ""; }
};

/// Thread-safety: any thread. Search runs concurrently with Upsert and Remove, which are serialised
/// internally. A search sees every change whose call has returned. Compactions run on background
/// threads; neither searches nor changes wait for them. The destructor cancels a running
/// compaction. Lifetime: the embedder outlives the searcher.
class HybridSearcher {
 public:
  /// Builds the index over `records`. The vector index file in options.index_directory is used when
  /// its digest, model id and the digest of the records' vectors match; otherwise it is built and
  /// written. Errors: kInvalidArgument (vector length), kInternal (FAISS).
  static absl::StatusOr<std::unique_ptr<HybridSearcher>> Build(std::vector<IndexedProduct> records,
                                                               const Embedder& embedder,
                                                               const HybridOptions& options);

  /// A saved index, ready to search.
  struct Opened {
    std::unique_ptr<HybridSearcher> searcher;
    std::string attachment;
  };
  /// Opens the segment file in options.index_directory if it was saved for the same `source`,
  /// embedder and analyzer. Errors: kNotFound, kUnavailable (file system), kDataLoss (damaged),
  /// kFailedPrecondition (another source, embedder, analyzer or version): call Build; and as Build.
  static absl::StatusOr<Opened> Open(const std::string& source, const Embedder& embedder,
                                     const HybridOptions& options);

  /// The current state. Later changes do not alter it.
  std::shared_ptr<const Snapshot> Freeze() const;
  /// Writes a state to the segment file; searches and changes continue meanwhile. `source`
  /// identifies the records, and Open returns `attachment`: one of them must let the caller find
  /// out whether the records are still the same. One save at a time. Errors: kFailedPrecondition
  /// (no index_directory), kUnavailable (file system).
  absl::Status Save(const Snapshot& frozen, const std::string& source,
                    std::string_view attachment) const;
  /// The same with the current state.
  absl::Status Save(const std::string& source, std::string_view attachment) const {
    return Save(*Freeze(), source, attachment);
  }

  ~HybridSearcher();
  HybridSearcher(const HybridSearcher&) = delete;
  HybridSearcher& operator=(const HybridSearcher&) = delete;

  /// The best hits that pass the filter: `limit` of them, or all that match if there are fewer. A
  /// hybrid search falls back to words alone when the embedder fails and sets
  /// SearchResult::words_only.
  /// Errors: kInvalidArgument (limit out of 1..1000, query over 4 KiB or not UTF-8); of the
  /// embedder, kVector only.
  absl::StatusOr<SearchResult> Search(const SearchRequest& request) const;

  /// The ids of every record that passes the filter and has every word of the query, or, with
  /// `browse`, whatever the query is; in no particular order. Neither limit, mode nor sort counts.
  /// Errors: as Search.
  absl::StatusOr<std::vector<std::string>> FindIds(const SearchRequest& request) const;

  /// Facet counts of the records that match (facets.h). Prices are counted in `currency` if the
  /// filter has none. Errors: as Search.
  absl::StatusOr<Facets> CountFacets(const SearchRequest& request,
                                     const std::string& currency) const;

  /// Adds or replaces records; visible when the call returns. Errors: kInvalidArgument, naming the
  /// record: wrong length or values of its vector, or an empty vector for a new id.
  absl::Status Upsert(std::vector<IndexedProduct> records);
  void Remove(std::span<const std::string> ids);

  size_t size() const;
  bool Contains(const std::string& id) const;

  /// Waits until no compaction runs or is due. For measurements and tests.
  void WaitForMerges();

  /// Values and terms of the filter columns, over all segments. Removed records count until their
  /// segment is compacted.
  struct KnownValue {
    std::string text;  // in the spelling of the catalog
    size_t records = 0;
  };
  std::optional<KnownValue> FindFilterValue(FilterField field, const std::string& folded) const;
  size_t CountClaiming(const std::string& term) const;
  /// True when the property can be filtered by bounds in that base unit; see MeasureCounts.
  bool HasMeasure(const std::string& attribute, const std::string& base_unit) const;

  struct Stats {
    size_t products = 0, immutable_vectors = 0, fresh_vectors = 0, tombstones = 0, terms = 0;
    uint64_t faiss_searches = 0, scan_searches = 0;
    uint64_t words_only_searches = 0;  // the embedder failed
    uint64_t full_compactions = 0;     // of all segments, into the immutable part
    uint64_t minor_compactions = 0;    // of fresh segments
    double merge_seconds = 0;
    size_t bytes = 0;  // of the index in memory, with its mapped parts
  };
  Stats stats() const;

 private:
  struct Impl;
  explicit HybridSearcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
