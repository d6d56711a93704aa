// The result of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emptor::retrieval {

inline constexpr size_t kMaxVariantIds = 50;

/// One ranked record. `score` orders the hits; the other scores explain it.
struct Hit {
  std::string id;
  float score = 0;          // fused, 0..1, higher is better
  float lexical_score = 0;  // BM25; 0 without a word of the query
  float vector_score = 0;   // cosine, also of records found by words; 0 when vectors were not used
  bool pinned = false;      // by a merchandising rule
  /// Set when variants are grouped and the record has an item group: the hash of the group, the
  /// number of its records that pass the filter, and the first kMaxVariantIds of their ids,
  /// ascending.
  uint64_t group = 0;
  size_t variants = 0;
  std::vector<std::string> variant_ids = {};
};

/// A misspelled word of the query and its correction.
struct Correction {
  std::string from;
  std::string to;

  friend bool operator==(const Correction&, const Correction&) = default;
};

/// Best first. `matched` counts the records that pass the filter and match: every record with a
/// word of the query, and the other records that the vector search found.
struct SearchResult {
  std::vector<Hit> hits;
  size_t matched = 0;
  /// The words that were corrected. `corrected_query` is the whole corrected query, empty when
  /// there is no correction.
  std::vector<Correction> corrections = {};
  std::string corrected_query = {};
  /// True when the embedder failed and the lexical search alone produced the result.
  bool words_only = false;
};

}  // namespace emptor::retrieval
