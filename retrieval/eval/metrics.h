// Measures of one ranking against graded judgments.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emptor::retrieval {

/// Grades by record id. A record without a grade is unjudged.
using Grades = std::map<std::string, double, std::less<>>;

/// The gain of a grade in nDCG.
enum class Gain {
  kExponential,         // 2^grade - 1: grades from 0
  kExponentialFromOne,  // 2^(grade - 1) - 1: grades from 1
  kLinear,              // grade
};
/// "2^g-1", "2^(g-1)-1", "g". Parse gives nothing for other text.
std::string_view ToString(Gain gain);
std::optional<Gain> ParseGain(std::string_view name);

struct MetricOptions {
  Gain gain = Gain::kExponential;
  double relevant_from = 1;  // least relevant grade, for recall and reciprocal rank
  size_t ndcg_depth = 10;    // also of judged@
  size_t recall_depth = 100;
};

/// The "judged" forms score the condensed ranking, without unjudged records (Sakai 2007,
/// "Alternatives to Bpref"). In the other forms an unjudged record is irrelevant.
enum class Metric {
  kNdcg,  // Järvelin, Kekäläinen 2002; discount log2(rank + 1)
  kNdcgJudged,
  kRecall,
  kRecallJudged,
  kReciprocalRank,  // of the first relevant record in the whole ranking
  kReciprocalRankJudged,
  kJudged,    // share of judged records among the first ndcg_depth
  kPairwise,  // share of judged pairs of unequal grade in the right order; see ScoreRanking
};
constexpr size_t kMetricCount = 8;
/// "nDCG@10", "nDCG@10 judged only", ...; depths of `options`.
std::string MetricName(Metric metric, const MetricOptions& options);

/// By Metric. Nothing: the metric is undefined for the query (no relevant record, no unequal pair).
struct QueryScores {
  std::array<std::optional<double>, kMetricCount> values;

  const std::optional<double>& of(Metric metric) const {
    return values[static_cast<size_t>(metric)];
  }
  std::optional<double>& of(Metric metric) { return values[static_cast<size_t>(metric)]; }
};

/// Pure. Pairwise: a judged record that is not in the ranking is ranked after all that are; a pair
/// with neither record in the ranking counts one half. REQUIRES: ids in `ranking` are distinct.
QueryScores ScoreRanking(std::span<const std::string> ranking, const Grades& grades,
                         const MetricOptions& options);

}  // namespace emptor::retrieval
