// Runs an Nfa with calls byte by byte: a stack of return states, under sets of states that are made
// deterministic as they are met.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/structure/nfa.h"

namespace emptor::engine {

/// The automaton of an Nfa. Its ways ("threads") through the rules differ at most near the top of
/// the stack; the rest, common to all, is the stack of a Position. What lies above is a "local":
/// a set of threads, numbered, with its transitions by byte remembered. So a string within a
/// string, however deep, is one and the same local.
/// No position is a dead end: threads that could not end within kMaxDepth are never followed.
/// Thread-safety: one user at a time (locals are made on the way).
class Pushdown {
 public:
  static constexpr int kMaxDepth = 64;           // return states on the stack
  static constexpr size_t kMaxLocals = 1 << 16;  // beyond it, what is new is refused as impossible

  /// Explores what can be met, within `max_locals` and `max_work` visits of states, so that an
  /// exponential automaton is found here. Errors: kInvalidArgument (nothing can match within
  /// kMaxDepth, limits passed).
  /// REQUIRES: the Nfa has a rule.
  static absl::StatusOr<Pushdown> Create(Nfa nfa, size_t max_locals, size_t max_work);

  struct Position {
    int32_t local = 0;
    std::vector<NfaStateId> stack;  // return states, the latest last
  };

  Position Start();
  /// Whether some text goes on with this byte; the position is of no use when not.
  bool Advance(Position& position, uint8_t byte);
  /// Whether the text may end here.
  bool accepts(const Position& position) const {
    return locals_[static_cast<size_t>(position.local)].pops && position.stack.empty();
  }
  /// Whether nothing can follow.
  bool exhausted(const Position& position) const {
    return locals_[static_cast<size_t>(position.local)].threads.empty();
  }

  // For those who walk many texts at once: one transition, its pushes and pops left to the caller.
  struct Step {
    int32_t local = -1;
    std::vector<NfaStateId> push;
    int need = 0;  // how much deeper than before the step one must be able to go
  };
  /// Null: no way.
  const Step* Next(int32_t local, uint8_t byte);
  /// Whether a thread of the local has come to the end of the rule that the stack's top called.
  bool pops(int32_t local) const { return locals_[static_cast<size_t>(local)].pops; }
  /// The local and that return state in one, when the top of the stack is it.
  const Step* Return(int32_t local, NfaStateId top);
  /// How much deeper than here the local must be able to go to end.
  int need(int32_t local) const { return locals_[static_cast<size_t>(local)].need; }
  /// The local with only the threads whose need is at most `room`; -1 when nothing is left.
  int32_t Within(int32_t local, int room);
  /// The same for the local of a step, with `room` at the place before it.
  int32_t WithinStep(const Step& step, int room);

 private:
  static constexpr int kNever = 1 << 20;

  /// A stack of return states above the common one, shared: a frame on another. 0: empty.
  struct Frames {
    NfaStateId top = -1;
    int32_t below = 0;
    int depth = 0;
    int need = 0;  // of the return states in it
  };
  struct Thread {
    NfaStateId state;
    int32_t frames;
    auto operator<=>(const Thread&) const = default;
  };
  struct Local {
    std::vector<Thread> threads;  // kRange states alone, ascending
    bool pops = false;
    bool expanded = false;
    int need = 0;
    std::vector<int32_t> next;  // by byte class; a step, or -1
  };
  struct Reached {
    std::vector<Thread> threads;
    bool pops = false;
  };

  explicit Pushdown(Nfa nfa) : nfa_(std::move(nfa)) {}

  const NfaState& state(NfaStateId id) const { return nfa_.states[static_cast<size_t>(id)]; }
  void ComputeNeeds();
  void ComputeClasses();
  absl::Status Explore(size_t max_locals, size_t max_work);
  int32_t PushFrame(int32_t frames, NfaStateId top);
  std::vector<NfaStateId> ListFrames(int32_t frames) const;
  int NeedOf(const Thread& thread) const;
  Reached Close(std::vector<Thread> open);
  Step Settle(Reached reached);
  int32_t InternLocal(std::vector<Thread> threads, bool pops);
  int32_t AddStep(Step step);
  void Expand(int32_t local);
  bool Take(Position& position, const Step& step);

  Nfa nfa_;
  std::vector<int> needs_;  // by state: calls deeper that the end of its rule takes
  std::array<uint8_t, 256> classes_{};
  int class_count_ = 0;
  std::vector<Frames> frames_ = {Frames{}};
  std::map<std::pair<int32_t, NfaStateId>, int32_t> frame_ids_;
  std::deque<Local> locals_;
  std::map<std::pair<bool, std::vector<Thread>>, int32_t> local_ids_;
  std::deque<Step> steps_;
  std::map<std::pair<int32_t, NfaStateId>, int32_t> returns_;  // to steps_
  std::map<std::pair<int32_t, int>, int32_t> within_;
  std::vector<uint64_t> seen_in_;  // by state: the last closure that it was in, without frames
  uint64_t closure_ = 0;
  size_t work_ = 0, max_work_ = 0;
  Step start_;
};

}  // namespace emptor::engine
