// Nondeterministic automata over bytes, with calls: the compiled form of every output format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emptor::engine {

using NfaStateId = int32_t;
using NfaRuleId = int32_t;

/// kRange: a byte of low..high leads to next. kSplit: next, or other (-1: none). kCall: rule
/// `other`, then next. kEnd: of the rule.
struct NfaState {
  enum class Kind : uint8_t { kRange, kSplit, kCall, kEnd };
  Kind kind = Kind::kEnd;
  uint8_t low = 0, high = 0;
  NfaStateId next = -1;
  int32_t other = -1;
};

/// Rules, each an automaton; rule 0 is the whole text.
struct Nfa {
  std::vector<NfaState> states;
  std::vector<NfaStateId> starts;  // by rule
};

/// Builds back to front: each function takes the state behind and gives the state in front.
/// States are shared wherever they are equal. Once the limit is passed, full() holds and what is
/// built is of no use; loops over user input ask for it. Thread-safety: one user at a time.
class NfaBuilder {
 public:
  explicit NfaBuilder(size_t max_states) : max_states_(max_states) {}

  bool full() const { return nfa_.states.size() >= max_states_ || ticks_ >= 8 * max_states_; }
  /// Counts work that may add no state, such as repeating nothing.
  void Tick() { ++ticks_; }

  NfaStateId End();
  NfaStateId Range(uint8_t low, uint8_t high, NfaStateId next);
  NfaStateId Byte(char byte, NfaStateId next) {
    return Range(static_cast<uint8_t>(byte), static_cast<uint8_t>(byte), next);
  }
  NfaStateId Literal(std::string_view bytes, NfaStateId next);
  NfaStateId Call(NfaRuleId rule, NfaStateId next);
  /// -1 stands for no way at all.
  NfaStateId Either(NfaStateId a, NfaStateId b);
  /// A split whose ways are set by SetSplit: the head of a loop.
  NfaStateId OpenSplit();
  void SetSplit(NfaStateId split, NfaStateId next, NfaStateId other);

  /// A number for a rule that is built later, with SetRule.
  NfaRuleId AddRule();
  void SetRule(NfaRuleId rule, NfaStateId start) { nfa_.starts[static_cast<size_t>(rule)] = start; }
  size_t rules() const { return nfa_.starts.size(); }

  Nfa Take() { return std::move(nfa_); }

 private:
  NfaStateId Add(const NfaState& state);
  NfaStateId AddShared(const NfaState& state);

  size_t max_states_;
  size_t ticks_ = 0;
  Nfa nfa_;
  NfaStateId end_ = -1;
  std::unordered_map<uint64_t, std::vector<NfaStateId>> shared_;
};

}  // namespace emptor::engine
