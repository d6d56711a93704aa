// Newton's method on the penalised likelihood; thresholds along the precision curve.
#include "retrieval/cache/faq_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr size_t kUnknowns = kFaqFeatureCount + 1;  // with the bias, which comes last
constexpr int kIterations = 30;

using Row = std::array<double, kUnknowns>;
using Matrix = std::array<Row, kUnknowns>;

struct Sample {
  Row values{};
  double label = 0;
  double weight = 1;
};

/// Solves a symmetric positive definite system by Gaussian elimination with pivots.
Row Solve(Matrix a, Row b) {
  for (size_t column = 0; column < kUnknowns; ++column) {
    size_t pivot = column;
    for (size_t i = column + 1; i < kUnknowns; ++i) {
      if (std::abs(a[i][column]) > std::abs(a[pivot][column])) pivot = i;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    if (a[column][column] == 0) continue;
    for (size_t i = column + 1; i < kUnknowns; ++i) {
      const double factor = a[i][column] / a[column][column];
      for (size_t j = column; j < kUnknowns; ++j) a[i][j] -= factor * a[column][j];
      b[i] -= factor * b[column];
    }
  }
  Row x{};
  for (size_t i = kUnknowns; i-- > 0;) {
    double sum = b[i];
    for (size_t j = i + 1; j < kUnknowns; ++j) sum -= a[i][j] * x[j];
    x[i] = a[i][i] == 0 ? 0 : sum / a[i][i];
  }
  return x;
}

/// Iteratively reweighted least squares with a ridge on all but the bias.
FaqModel FitLogistic(const std::vector<Sample>& samples, double ridge) {
  Row weights{};
  double mass = 0;
  for (const Sample& sample : samples) mass += sample.weight;
  const double penalty = ridge * mass;
  for (int iteration = 0; iteration < kIterations && !samples.empty(); ++iteration) {
    Matrix hessian{};
    Row gradient{};
    for (const Sample& sample : samples) {
      double sum = 0;
      for (size_t i = 0; i < kUnknowns; ++i) sum += weights[i] * sample.values[i];
      const double p = 1 / (1 + std::exp(-sum));
      const double curvature = sample.weight * std::max(p * (1 - p), 1e-6);
      for (size_t i = 0; i < kUnknowns; ++i) {
        gradient[i] += sample.weight * (sample.label - p) * sample.values[i];
        for (size_t j = 0; j < kUnknowns; ++j) {
          hessian[i][j] += curvature * sample.values[i] * sample.values[j];
        }
      }
    }
    for (size_t i = 0; i < kUnknowns; ++i) {
      const double own = i + 1 == kUnknowns ? 1e-9 : penalty;
      gradient[i] -= own * weights[i];
      hessian[i][i] += own;
    }
    const Row step = Solve(hessian, gradient);
    double change = 0;
    for (size_t i = 0; i < kUnknowns; ++i) {
      weights[i] += step[i];
      change = std::max(change, std::abs(step[i]));
    }
    if (change < 1e-8) break;
  }
  FaqModel model;
  std::copy_n(weights.begin(), kFaqFeatureCount, model.weights.begin());
  model.bias = weights[kFaqFeatureCount];
  return model;
}

/// Of the matches of all questions that this model of a tuning judges.
std::vector<Sample> SamplesOf(std::span<const FaqLabelled> labelled, FaqModel FaqTuning::*model) {
  static const FaqTuning any;
  std::vector<Sample> samples;
  for (const FaqLabelled& each : labelled) {
    if (each.matches.exact || &ModelFor(any, each.matches) != &(any.*model)) continue;
    for (const FaqMatch& match : each.matches.matches) {
      Sample sample;
      std::copy(match.features.begin(), match.features.end(), sample.values.begin());
      sample.values[kFaqFeatureCount] = 1;
      sample.label = match.id == each.id ? 1 : 0;
      sample.weight = each.weight;
      samples.push_back(sample);
    }
  }
  return samples;
}

const FaqMatch* BestOf(const FaqMatches& matches, const FaqTuning& tuning) {
  const FaqMatch* best = nullptr;
  double most = -1;
  for (const FaqMatch& match : matches.matches) {
    const double confidence = FaqConfidence(tuning, matches, match);
    if (confidence > most) {
      most = confidence;
      best = &match;
    }
  }
  return best;
}

/// The lowest threshold that keeps the targets on these outcomes; 1 where none does.
double ThresholdFor(std::vector<FaqOutcome> outcomes, const FaqFitOptions& options) {
  std::sort(outcomes.begin(), outcomes.end(),
            [](const FaqOutcome& a, const FaqOutcome& b) { return a.score > b.score; });
  double all_outside = 0;
  for (const FaqOutcome& each : outcomes) all_outside += each.answerable ? 0 : each.weight;
  double threshold = 1, hits = 0, wrong = 0, outside = 0;
  for (size_t i = 0; i < outcomes.size() && outcomes[i].score >= 0; ++i) {
    const FaqOutcome& each = outcomes[i];
    hits += each.weight;
    if (!each.right) wrong += each.weight;
    if (!each.answerable) outside += each.weight;
    const bool is_last = i + 1 == outcomes.size() || outcomes[i + 1].score != each.score;
    const bool is_kept =
        wrong <= options.target_error * hits && outside <= options.target_outside * all_outside;
    if (is_last && is_kept) threshold = each.score;
  }
  return threshold;
}

/// The threshold of an entry. Few right hits prove no small rate of errors, so that they do not
/// lower the global one, nor do they where that keeps a share of all questions; every wrong hit
/// counts.
double EntryThreshold(std::vector<FaqOutcome> outcomes, double global, FaqFitOptions options) {
  const auto seen = static_cast<double>(outcomes.size());
  const bool bounds_outside = std::exchange(options.target_outside, 1) < 1;  // of all entries
  const double own = ThresholdFor(std::move(outcomes), options);
  return bounds_outside || seen * options.target_error < 1 ? std::max(own, global) : own;
}

}  // namespace

FaqOutcome FaqOutcomeOf(const FaqLabelled& labelled, const FaqTuning& tuning) {
  FaqOutcome outcome{.score = -1, .answerable = !labelled.id.empty(), .weight = labelled.weight};
  const FaqMatches& matches = labelled.matches;
  const FaqMatch* best = BestOf(matches, tuning);
  const bool is_hit =
      matches.exact ? matches.matches.size() == 1 : best != nullptr && best->contradiction.empty();
  if (!is_hit) return outcome;
  outcome.score = matches.exact ? 1 : FaqConfidence(tuning, matches, *best);
  outcome.right = best->id == labelled.id;
  return outcome;
}

FaqTuning FitFaqTuning(std::span<const FaqLabelled> labelled, const FaqFitOptions& options) {
  FaqTuning tuning = DefaultFaqTuning();
  for (const auto model : {&FaqTuning::learned, &FaqTuning::full, &FaqTuning::lexical}) {
    const std::vector<Sample> samples = SamplesOf(labelled, model);
    if (!samples.empty()) tuning.*model = FitLogistic(samples, options.ridge);
  }
  return FitFaqThresholds(tuning, labelled, options);
}

FaqTuning FitFaqThresholds(const FaqTuning& tuning, std::span<const FaqLabelled> labelled,
                           const FaqFitOptions& options) {
  FaqTuning fitted = tuning;
  fitted.unsure_threshold = options.unsure_from;
  fitted.entry_thresholds.clear();
  std::vector<FaqOutcome> learned, others;
  std::map<std::string, std::vector<FaqOutcome>> of_entry;
  for (const FaqLabelled& each : labelled) {
    if (each.matches.exact) continue;
    const FaqOutcome outcome = FaqOutcomeOf(each, tuning);
    (each.matches.is_learned ? learned : others).push_back(outcome);
    const FaqMatch* best = BestOf(each.matches, tuning);
    if (best != nullptr && outcome.score >= 0) of_entry[best->id].push_back(outcome);
  }
  const bool is_learned = learned.size() > others.size();
  if (!others.empty()) fitted.hit_threshold = ThresholdFor(std::move(others), options);
  if (!learned.empty()) fitted.learned_hit_threshold = ThresholdFor(std::move(learned), options);
  const double global = is_learned ? fitted.learned_hit_threshold : fitted.hit_threshold;
  for (auto& [id, outcomes] : of_entry) {
    if (outcomes.size() < options.entry_questions) continue;
    const double own = EntryThreshold(std::move(outcomes), global, options);
    if (own != global) fitted.entry_thresholds[id] = own;
  }
  fitted.unsure_threshold =
      std::min({fitted.unsure_threshold, fitted.hit_threshold, fitted.learned_hit_threshold});
  return fitted;
}

std::vector<FaqCurvePoint> ComputeFaqCurve(std::vector<FaqOutcome> outcomes) {
  std::sort(outcomes.begin(), outcomes.end(),
            [](const FaqOutcome& a, const FaqOutcome& b) { return a.score > b.score; });
  std::vector<FaqCurvePoint> curve;
  FaqCurvePoint point;
  for (size_t i = 0; i < outcomes.size() && outcomes[i].score >= 0; ++i) {
    ++point.hits;
    if (outcomes[i].right) ++point.right;
    const bool is_last = i + 1 == outcomes.size() || outcomes[i + 1].score != outcomes[i].score;
    if (!is_last) continue;
    point.threshold = outcomes[i].score;
    point.hit_rate = static_cast<double>(point.hits) / static_cast<double>(outcomes.size());
    point.precision = static_cast<double>(point.right) / static_cast<double>(point.hits);
    curve.push_back(point);
  }
  return curve;
}

FaqCurvePoint PointAtPrecision(std::span<const FaqCurvePoint> curve, double precision) {
  FaqCurvePoint best;
  best.threshold = std::numeric_limits<double>::infinity();
  for (const FaqCurvePoint& point : curve) {
    if (point.precision >= precision && point.hits > best.hits) best = point;
  }
  return best;
}

}  // namespace emptor::retrieval
