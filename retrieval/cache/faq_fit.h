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
  double weight = 1;   // as if there were so many of it
};

struct FaqFitOptions {
  double target_error = 0.02;   // share of hits that may be wrong
  double target_outside = 1;    // share of the questions without an answer that may get one
  double unsure_from = 0.2;     // confidence
  size_t entry_questions = 20;  // labelled questions that an entry's own threshold needs
  double ridge = 1e-3;          // of the squared weights, for each unit of weight of the samples
};

/// Weights by logistic regression over the matches, then thresholds: the lowest at which both
/// targets are kept; for an entry from the questions whose best match it is.
/// Deterministic. Equal numbers of right and wrong matches are not needed. Questions with exact
/// matches are left out. A model that no question needs is that of DefaultFaqTuning. Pure.
FaqTuning FitFaqTuning(std::span<const FaqLabelled> labelled, const FaqFitOptions& options = {});

/// The thresholds of `tuning`, fitted again; the weights stay, and so does a threshold of a kind of
/// matches that no question has. Pure.
FaqTuning FitFaqThresholds(const FaqTuning& tuning, std::span<const FaqLabelled> labelled,
                           const FaqFitOptions& options = {});

/// The best answer to one question: how sure, and whether it is right.
struct FaqOutcome {
  double score = 0;         // below 0: never a hit
  bool right = false;       // the entry that the label names
  bool answerable = false;  // the label names one
  double weight = 1;        // of the label
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
