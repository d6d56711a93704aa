// Lets those sentences of a model pass that the claim checker finds entailed, and knows which
// statements of the plan they cover.
#pragma once

#include <array>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "services/assistant/plan/plan.h"
#include "services/grounding/claims.h"
#include "services/grounding/hydrator.h"

namespace emptor::services {

struct ClaimStats {
  int kept = 0, dropped = 0;               // sentences
  std::array<int, kClaimRules> by_rule{};  // of the dropped ones; [0]: of the kept ones
};

/// What became of a sentence.
struct JudgedSentence {
  std::string text;
  ClaimVerdict verdict;
};

/// Thread-safety: none; one answer owns it. The output does not depend on how the text was cut.
class ClaimGate {
 public:
  ClaimGate(ClaimSources sources, std::vector<Statement> plan);

  /// Takes hydrated text; returns the sentences that are complete and entailed.
  HydratedText Push(HydratedText piece);
  /// The end of the model's text.
  HydratedText Finish();

  /// The plan's first statement where it has to come first, an answer or a winner, and the model
  /// has not begun with it. Empty once asked, or where the model may begin.
  std::vector<Statement> TakeLead();
  /// The statements that no sentence has covered so far.
  std::vector<Statement> Missing() const;
  const ClaimStats& stats() const { return stats_; }
  /// Every complete sentence so far.
  const std::vector<JudgedSentence>& judged() const { return judged_; }

 private:
  void Close(HydratedText& shown);
  bool Contradicts(const ClaimVerdict& verdict) const;
  void Cover(const ClaimVerdict& verdict);

  std::set<std::string> names_;  // of the sources' attributes, lower case
  ClaimChecker checker_;
  std::vector<Statement> plan_;
  std::vector<bool> covered_;
  std::vector<StatedClaim> stated_;
  std::string sentence_;            // not complete yet
  std::deque<Citation> citations_;  // of sentences that are not complete yet
  int subject_ = 0;                 // source of the sentence before
  bool has_led_ = false;
  ClaimStats stats_;
  std::vector<JudgedSentence> judged_;
};

}  // namespace emptor::services
