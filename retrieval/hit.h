// What a search returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emptor::retrieval {

inline constexpr size_t kMaxVariantIds = 50;

/// One ranked record. `score` orders the hits; the parts say why it is here.
struct Hit {
  std::string id;
  float score = 0;          // fused, 0..1, higher is better
  float lexical_score = 0;  // BM25; 0 when it has no word of the query
  float vector_score = 0;   // cosine, also of records found by words; 0 when vectors were not used
  bool pinned = false;      // a merchant put it here, whatever the query
  /// Of its item group, where variants are grouped and it has one: a number that stands for the
  /// group, the records that meet the filter, and the ids of the first kMaxVariantIds, ascending.
  uint64_t group = 0;
  size_t variants = 0;
  std::vector<std::string> variant_ids = {};
};

/// A word of the query as it was typed, and what was searched for it.
struct Correction {
  std::string from;
  std::string to;

  friend bool operator==(const Correction&, const Correction&) = default;
};

/// Best first. `matched` counts the records that passed the filter and had any match: every record
/// with a word of the query, and those beside them that the vector search proposed.
struct SearchResult {
  std::vector<Hit> hits;
  size_t matched = 0;
  /// What was searched instead of words that the catalog does not know;
  /// `corrected_query` is the whole query with them replaced, empty when nothing was.
  std::vector<Correction> corrections = {};
  std::string corrected_query = {};
  /// True when vectors were wanted and could not be had: the embedder failed, words alone decided.
  bool words_only = false;
};

}  // namespace emptor::retrieval
