// Speculative decoding: which draft tokens the next step verifies, and what became of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/speculation/draft_length.h"
#include "engine/speculation/drafter.h"

namespace emptor::engine {

/// A decoding sequence, and the draft tokens that it gets.
struct DraftSlot {
  uint64_t sequence = 0;
  std::span<const int32_t> tokens = {};  // prompt and answer so far
  int room = 0;                          // draft tokens that it could use
  std::vector<int32_t> drafts = {};      // the answer
};

/// Drafts for all decoding sequences of a step, as many as pay at the acceptance and the times that
/// were measured so far: none when the batch is so full that each token costs its full time.
/// Thread-safety: engine thread only.
/// Source: Leviathan et al. 2023, arXiv:2211.17192; Chen et al. 2023, arXiv:2302.01318.
class Speculator {
 public:
  /// `max_tokens`: drafts of one sequence in a step, positive. `clock`: for the time of drafting.
  Speculator(
      std::unique_ptr<Drafter> drafter, int max_tokens,
      std::function<std::chrono::steady_clock::time_point()> clock = [] {
        return std::chrono::steady_clock::now();
      });

  /// Fills the drafts of all slots: all sequences that decode in the next step, each once.
  void DraftInto(std::span<DraftSlot> slots);
  /// A step compared `tried` of the sequence's last drafts, and accepted all but perhaps the last.
  void Observe(uint64_t sequence, int tried, int accepted);
  /// A step of decodes and drafts alone took so long.
  void ObserveStep(int tokens, double seconds) { cost_.Observe(tokens, seconds); }
  void Forget(uint64_t sequence);

  /// Whether making drafts takes no time to speak of.
  bool drafts_are_free() const { return drafter_->is_free(); }
  /// Drafts as long as they can be, whether they pay or not: to test that they change nothing.
  void set_always(bool always) { always_ = always; }

 private:
  struct Sequence {
    explicit Sequence(const AcceptanceMeter& prior) : acceptance(prior) {}
    AcceptanceMeter acceptance;
    int draft_class = 0;
    /// The first token of a draft that was not worth verifying, and its position: whether it was
    /// right is seen without cost.
    std::optional<int32_t> unverified;
    size_t position = 0;
  };

  void ObserveUnverified(Sequence& sequence, std::span<const int32_t> tokens);
  std::vector<int> ChooseLengths(std::span<const DraftCandidate> candidates);
  void Draft(std::span<DraftRequest> requests);
  void Record(Sequence& sequence, int tried, int accepted);

  std::unique_ptr<Drafter> drafter_;
  int max_tokens_;
  bool always_ = false;
  std::function<std::chrono::steady_clock::time_point()> clock_;
  StepCost cost_;
  AcceptanceMeter acceptance_;  // of all sequences: what a new one begins with
  double draft_seconds_ = 0;    // of a draft token; shrinks while it alone prevents drafts
  std::unordered_map<uint64_t, Sequence> sequences_;
};

}  // namespace emptor::engine
