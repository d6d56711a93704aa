// How many draft tokens pay: from measured acceptance and measured times of steps.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/speculation/drafter.h"

namespace emptor::engine {

/// Time of a decoding step by its number of tokens, learnt from the steps. What counts is how much
/// longer a step with more tokens takes: little while reading the weights takes longer than
/// computing with them, in proportion when it does not. A curve in pieces, in proportion beyond the
/// last one; until it is measured, each token adds a tenth of the time of a step of one.
class StepCost {
 public:
  StepCost();

  /// REQUIRES: tokens >= 1. Times that are not positive are ignored.
  void Observe(int tokens, double seconds);
  /// Estimated seconds of a step of so many tokens; a step of one takes a second before anything
  /// is measured.
  double Of(int tokens) const;

 private:
  static constexpr std::array<int, 12> kSizes = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 512};

  /// Between two of kSizes: the larger one, and how near to it.
  struct Place {
    size_t above;
    double share;
  };
  static Place PlaceOf(int tokens);

  double scale_ = 0;  // 0: nothing was measured
  std::array<double, kSizes.size()> shape_;
  std::array<double, kSizes.size()> weight_ = {};  // of the observations near each size
};

/// Chances of draft tokens. A draft is often wrong from its first token on or right for long, so
/// the first one has a chance of its own.
struct Acceptance {
  double first = 0;  // of the first token
  double later = 0;  // of each further one, as far as those before it are accepted
};

/// Share of draft tokens that were accepted, by class of draft. Later observations count more.
class AcceptanceMeter {
 public:
  AcceptanceMeter();
  /// Begins at the estimates of another meter.
  explicit AcceptanceMeter(const AcceptanceMeter& prior);
  AcceptanceMeter& operator=(const AcceptanceMeter&) = delete;

  /// `tried` tokens were compared, all but perhaps the last of which were `accepted`.
  /// REQUIRES: tried >= 1.
  void Observe(int draft_class, int tried, int accepted);
  /// Drafts of the class were not tried: the estimate moves towards where it began, so that they
  /// are tried again some time.
  void Forget(int draft_class);
  Acceptance Of(int draft_class) const;
  /// The same less one standard error: what few observations say counts for less.
  Acceptance CautiousOf(int draft_class) const;

 private:
  struct Counts {
    double tried, accepted;
  };
  struct ClassCounts {
    Counts first, later;
  };
  static ClassCounts Begin(const Acceptance& at);

  std::array<ClassCounts, kDraftClasses> counts_;
};

/// A sequence of the next step that has a draft.
struct DraftCandidate {
  Acceptance acceptance = {};
  int most = 0;  // tokens
};

/// Draft tokens of each candidate that make the expected tokens per second of a step of `batch`
/// decoding sequences largest; none when they would add less than a fifth. `draft_seconds`: of
/// making one draft token. Pure.
/// Source: Leviathan et al. 2023, arXiv:2211.17192, 3.2 (expected tokens of a draft).
std::vector<int> ChooseDraftLengths(std::span<const DraftCandidate> candidates, int batch,
                                    const StepCost& cost, double draft_seconds);

}  // namespace emptor::engine
