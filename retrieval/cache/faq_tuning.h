// The numbers by which a match is judged: weights, thresholds; their file; the decision.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "retrieval/cache/faq_features.h"
#include "retrieval/cache/faq_index.h"

namespace emptor::retrieval {

/// A logistic model.
struct FaqModel {
  double bias = 0;
  FaqFeatures weights{};  // by FaqFeature
};

/// When a candidate is served. Written by FitFaqTuning, read from a file; never edited by hand.
struct FaqTuning {
  FaqModel learned;          // where a classifier has learned from the entries
  FaqModel full;             // where the question has a vector alone
  FaqModel lexical;          // where it has none
  double hit_threshold = 1;  // confidence from which a candidate is served, by full and lexical
  double learned_hit_threshold = 1;  // the same by learned
  double unsure_threshold = 0;       // confidence from which it may be meant
  /// In place of both, for entries with enough labelled questions; by entry id.
  std::map<std::string, double, std::less<>> entry_thresholds;
};

/// The model for these matches. Pure.
const FaqModel& ModelFor(const FaqTuning& tuning, const FaqMatches& matches);

/// The estimated probability that the match answers the question. Pure.
double FaqConfidence(const FaqTuning& tuning, const FaqMatches& matches, const FaqMatch& match);

/// Judges matches. One exact match is a hit, several (in different entries) are unsure. Otherwise
/// the most probable match is a hit when the verifier found no contradiction and the confidence
/// reaches the threshold. Pure.
FaqAnswer DecideFaq(const FaqMatches& matches, const FaqTuning& tuning);

/// The threshold that holds for an entry. `is_learned`: FaqMatches::is_learned. Pure.
double HitThreshold(const FaqTuning& tuning, std::string_view id, bool is_learned);

/// Text of docs/formats/faq_tuning.md. Errors: kInvalidArgument with the line.
absl::StatusOr<FaqTuning> ParseFaqTuning(std::string_view text);
std::string WriteFaqTuning(const FaqTuning& tuning);

/// data/faq/tuning.txt, which is compiled into the program.
const FaqTuning& DefaultFaqTuning();

}  // namespace emptor::retrieval
