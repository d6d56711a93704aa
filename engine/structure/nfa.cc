// Adding states, equal ones once.
#include "engine/structure/nfa.h"

#include <cassert>

namespace emptor::engine {
namespace {

bool Same(const NfaState& a, const NfaState& b) {
  return a.kind == b.kind && a.low == b.low && a.high == b.high && a.next == b.next &&
         a.other == b.other;
}

uint64_t KeyOf(const NfaState& state) {
  return (static_cast<uint64_t>(state.kind) << 48 | uint64_t{state.low} << 40 |
          uint64_t{state.high} << 32 | static_cast<uint32_t>(state.next)) *
             0x9e3779b97f4a7c15u +
         static_cast<uint32_t>(state.other);
}

}  // namespace

NfaStateId NfaBuilder::Add(const NfaState& state) {
  if (full()) return 0;
  nfa_.states.push_back(state);
  return static_cast<NfaStateId>(nfa_.states.size() - 1);
}

NfaStateId NfaBuilder::AddShared(const NfaState& state) {
  std::vector<NfaStateId>& equal_keys = shared_[KeyOf(state)];
  for (const NfaStateId id : equal_keys) {
    if (Same(nfa_.states[static_cast<size_t>(id)], state)) return id;
  }
  const NfaStateId id = Add(state);
  if (!full()) equal_keys.push_back(id);
  return id;
}

NfaStateId NfaBuilder::End() {
  if (end_ < 0) end_ = Add({.kind = NfaState::Kind::kEnd});
  return end_;
}

NfaStateId NfaBuilder::Range(uint8_t low, uint8_t high, NfaStateId next) {
  return AddShared({.kind = NfaState::Kind::kRange, .low = low, .high = high, .next = next});
}

NfaStateId NfaBuilder::Literal(std::string_view bytes, NfaStateId next) {
  for (size_t i = bytes.size(); i-- > 0;) next = Byte(bytes[i], next);
  return next;
}

NfaStateId NfaBuilder::Call(NfaRuleId rule, NfaStateId next) {
  return AddShared({.kind = NfaState::Kind::kCall, .next = next, .other = rule});
}

NfaStateId NfaBuilder::Either(NfaStateId a, NfaStateId b) {
  if (a < 0 || a == b) return b;
  if (b < 0) return a;
  return AddShared({.kind = NfaState::Kind::kSplit, .next = a, .other = b});
}

NfaStateId NfaBuilder::OpenSplit() { return Add({.kind = NfaState::Kind::kSplit}); }

void NfaBuilder::SetSplit(NfaStateId split, NfaStateId next, NfaStateId other) {
  if (full()) return;
  NfaState& state = nfa_.states[static_cast<size_t>(split)];
  assert(state.kind == NfaState::Kind::kSplit);
  state.next = next;
  state.other = other;
}

NfaRuleId NfaBuilder::AddRule() {
  nfa_.starts.push_back(-1);
  return static_cast<NfaRuleId>(nfa_.starts.size() - 1);
}

}  // namespace emptor::engine
