// What a reranker sees of a query and a record: numbers that hold for every shop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

/// A term as the ranking compares it: FNV-1a (32 bit). Never 0.
uint32_t HashTerm(std::string_view term);

/// The terms of a record's short fields in the order of the text.
struct RecordTerms {
  std::span<const uint32_t> title;
  std::span<const uint32_t> brand;
  std::span<const uint32_t> category;  // of all its categories
};

/// What else of a record counts.
struct RecordSigns {
  float popularity = 0;  // ln(1 + what the shop counts); 0 where it does not
  float rating = 0;      // mean, 0 to 5; 0 without reviews
  uint16_t description_terms = 0;
  bool in_stock = true;
  bool has_price = false;
  bool has_image = false;

  friend bool operator==(const RecordSigns&, const RecordSigns&) = default;
};

/// The distinct terms of a query in its order.
struct RankingQuery {
  static constexpr size_t kMaxTerms = 32;

  struct Term {
    uint32_t hash = 0;
    float idf = 0;
    bool has_digit = false;
  };
  std::vector<Term> terms;  // at most kMaxTerms

  float idf_sum() const;
};

/// How the searches scored a candidate.
struct CandidateScores {
  float lexical = 0;
  float vector = 0;  // cosine
  float fused = 0;
  float covered_idf = 0;   // idf of the query's terms that occur anywhere in the record
  float best_lexical = 0;  // of all candidates
  float best_vector = 0;
};

/// The names of the model file, in this order.
enum class Feature {
  kFused,
  kLexical,            // BM25F / sum of idf
  kLexicalToBest,      // BM25F / the best candidate's
  kVector,             // cosine
  kVectorToBest,       // cosine - the best candidate's
  kCoveredIdf,         // share of the query's idf that occurs in the record
  kTitleIdf,           // ... in the title
  kTitleTerms,         // share of the query's terms in the title
  kTitleSpecific,      // share of the title's terms that the query names
  kPhrase,             // longest run of query terms in their order in the title / query terms
  kAdjacent,           // share of neighbours in the query that are neighbours in the title
  kWindow,             // matched terms / shortest stretch of the title that holds them all
  kFirstMatch,         // place of the first match in the title, 0 the beginning to 1
  kLastMatch,          // place of the last match in the title, 0 to 1
  kHeadInTitle,        // 1: the query's last term that is no number is in the title
  kTitleEqual,         // 1: the title is the query
  kNumbers,            // share of the query's terms with a digit in the title; 1 without any
  kNumbersMissing,     // how many are not
  kBrandIdf,           // share of the query's idf in the brand
  kBrandNamed,         // share of the brand's terms that the query names
  kCategoryIdf,        // share of the query's idf in the categories
  kQueryTerms,         // their number
  kTitleLength,        // ln(1 + terms)
  kDescriptionLength,  // ln(1 + terms)
  kPopularity,         // ln(1 + ...)
  kRating,
  kInStock,
  kHasPrice,
  kHasImage,
};
constexpr size_t kFeatureCount = 29;
std::string_view ToString(Feature feature);

/// By Feature.
using FeatureVector = std::array<float, kFeatureCount>;

/// Pure; all values are finite. Cost: terms of the query times terms of the fields.
FeatureVector ComputeFeatures(const RankingQuery& query, const RecordTerms& terms,
                              const RecordSigns& signs, const CandidateScores& scores);

}  // namespace emptor::retrieval
