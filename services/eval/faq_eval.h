// Runs FAQ look-up on labelled questions and measures it next to plain cosine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/cache/faq_fit.h"
#include "retrieval/embedding/embedder.h"
#include "services/eval/faq_sets.h"

namespace emptor::services {

/// What the index found for every question of a collection, in order.
struct FaqRun {
  std::vector<retrieval::FaqLabelled> labelled;
  std::vector<double> cosines;  // of pairs: of the two texts; else of the nearest phrasing's scale
  std::vector<std::string> kinds;
};

/// Builds an index and looks every question up. `learns`: the index learns from its entries
/// (FaqIndex::Learn). Errors: those of the embedder.
absl::StatusOr<FaqRun> RunFaqCollection(const FaqCollection& collection, bool is_pairs,
                                        const retrieval::Embedder& embedder, bool learns = true);

/// The same without vectors of questions, as when the embedder fails: fits the lexical model.
absl::StatusOr<FaqRun> RunFaqCollectionByWords(const FaqCollection& collection,
                                               const retrieval::Embedder& embedder);

/// How a hit is decided.
enum class FaqWay {
  kCosine,          // the nearest phrasing, from a threshold on
  kCosineVerified,  // the same, unless the verifier refuses
  kShipped,         // the tuning that comes with the program, its weights
  kFitted,          // weights fitted on the fit side of the task
};
std::string_view ToString(FaqWay way);

struct FaqFigures {
  double threshold = 0;
  size_t questions = 0, answerable = 0;
  size_t hits = 0, right = 0, outside_hits = 0;  // outside: of questions without an answer

  double hit_rate() const;
  double precision() const;          // 1 without hits
  double in_scope_accuracy() const;  // right / answerable
  double outside_rate() const;       // outside_hits / questions without an answer
  size_t false_hits() const { return hits - right; }
};

/// The hits from a threshold on. Pure.
FaqFigures CountFaqHits(const std::vector<retrieval::FaqOutcome>& outcomes, double threshold);

/// By the thresholds of the tuning, those of entries included. Pure.
FaqFigures CountFaqServed(std::span<const retrieval::FaqLabelled> labelled_questions,
                          const retrieval::FaqTuning& tuning);

/// A way on one task: thresholds from its fit side, figures of its report side.
struct FaqWayResult {
  FaqWay way = FaqWay::kCosine;
  FaqFigures at_precision;  // threshold with precision >= 0.95
  FaqFigures at_outside;    // threshold with at most 10 % of the questions outside answered
  FaqFigures at_accuracy;   // threshold with most right decisions: a hit that is right, or no hit
  FaqFigures at_any;        // no threshold: every best match that the verifier lets pass
  FaqFigures as_served;     // kShipped: by the shipped thresholds; others: empty
  std::vector<retrieval::FaqOutcome> outcomes;  // of the report side
  std::vector<retrieval::FaqCurvePoint> curve;
};

struct FaqTaskResult {
  std::string name;
  bool is_sealed = false;
  std::vector<FaqWayResult> ways;  // by FaqWay
};

/// `shipped`: the tuning of kShipped. Pure.
FaqTaskResult MeasureFaqTask(const FaqTask& task, const FaqRun& fit, const FaqRun& report,
                             const retrieval::FaqTuning& shipped);

/// False hits of a way when it hits as often as `hits`: those with the highest scores. Pure.
size_t FalseHitsAt(const FaqWayResult& result, size_t hits);

/// A table for a terminal.
std::string FaqResultText(const FaqTaskResult& result);

}  // namespace emptor::services
