// Fits a tuning to labelled questions, and measures one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "retrieval/cache/faq_features.h"
#include "retrieval/cache/faq_tuning.h"

namespace emptor::retrieval {

/// A question whose answer is known.
struct FaqLabelled {
  FaqMatches matches;  // FaqIndex::Match of the question
  std::string id;      // of the entry that answers it; empty: none does
};

struct FaqFitOptions {
  double target_error = 0.02;   // share of hits that may be wrong
  double unsure_from = 0.2;     // confidence
  size_t entry_questions = 20;  // labelled questions that an entry's own threshold needs
  double ridge = 1e-3;          // of the squared weights, for each sample
};

/// Weights by logistic regression over the matches, then thresholds: the lowest at which at most
/// `target_error` of the hits are wrong; for an entry from the questions whose best match it is.
/// Deterministic. Equal numbers of right and wrong matches are not needed. Questions with exact
/// matches are left out. Pure.
FaqTuning FitFaqTuning(std::span<const FaqLabelled> labelled, const FaqFitOptions& options = {});

/// The thresholds of `tuning`, fitted again; the weights stay. Pure.
FaqTuning FitFaqThresholds(const FaqTuning& tuning, std::span<const FaqLabelled> labelled,
                           const FaqFitOptions& options = {});

/// The best answer to one question: how sure, and whether it is right.
struct FaqOutcome {
  double score = 0;         // below 0: never a hit
  bool right = false;       // the entry that the label names
  bool answerable = false;  // the label names one
};

/// Under a tuning, before its thresholds. Pure.
FaqOutcome FaqOutcomeOf(const FaqLabelled& labelled, const FaqTuning& tuning);

struct FaqCurvePoint {
  double threshold = 0;
  double hit_rate = 0;   // hits / questions
  double precision = 1;  // right hits / hits; 1 without hits
  size_t hits = 0, right = 0;
};

/// One point for each distinct score, the greatest first. Pure.
std::vector<FaqCurvePoint> ComputeFaqCurve(std::vector<FaqOutcome> outcomes);

/// The point of the most hits at which the precision is at least `precision`; a threshold that
/// nothing reaches where there is none. Pure.
FaqCurvePoint PointAtPrecision(std::span<const FaqCurvePoint> curve, double precision);

}  // namespace emptor::retrieval
