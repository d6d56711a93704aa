// Weights by document frequency.
#include "retrieval/hybrid/expansion.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace emptor::retrieval {
namespace {

/// Records of all `segments` together that have the term.
uint64_t CountRecords(std::string_view term, std::span<const InvertedIndex* const> segments) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->document_frequency(term);
  return records;
}

}  // namespace

RewrittenQuery RewriteForSearch(const ShopWords* words, const SearchRequest& request,
                                const Snapshot& snapshot) {
  const bool as_typed = words == nullptr || !request.rewrite;
  if (as_typed || request.mode == SearchMode::kVector) return {.text = request.query};
  std::vector<const InvertedIndex*> segments;
  bool names_record = false;
  for (const SegmentView& view : snapshot.segments) {
    segments.push_back(&view.segment->lexical);
    names_record = names_record || !view.segment->identifiers.Find(request.query).empty();
  }
  const std::shared_ptr<const Dictionary> dictionary = words->dictionary();
  return dictionary->rewriter().Rewrite(
      {.query = request.query,
       .language = request.language,
       .correct = request.correct && !names_record},
      *words->synonyms(), [&](std::string_view term) { return CountRecords(term, segments); });
}

ExpandedQuery Expand(std::vector<QueryTerm> terms, std::span<const Expansion> expansions,
                     float scale, std::span<const InvertedIndex* const> segments) {
  ExpandedQuery query;
  query.terms = std::move(terms);
  query.own = query.terms.size();
  query.stands_for.resize(query.own);
  std::iota(query.stands_for.begin(), query.stands_for.end(), size_t{0});
  if (scale <= 0) return query;
  const auto position = [&](std::string_view text) {
    const auto found = std::find_if(query.terms.begin(), query.terms.end(),
                                    [&](const QueryTerm& term) { return term.text == text; });
    return static_cast<size_t>(found - query.terms.begin());
  };
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->record_count();
  for (const Expansion& expansion : expansions) {
    const uint64_t own = CountRecords(expansion.term, segments);
    if (own == 0) continue;
    const uint64_t of = expansion.of.empty() ? 0 : CountRecords(expansion.of, segments);
    const float weight = scale * expansion.factor * ComputeIdf(records, std::max(own, of));
    const size_t known = position(expansion.term);
    if (known < query.terms.size()) {
      query.terms[known].weight = std::max(query.terms[known].weight, weight);
      continue;
    }
    const size_t of_term = position(expansion.of);
    query.stands_for.push_back(of_term < query.own ? of_term : query.terms.size());
    query.terms.push_back({expansion.term, weight});
  }
  return query;
}

std::vector<float> ScoreConcepts(const InvertedIndex& index, const ExpandedQuery& query,
                                 std::span<const uint32_t> records) {
  std::vector<std::vector<size_t>> members(query.terms.size());  // [terms] that stand in for it
  for (size_t t = 0; t < query.terms.size(); ++t) members[query.stands_for[t]].push_back(t);
  std::vector<QueryTerm> alone;
  for (const auto& each : members) {
    if (each.size() == 1) alone.push_back(query.terms[each[0]]);
  }
  std::vector<float> scores = ScoreRecords(index, alone, records);
  for (const auto& each : members) {
    if (each.size() < 2) continue;
    std::vector<float> best(records.size(), 0.0f);
    for (const size_t t : each) {
      const auto term = ScoreRecords(index, std::span(&query.terms[t], 1), records);
      for (size_t r = 0; r < best.size(); ++r) best[r] = std::max(best[r], term[r]);
    }
    for (size_t r = 0; r < best.size(); ++r) scores[r] += best[r];
  }
  return scores;
}

}  // namespace emptor::retrieval
