// The frozen baseline of evaluations. It uses no analyzer, index or weight of the product, so
// changes of the product do not alter it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/product.h"
#include "retrieval/eval/trec_run.h"

namespace emptor::retrieval {

struct FrozenBm25Options {
  bool description = true;  // indexed in addition to the title
  bool brand = true;        // likewise
  /// Strips English plural endings: "ies" becomes "y", otherwise a final "s" is dropped except in
  /// "ss" (S-stemmer; Harman 1991, "How effective is suffixing?").
  bool strip_plurals = true;
};

/// BM25 over one bag of words a record (Robertson, Zaragoza 2009), k1 0.9, b 0.4,
/// idf ln(1 + (N - df + 0.5) / (df + 0.5)). Words are runs of ASCII letters and digits, in lower
/// case. Ties keep the order in which records were added.
/// Thread-safety: const methods.
class FrozenBm25 {
 public:
  explicit FrozenBm25(const FrozenBm25Options& options) : options_(options) {}

  void Add(const catalog::Product& product);

  /// At most `limit` records with a word of the query, best first. A repeated query word counts
  /// each time.
  std::vector<RankedId> Search(std::string_view query, size_t limit) const;

 private:
  struct Posting {
    uint32_t record;
    uint32_t frequency;
  };
  std::vector<std::string> WordsOf(std::string_view text) const;

  const FrozenBm25Options options_;
  std::vector<std::string> ids_;
  std::vector<uint32_t> lengths_;  // [records] in words
  uint64_t total_length_ = 0;
  std::unordered_map<std::string, std::vector<Posting>> postings_;
};

}  // namespace emptor::retrieval
