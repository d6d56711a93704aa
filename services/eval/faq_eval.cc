// Outcomes by way, thresholds by criterion.
#include "services/eval/faq_eval.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "retrieval/cache/faq_features.h"

namespace emptor::services {
namespace {

using retrieval::FaqCurvePoint;
using retrieval::FaqFeature;
using retrieval::FaqLabelled;
using retrieval::FaqMatch;
using retrieval::FaqOutcome;
using retrieval::FaqTuning;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kPrecision = 0.95;
constexpr double kOutside = 0.10;

/// Embeds phrasings, but no question.
class SilentEmbedder final : public retrieval::Embedder {
 public:
  explicit SilentEmbedder(const retrieval::Embedder& inner) : inner_(inner) {}
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return inner_.model_id(); }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    return inner_.EmbedInto(texts, out);
  }
  absl::Status EmbedQueryInto(const std::string&, std::span<float>) const override {
    return absl::UnavailableError("no vectors of questions");
  }

 private:
  const retrieval::Embedder& inner_;
};

double SimilarityOf(const FaqMatch& match) {
  return match.features[static_cast<size_t>(FaqFeature::kSimilarity)];
}

/// Cosines of each question with its entry.
absl::Status AddPairCosines(const FaqCollection& collection, const retrieval::Embedder& embedder,
                            FaqRun& run) {
  constexpr size_t kBatch = 256;
  const auto dimension = static_cast<size_t>(embedder.dimension());
  for (size_t begin = 0; begin < collection.questions.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, collection.questions.size() - begin);
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) texts.push_back(collection.questions[begin + i].text);
    for (size_t i = 0; i < count; ++i) texts.push_back(collection.questions[begin + i].entry);
    std::vector<float> vectors(2 * count * dimension);
    const absl::Status embedded = embedder.EmbedInto(texts, vectors);
    if (!embedded.ok()) return embedded;
    for (size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (size_t j = 0; j < dimension; ++j) {
        sum += vectors[i * dimension + j] * vectors[(count + i) * dimension + j];
      }
      run.cosines.push_back(sum);
    }
  }
  return absl::OkStatus();
}

/// Of the entry with the greatest cosine, or of the pair.
FaqOutcome CosineOutcome(const FaqRun& run, size_t i, bool is_pairs, bool verified) {
  const FaqLabelled& labelled = run.labelled[i];
  FaqOutcome outcome{.score = -1, .answerable = !labelled.id.empty()};
  const auto& matches = labelled.matches.matches;
  const auto best = std::max_element(matches.begin(), matches.end(), [](auto& a, auto& b) {
    return SimilarityOf(a) < SimilarityOf(b);
  });
  if (is_pairs) {
    outcome.score = (run.cosines[i] + 1) / 2;
    outcome.right = outcome.answerable;
  } else if (best != matches.end()) {
    outcome.score = labelled.matches.exact ? 2 : std::max(0.0, SimilarityOf(*best) + 1);
    outcome.right = best->id == labelled.id;
  }
  if (verified && best != matches.end() && !best->contradiction.empty()) outcome.score = -1;
  return outcome;
}

std::vector<FaqOutcome> OutcomesOf(const FaqRun& run, FaqWay way, bool is_pairs,
                                   const FaqTuning& tuning) {
  std::vector<FaqOutcome> outcomes;
  for (size_t i = 0; i < run.labelled.size(); ++i) {
    const bool by_cosine = way == FaqWay::kCosine || way == FaqWay::kCosineVerified;
    outcomes.push_back(by_cosine ? CosineOutcome(run, i, is_pairs, way == FaqWay::kCosineVerified)
                                 : retrieval::FaqOutcomeOf(run.labelled[i], tuning));
  }
  return outcomes;
}

/// The threshold with the most right hits among those that `allows` accepts.
template <typename Allows>
double ChooseThreshold(const std::vector<FaqOutcome>& outcomes, const Allows& allows) {
  double threshold = kNever;
  size_t most = 0;
  for (const FaqCurvePoint& point : retrieval::ComputeFaqCurve(outcomes)) {
    if (point.right <= most) continue;
    if (!allows(CountFaqHits(outcomes, point.threshold))) continue;
    most = point.right;
    threshold = point.threshold;
  }
  return threshold;
}

double MostAccurateThreshold(const std::vector<FaqOutcome>& outcomes) {
  double threshold = kNever;
  long best = 0;
  // A question outside that is not answered is right; so each hit adds a right or a wrong one.
  std::vector<FaqOutcome> sorted = outcomes;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  long gain = 0;
  for (size_t i = 0; i < sorted.size() && sorted[i].score >= 0; ++i) {
    if (sorted[i].right) {
      ++gain;
    } else if (!sorted[i].answerable) {
      --gain;
    }
    const bool is_last = i + 1 == sorted.size() || sorted[i + 1].score != sorted[i].score;
    if (is_last && gain > best) {
      best = gain;
      threshold = sorted[i].score;
    }
  }
  return threshold;
}

FaqWayResult MeasureWay(FaqWay way, const FaqTask& task, const FaqRun& fit, const FaqRun& report,
                        const FaqTuning& tuning) {
  FaqWayResult result;
  result.way = way;
  const auto fitted = OutcomesOf(fit, way, task.is_pairs, tuning);
  result.outcomes = OutcomesOf(report, way, task.is_pairs, tuning);
  const double by_precision = ChooseThreshold(
      fitted, [](const FaqFigures& figures) { return figures.precision() >= kPrecision; });
  const double by_outside = ChooseThreshold(
      fitted, [](const FaqFigures& figures) { return figures.outside_rate() <= kOutside; });
  result.at_precision = CountFaqHits(result.outcomes, by_precision);
  result.at_outside = CountFaqHits(result.outcomes, by_outside);
  result.at_accuracy = CountFaqHits(result.outcomes, MostAccurateThreshold(fitted));
  result.at_any = CountFaqHits(result.outcomes, 0);
  result.curve = retrieval::ComputeFaqCurve(result.outcomes);
  return result;
}

double Share(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string FiguresText(std::string_view criterion, const FaqFigures& figures) {
  return fmt::format(
      "    {:<22} hit rate {:.3f}  precision {:.3f}  false hits {:>5}  in scope right {:.3f}  "
      "outside answered {:.3f}\n",
      criterion, figures.hit_rate(), figures.precision(), figures.false_hits(),
      figures.in_scope_accuracy(), figures.outside_rate());
}

}  // namespace

std::string_view ToString(FaqWay way) {
  switch (way) {
    case FaqWay::kCosine:
      return "plain cosine";
    case FaqWay::kCosineVerified:
      return "cosine, verified";
    case FaqWay::kShipped:
      return "look-up, shipped";
    case FaqWay::kFitted:
      return "look-up, fitted";
  }
  return "";
}

double FaqFigures::hit_rate() const { return Share(hits, questions); }
double FaqFigures::precision() const { return hits == 0 ? 1 : Share(right, hits); }
double FaqFigures::in_scope_accuracy() const { return Share(right, answerable); }
double FaqFigures::outside_rate() const { return Share(outside_hits, questions - answerable); }

absl::StatusOr<FaqRun> RunFaqCollection(const FaqCollection& collection, bool is_pairs,
                                        const retrieval::Embedder& embedder, bool learns) {
  FaqRun run;
  auto index = retrieval::FaqIndex::Create(embedder);
  if (!index.ok()) return index.status();
  const absl::Status updated = (*index)->Update(collection.entries, {});
  if (!updated.ok()) return updated;
  if (learns) (*index)->Learn();
  for (const FaqQuestion& question : collection.questions) {
    FaqLabelled labelled{(*index)->Match(question.text, ""),
                         question.answerable ? question.entry : ""};
    if (is_pairs) {
      std::erase_if(labelled.matches.matches,
                    [&](const FaqMatch& match) { return match.id != question.entry; });
    }
    run.labelled.push_back(std::move(labelled));
    run.kinds.push_back(question.kind);
  }
  if (!is_pairs) return run;
  const absl::Status added = AddPairCosines(collection, embedder, run);
  if (!added.ok()) return added;
  return run;
}

absl::StatusOr<FaqRun> RunFaqCollectionByWords(const FaqCollection& collection,
                                               const retrieval::Embedder& embedder) {
  return RunFaqCollection(collection, false, SilentEmbedder(embedder));
}

FaqFigures CountFaqHits(const std::vector<FaqOutcome>& outcomes, double threshold) {
  FaqFigures figures{.threshold = threshold};
  for (const FaqOutcome& outcome : outcomes) {
    ++figures.questions;
    if (outcome.answerable) ++figures.answerable;
    if (outcome.score < 0 || outcome.score < threshold) continue;
    ++figures.hits;
    if (outcome.right) ++figures.right;
    if (!outcome.answerable) ++figures.outside_hits;
  }
  return figures;
}

FaqFigures CountFaqServed(std::span<const FaqLabelled> labelled_questions,
                          const FaqTuning& tuning) {
  FaqFigures figures{.threshold = tuning.hit_threshold};
  for (const FaqLabelled& labelled : labelled_questions) {
    const auto answer = retrieval::DecideFaq(labelled.matches, tuning);
    ++figures.questions;
    if (!labelled.id.empty()) ++figures.answerable;
    if (answer.decision != retrieval::FaqDecision::kHit) continue;
    ++figures.hits;
    if (answer.candidates.front().id == labelled.id) ++figures.right;
    if (labelled.id.empty()) ++figures.outside_hits;
  }
  return figures;
}

FaqTaskResult MeasureFaqTask(const FaqTask& task, const FaqRun& fit, const FaqRun& report,
                             const FaqTuning& shipped) {
  FaqTaskResult result;
  result.name = task.name;
  result.is_sealed = task.is_sealed;
  const FaqTuning fitted = retrieval::FitFaqTuning(fit.labelled);
  for (const FaqWay way :
       {FaqWay::kCosine, FaqWay::kCosineVerified, FaqWay::kShipped, FaqWay::kFitted}) {
    const FaqTuning& tuning = way == FaqWay::kFitted ? fitted : shipped;
    result.ways.push_back(MeasureWay(way, task, fit, report, tuning));
    if (way == FaqWay::kShipped)
      result.ways.back().as_served = CountFaqServed(report.labelled, shipped);
  }
  return result;
}

size_t FalseHitsAt(const FaqWayResult& result, size_t hits) {
  std::vector<FaqOutcome> sorted = result.outcomes;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  sorted.resize(std::min(sorted.size(), hits));
  return static_cast<size_t>(std::count_if(sorted.begin(), sorted.end(), [](const auto& outcome) {
    return outcome.score >= 0 && !outcome.right;
  }));
}

std::string FaqResultText(const FaqTaskResult& result) {
  std::string text = fmt::format(
      "{}{}: {} questions, {} with an answer\n", result.name, result.is_sealed ? " (sealed)" : "",
      result.ways.front().at_precision.questions, result.ways.front().at_precision.answerable);
  for (const FaqWayResult& way : result.ways) {
    text += fmt::format("  {}\n", ToString(way.way));
    text += FiguresText("precision 0.95", way.at_precision);
    const FaqFigures& outside = way.at_outside;
    if (outside.answerable < outside.questions) text += FiguresText("outside 0.10", outside);
    text += FiguresText("most decisions right", way.at_accuracy);
    text += FiguresText("no threshold", way.at_any);
    if (way.as_served.questions > 0) text += FiguresText("as shipped", way.as_served);
  }
  for (const FaqWayResult& way : result.ways) {
    if (way.way == FaqWay::kCosine || way.at_precision.hits == 0) continue;
    const size_t plain = FalseHitsAt(result.ways.front(), way.at_precision.hits);
    text +=
        fmt::format("  {}: {} false hits where plain cosine has {} at {} hits\n", ToString(way.way),
                    way.at_precision.false_hits(), plain, way.at_precision.hits);
  }
  return text;
}

}  // namespace emptor::services
