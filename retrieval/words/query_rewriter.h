// Query rewriting: spelling corrections, and weighted expansions of the query.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/hit.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/words/spelling.h"
#include "retrieval/words/synonyms.h"
#include "retrieval/words/vocabulary.h"
#include "retrieval/words/word_families.h"

namespace emptor::retrieval {

/// A term that is searched in addition to the query's terms. Its weight is `factor` times the idf
/// of the more frequent of `term` and `of`, so a rare variant never weighs more than the original.
struct Expansion {
  std::string term;
  std::string of;  // the query's term; empty: none
  float factor = 0;

  friend bool operator==(const Expansion&, const Expansion&) = default;
};

/// Factors of the expansions of a word, all below 1, the factor of the word itself.
/// Chosen on folds of the homedepot judgments; figures in docs/search.md.
struct RewriteWeights {
  float stem = 0.5f;             // "heating" for "heater"
  float stem_of_unknown = 0.8f;  // the same when the catalog lacks the query's word
  float joined = 0.6f;           // "snowblower" for "snow blower"
  float split = 0.4f;            // "snow" and "blower" for "snowblower"
  float rare = 0.5f;             // "chlorine" for "clorine", which one title has
  float synonym = 0.4f;          // chosen by hand: judged sets are pooled by exact words
  float compound = 0.5f;         // "wasserkocher" for "kocher"
  float head = 0.3f;             // "kocher" for "wasserkocher"
  float same_quantity = 0.8f;    // "68.6 cm" for "27 inch"; chosen by hand
  /// A word in at most this many records may be a misspelling by the shop...
  uint32_t rare_records = 10;
  /// ... when a correction is in this many times as many records.
  uint32_t rare_ratio = 20;
};

struct RewriteRequest {
  std::string_view query;
  Language language = Language::kOther;  // kOther: detected
  bool correct = true;                   // false: search what was typed
};

struct RewrittenQuery {
  std::string text = {};  // the query, corrected
  Language language = Language::kOther;
  std::vector<Correction> corrections = {};
  std::vector<Expansion> expansions = {};  // in the order of the query's words; terms are distinct
};

/// Number of records in the index that have the term in any field.
using DocumentFrequency = std::function<uint64_t(std::string_view term)>;

/// Corrects a word only when it has the letters a to z alone, no record has it in any form
/// (inflected, joined or split, as a synonym), and the catalog has a near word. Numbers, model
/// names, units and known words stay. All other variants are added as expansions with less weight.
/// Thread-safety: const methods. Lifetime: the constructor's arguments outlive it.
class QueryRewriter {
 public:
  QueryRewriter(const Analyzer& analyzer, const Vocabulary& vocabulary,
                const WordFamilies& families, const SpellingCorrector& spelling,
                RewriteWeights weights = {});

  RewrittenQuery Rewrite(const RewriteRequest& request, const Synonyms& synonyms,
                         const DocumentFrequency& frequency) const;

 private:
  const Analyzer& analyzer_;
  const Vocabulary& vocabulary_;
  const WordFamilies& families_;
  const SpellingCorrector& spelling_;
  const RewriteWeights weights_;
};

}  // namespace emptor::retrieval
