// nDCG, recall, reciprocal rank, judged share, pairwise accuracy.
#include "retrieval/eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace emptor::retrieval {
namespace {

double GainOf(Gain gain, double grade) {
  switch (gain) {
    case Gain::kExponential:
      return std::max(0.0, std::exp2(grade) - 1);
    case Gain::kExponentialFromOne:
      return std::max(0.0, std::exp2(grade - 1) - 1);
    case Gain::kLinear:
      break;
  }
  return std::max(0.0, grade);
}

/// Sum over the first `depth` gains, in their order.
double DiscountedSum(std::span<const double> gains, size_t depth) {
  double sum = 0;
  for (size_t i = 0; i < std::min(depth, gains.size()); ++i) {
    sum += gains[i] / std::log2(static_cast<double>(i) + 2);
  }
  return sum;
}

/// The grades along a ranking.
using GradedRanking = std::vector<std::optional<double>>;

GradedRanking Condense(const GradedRanking& ranking) {
  GradedRanking judged;
  for (const auto& grade : ranking) {
    if (grade) judged.push_back(grade);
  }
  return judged;
}

std::optional<double> Ndcg(const GradedRanking& ranking, const Grades& grades,
                           const MetricOptions& options) {
  std::vector<double> ideal;
  for (const auto& [id, grade] : grades) ideal.push_back(GainOf(options.gain, grade));
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  const double best = DiscountedSum(ideal, options.ndcg_depth);
  if (best <= 0) return std::nullopt;
  std::vector<double> gains;
  for (size_t i = 0; i < std::min(options.ndcg_depth, ranking.size()); ++i) {
    gains.push_back(ranking[i] ? GainOf(options.gain, *ranking[i]) : 0);
  }
  return DiscountedSum(gains, options.ndcg_depth) / best;
}

/// Recall and reciprocal rank; REQUIRES: relevant > 0.
double Recall(const GradedRanking& ranking, size_t relevant, const MetricOptions& options) {
  const auto end =
      ranking.begin() + static_cast<std::ptrdiff_t>(std::min(options.recall_depth, ranking.size()));
  const auto found = std::count_if(ranking.begin(), end, [&](const auto& grade) {
    return grade && *grade >= options.relevant_from;
  });
  return static_cast<double>(found) / static_cast<double>(relevant);
}

double ReciprocalRank(const GradedRanking& ranking, const MetricOptions& options) {
  const auto first = std::find_if(ranking.begin(), ranking.end(), [&](const auto& grade) {
    return grade && *grade >= options.relevant_from;
  });
  if (first == ranking.end()) return 0;
  return 1.0 / static_cast<double>(first - ranking.begin() + 1);
}

std::optional<double> PairwiseAccuracy(std::span<const std::string> ranking, const Grades& grades) {
  std::map<std::string_view, size_t> ranks;
  for (size_t i = 0; i < ranking.size(); ++i) ranks.emplace(ranking[i], i);
  std::vector<std::pair<double, size_t>> judged;  // grade, rank
  for (const auto& [id, grade] : grades) {
    const auto found = ranks.find(id);
    judged.emplace_back(grade, found == ranks.end() ? ranking.size() : found->second);
  }
  size_t pairs = 0;
  double right = 0;
  for (size_t i = 0; i < judged.size(); ++i) {
    for (size_t j = 0; j < judged.size(); ++j) {
      if (judged[i].first <= judged[j].first) continue;
      ++pairs;
      if (judged[i].second < judged[j].second) right += 1;
      if (judged[i].second == judged[j].second) right += 0.5;
    }
  }
  if (pairs == 0) return std::nullopt;
  return right / static_cast<double>(pairs);
}

}  // namespace

std::string_view ToString(Gain gain) {
  switch (gain) {
    case Gain::kExponential:
      return "2^g-1";
    case Gain::kExponentialFromOne:
      return "2^(g-1)-1";
    case Gain::kLinear:
      break;
  }
  return "g";
}

std::optional<Gain> ParseGain(std::string_view name) {
  for (const Gain gain : {Gain::kExponential, Gain::kExponentialFromOne, Gain::kLinear}) {
    if (ToString(gain) == name) return gain;
  }
  return std::nullopt;
}

std::string MetricName(Metric metric, const MetricOptions& options) {
  const std::string ndcg = "nDCG@" + std::to_string(options.ndcg_depth);
  const std::string recall = "recall@" + std::to_string(options.recall_depth);
  switch (metric) {
    case Metric::kNdcg:
      return ndcg;
    case Metric::kNdcgJudged:
      return ndcg + " judged only";
    case Metric::kRecall:
      return recall;
    case Metric::kRecallJudged:
      return recall + " judged only";
    case Metric::kReciprocalRank:
      return "MRR";
    case Metric::kReciprocalRankJudged:
      return "MRR judged only";
    case Metric::kJudged:
      return "judged@" + std::to_string(options.ndcg_depth);
    case Metric::kPairwise:
      break;
  }
  return "pairwise";
}

QueryScores ScoreRanking(std::span<const std::string> ranking, const Grades& grades,
                         const MetricOptions& options) {
  GradedRanking graded;
  for (const std::string& id : ranking) {
    const auto found = grades.find(id);
    graded.push_back(found == grades.end() ? std::nullopt : std::optional(found->second));
  }
  const GradedRanking condensed = Condense(graded);
  const auto relevant =
      static_cast<size_t>(std::count_if(grades.begin(), grades.end(), [&](const auto& judged) {
        return judged.second >= options.relevant_from;
      }));
  QueryScores scores;
  scores.of(Metric::kNdcg) = Ndcg(graded, grades, options);
  scores.of(Metric::kNdcgJudged) = Ndcg(condensed, grades, options);
  if (relevant > 0) {
    scores.of(Metric::kRecall) = Recall(graded, relevant, options);
    scores.of(Metric::kRecallJudged) = Recall(condensed, relevant, options);
    scores.of(Metric::kReciprocalRank) = ReciprocalRank(graded, options);
    scores.of(Metric::kReciprocalRankJudged) = ReciprocalRank(condensed, options);
  }
  const size_t shown = std::min(options.ndcg_depth, graded.size());
  if (shown > 0) {
    const auto end = graded.begin() + static_cast<std::ptrdiff_t>(shown);
    const auto judged =
        std::count_if(graded.begin(), end, [](const auto& grade) { return grade.has_value(); });
    scores.of(Metric::kJudged) = static_cast<double>(judged) / static_cast<double>(shown);
  }
  scores.of(Metric::kPairwise) = PairwiseAccuracy(ranking, grades);
  return scores;
}

}  // namespace emptor::retrieval
