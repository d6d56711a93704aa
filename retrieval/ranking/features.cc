// Matches of query terms in the fields, counted.
#include "retrieval/ranking/features.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr int kNone = -1;
constexpr size_t kMaxTitle = 64;  // terms that are looked at

/// For each term of a field, which term of the query it is; kNone for others.
size_t MatchField(const RankingQuery& query, std::span<const uint32_t> field,
                  std::array<int, kMaxTitle>& matches) {
  const size_t n = std::min(field.size(), kMaxTitle);
  for (size_t i = 0; i < n; ++i) {
    matches[i] = kNone;
    for (size_t q = 0; q < query.terms.size(); ++q) {
      if (query.terms[q].hash == field[i]) {
        matches[i] = static_cast<int>(q);
        break;
      }
    }
  }
  return n;
}

/// Which terms of the query a field holds.
struct Coverage {
  std::array<bool, RankingQuery::kMaxTerms> has = {};
  float idf = 0;
  size_t terms = 0;
  size_t matched_places = 0;
};

Coverage Cover(const RankingQuery& query, std::span<const int> matches) {
  Coverage coverage;
  for (const int q : matches) {
    if (q == kNone) continue;
    ++coverage.matched_places;
    if (std::exchange(coverage.has[static_cast<size_t>(q)], true)) continue;
    ++coverage.terms;
    coverage.idf += query.terms[static_cast<size_t>(q)].idf;
  }
  return coverage;
}

float Share(float part, float whole) { return whole > 0 ? part / whole : 0; }
float Share(size_t part, size_t whole) {
  return Share(static_cast<float>(part), static_cast<float>(whole));
}

size_t LongestRun(std::span<const int> matches) {
  size_t best = 0;
  size_t run = 0;
  for (size_t i = 0; i < matches.size(); ++i) {
    const bool goes_on = run > 0 && matches[i] == matches[i - 1] + 1;
    run = matches[i] == kNone ? 0 : goes_on ? run + 1 : 1;
    best = std::max(best, run);
  }
  return best;
}

/// Neighbours (q, q + 1) of the query that stand side by side in the field.
size_t AdjacentPairs(std::span<const int> matches) {
  std::array<bool, RankingQuery::kMaxTerms> seen = {};
  size_t pairs = 0;
  for (size_t i = 1; i < matches.size(); ++i) {
    if (matches[i - 1] == kNone || matches[i] != matches[i - 1] + 1) continue;
    if (!std::exchange(seen[static_cast<size_t>(matches[i])], true)) ++pairs;
  }
  return pairs;
}

/// Length of the shortest stretch with `distinct` different terms of the query.
size_t ShortestWindow(std::span<const int> matches, size_t distinct) {
  std::array<int, RankingQuery::kMaxTerms> counts = {};
  size_t inside = 0;
  size_t best = matches.size();
  for (size_t begin = 0, end = 0; end < matches.size(); ++end) {
    if (matches[end] != kNone && counts[static_cast<size_t>(matches[end])]++ == 0) ++inside;
    while (inside == distinct) {
      best = std::min(best, end - begin + 1);
      const int leaving = matches[begin++];
      if (leaving != kNone && --counts[static_cast<size_t>(leaving)] == 0) --inside;
    }
  }
  return best;
}

class Features {
 public:
  float& operator[](Feature feature) { return values_[static_cast<size_t>(feature)]; }
  const FeatureVector& values() const { return values_; }

 private:
  FeatureVector values_ = {};
};

void AddTitle(const RankingQuery& query, std::span<const uint32_t> title, Features& out) {
  std::array<int, kMaxTitle> places{};
  const size_t n = MatchField(query, title, places);
  const auto matches = std::span<const int>(places).first(n);
  const Coverage coverage = Cover(query, matches);
  const size_t terms = query.terms.size();
  out[Feature::kTitleIdf] = Share(coverage.idf, query.idf_sum());
  out[Feature::kTitleTerms] = Share(coverage.terms, terms);
  out[Feature::kTitleSpecific] = Share(coverage.matched_places, n);
  const size_t run = LongestRun(matches);
  out[Feature::kPhrase] = Share(run, terms);
  out[Feature::kAdjacent] =
      terms < 2 ? Share(coverage.terms, terms) : Share(AdjacentPairs(matches), terms - 1);
  out[Feature::kTitleEqual] = run == terms && n == terms && n > 0 ? 1.0f : 0.0f;
  out[Feature::kFirstMatch] = out[Feature::kLastMatch] = 1;
  if (coverage.terms > 0) {
    out[Feature::kWindow] = Share(coverage.terms, ShortestWindow(matches, coverage.terms));
    const auto matched = [](int q) { return q != kNone; };
    const auto first = std::find_if(matches.begin(), matches.end(), matched) - matches.begin();
    const auto last = std::find_if(matches.rbegin(), matches.rend(), matched) - matches.rbegin();
    out[Feature::kFirstMatch] = Share(static_cast<size_t>(first), n);
    out[Feature::kLastMatch] = 1 - Share(static_cast<size_t>(last), n);
  }
  size_t numbers = 0;
  size_t found = 0;
  for (size_t q = 0; q < terms; ++q) {
    if (query.terms[q].has_digit) {
      ++numbers;
      found += coverage.has[q] ? 1 : 0;
    } else {
      out[Feature::kHeadInTitle] = coverage.has[q] ? 1.0f : 0.0f;
    }
  }
  out[Feature::kNumbers] = numbers == 0 ? 1.0f : Share(found, numbers);
  out[Feature::kNumbersMissing] = static_cast<float>(numbers - found);
  out[Feature::kTitleLength] = std::log1p(static_cast<float>(n));
}

void AddOtherFields(const RankingQuery& query, const RecordTerms& terms, Features& out) {
  std::array<int, kMaxTitle> places{};
  const size_t brand_terms = MatchField(query, terms.brand, places);
  const Coverage brand = Cover(query, std::span<const int>(places).first(brand_terms));
  out[Feature::kBrandIdf] = Share(brand.idf, query.idf_sum());
  out[Feature::kBrandNamed] = Share(brand.matched_places, brand_terms);
  const size_t category_terms = MatchField(query, terms.category, places);
  const Coverage category = Cover(query, std::span<const int>(places).first(category_terms));
  out[Feature::kCategoryIdf] = Share(category.idf, query.idf_sum());
}

}  // namespace

uint32_t HashTerm(std::string_view term) {
  uint32_t hash = 0x811C9DC5u;
  for (const char c : term) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hash == 0 ? 1 : hash;
}

float RankingQuery::idf_sum() const {
  float sum = 0;
  for (const Term& term : terms) sum += term.idf;
  return sum;
}

std::string_view ToString(Feature feature) {
  static constexpr std::array<std::string_view, kFeatureCount> kNames = {
      "fused",          "lexical",         "lexical_to_best", "vector",
      "vector_to_best", "covered_idf",     "title_idf",       "title_terms",
      "title_specific", "phrase",          "adjacent",        "window",
      "first_match",    "last_match",      "head_in_title",   "title_equal",
      "numbers",        "numbers_missing", "brand_idf",       "brand_named",
      "category_idf",   "query_terms",     "title_length",    "description_length",
      "popularity",     "rating",          "in_stock",        "has_price",
      "has_image"};
  return kNames[static_cast<size_t>(feature)];
}

FeatureVector ComputeFeatures(const RankingQuery& query, const RecordTerms& terms,
                              const RecordSigns& signs, const CandidateScores& scores) {
  Features out;
  const float idf_sum = query.idf_sum();
  out[Feature::kFused] = scores.fused;
  out[Feature::kLexical] = Share(scores.lexical, idf_sum);
  out[Feature::kLexicalToBest] = Share(scores.lexical, scores.best_lexical);
  out[Feature::kVector] = scores.vector;
  out[Feature::kVectorToBest] = scores.vector - scores.best_vector;
  out[Feature::kCoveredIdf] = Share(scores.covered_idf, idf_sum);
  AddTitle(query, terms.title, out);
  AddOtherFields(query, terms, out);
  out[Feature::kQueryTerms] = static_cast<float>(query.terms.size());
  out[Feature::kDescriptionLength] = std::log1p(static_cast<float>(signs.description_terms));
  out[Feature::kPopularity] = signs.popularity;
  out[Feature::kRating] = signs.rating;
  out[Feature::kInStock] = signs.in_stock ? 1.0f : 0.0f;
  out[Feature::kHasPrice] = signs.has_price ? 1.0f : 0.0f;
  out[Feature::kHasImage] = signs.has_image ? 1.0f : 0.0f;
  return out.values();
}

}  // namespace emptor::retrieval
