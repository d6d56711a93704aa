// Weighs the words that records have against all words of the query.
#include "retrieval/hybrid/word_trust.h"

#include <algorithm>

#include "retrieval/lexical/bm25.h"

namespace emptor::retrieval {
namespace {

constexpr float kCreditOfCorrected = 0.5f;

}  // namespace

std::vector<WeighedWord> WordsOfQuery(const Analyzer& analyzer, const RewrittenQuery& rewritten,
                                      const ExpandedQuery& query,
                                      std::span<const InvertedIndex* const> segments) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->record_count();
  std::vector<std::string> corrected, terms;
  for (const Correction& correction : rewritten.corrections) {
    analyzer.ForEachTerm(correction.to, TextRole::kQuery,
                         [&](std::string_view term) { corrected.emplace_back(term); });
  }
  analyzer.ForEachTerm(rewritten.text, TextRole::kQuery, [&](std::string_view term) {
    if (std::ranges::find(terms, term) == terms.end()) terms.emplace_back(term);
  });
  std::vector<WeighedWord> words;
  for (const std::string& term : terms) {
    WeighedWord word{.weight = ComputeIdf(records, 1)};
    if (std::ranges::find(corrected, term) != corrected.end()) word.credit = kCreditOfCorrected;
    for (size_t t = 0; t < query.terms.size(); ++t) {
      const bool is_own = t < query.own && query.terms[t].text == term;
      if (is_own) word.weight = query.terms[t].weight;
      const size_t stands_for = query.stands_for[t];
      const bool expands_it = stands_for < query.own && query.terms[stands_for].text == term;
      if (is_own || expands_it) word.terms.push_back(t);
    }
    for (const Expansion& expansion : rewritten.expansions) {
      if (expansion.of != term || !word.terms.empty()) continue;
      for (size_t t = query.own; t < query.terms.size(); ++t) {
        if (query.terms[t].text == expansion.term) word.terms.push_back(t);
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

float BestCoverage(const InvertedIndex& index, const ExpandedQuery& query,
                   std::span<const WeighedWord> words, std::span<const uint32_t> records) {
  float all = 0;
  for (const WeighedWord& word : words) all += word.weight;
  if (all <= 0) return 1;
  std::vector<float> covered(records.size(), 0.0f);
  for (const WeighedWord& word : words) {
    std::vector<QueryTerm> terms;
    for (const size_t t : word.terms) terms.push_back(query.terms[t]);
    if (terms.empty()) continue;
    const std::vector<float> scores = ScoreRecords(index, terms, records);
    for (size_t r = 0; r < records.size(); ++r) {
      if (scores[r] > 0) covered[r] += word.weight * word.credit;
    }
  }
  return records.empty() ? 0 : *std::ranges::max_element(covered) / all;
}

}  // namespace emptor::retrieval
