// Features of the first candidates, and their new order.
#include "retrieval/hybrid/rerank.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace emptor::retrieval {
namespace {

RankingQuery MakeRankingQuery(std::span<const QueryTerm> terms) {
  RankingQuery query;
  for (const QueryTerm& term : terms) {
    if (query.terms.size() == RankingQuery::kMaxTerms) break;
    const bool has_digit = term.text.find_first_of("0123456789") != std::string::npos;
    query.terms.push_back({HashTerm(term.text), term.weight, has_digit});
  }
  return query;
}

/// Of each candidate, the idf of the terms that occur in any of its fields.
std::vector<float> CoveredIdf(const Snapshot& snapshot, std::span<const QueryTerm> terms,
                              std::span<const Candidate> candidates) {
  std::vector<float> covered(candidates.size(), 0.0f);
  std::vector<uint32_t> records;
  std::vector<size_t> places;
  for (size_t s = 0; s < snapshot.segments.size(); ++s) {
    records.clear();
    places.clear();
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].segment != s) continue;
      records.push_back(candidates[i].record);
      places.push_back(i);
    }
    if (records.empty()) continue;
    for (const QueryTerm& term : terms) {
      const auto scores =
          ScoreRecords(snapshot.segments[s].segment->lexical, std::span(&term, 1), records);
      for (size_t i = 0; i < scores.size(); ++i) {
        if (scores[i] > 0) covered[places[i]] += term.weight;
      }
    }
  }
  return covered;
}

}  // namespace

void Rerank(const Snapshot& snapshot, std::span<const QueryTerm> terms, const RankingModel* model,
            const std::function<void(const std::string& id, const FeatureVector&)>& on_features,
            std::vector<Candidate>& candidates) {
  if (candidates.empty() || (model == nullptr && !on_features)) return;
  const auto first = std::span(candidates).first(std::min(kReranked, candidates.size()));
  const RankingQuery query = MakeRankingQuery(terms);
  const std::vector<float> covered = CoveredIdf(snapshot, terms, first);
  CandidateScores scores;
  for (const Candidate& candidate : candidates) {
    scores.best_lexical = std::max(scores.best_lexical, candidate.lexical);
    scores.best_vector = std::max(scores.best_vector, candidate.vector);
  }
  std::vector<std::pair<float, size_t>> order;  // model's score, place
  for (size_t i = 0; i < first.size(); ++i) {
    const SegmentView& view = snapshot.segments[first[i].segment];
    const Segment& segment = *view.segment;
    scores.lexical = first[i].lexical;
    scores.vector = first[i].vector;
    scores.fused = first[i].fused;
    scores.covered_idf = covered[i];
    const FeatureVector features = ComputeFeatures(query, segment.ranking.terms(first[i].record),
                                                   view.signs(first[i].record), scores);
    if (on_features) on_features(segment.ids[first[i].record], features);
    order.emplace_back(model != nullptr ? model->Score(features) : 0, i);
  }
  if (model == nullptr) return;
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    const bool a_named = first[a.second].identified;
    const bool b_named = first[b.second].identified;
    return a_named != b_named ? a_named : a.first > b.first;
  });
  std::vector<Candidate> reordered;
  for (size_t i = 0; i < order.size(); ++i) {
    reordered.push_back(first[order[i].second]);
    reordered.back().fused = first[i].fused;
  }
  std::copy(reordered.begin(), reordered.end(), first.begin());
}

}  // namespace emptor::retrieval
