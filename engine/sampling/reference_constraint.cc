// A byte automaton over the references, and the tokens that it lets pass.
#include "engine/sampling/reference_constraint.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace emptor::engine {

ReferenceConstraint::ReferenceConstraint(const TokenTable& table,
                                         const std::vector<std::string>& references)
    : table_(&table), nodes_(1) {
  for (const std::string& reference : references) Add(reference);
  for (const int32_t token : table.with_bracket()) {
    const bool possible = !references.empty() && Walk(kOutside, table.bytes(token)) != kImpossible;
    if (!possible) forbidden_outside_.push_back(token);
  }
}

void ReferenceConstraint::Add(std::string_view reference) {
  assert(reference.size() >= 2 && reference.front() == '[' && reference.back() == ']');
  int node = 0;
  for (const char c : reference.substr(1)) {
    const auto byte = static_cast<unsigned char>(c);
    int child = Child(node, byte);
    if (child < 0) {
      child = static_cast<int>(nodes_.size());
      auto& children = nodes_[static_cast<size_t>(node)].children;
      children.insert(std::upper_bound(children.begin(), children.end(), std::pair(byte, 0)),
                      {byte, child});
      nodes_.emplace_back();
    }
    node = child;
  }
}

int ReferenceConstraint::Child(int node, unsigned char byte) const {
  for (const auto& [label, child] : nodes_[static_cast<size_t>(node)].children) {
    if (label == byte) return child;
  }
  return kImpossible;
}

int ReferenceConstraint::Walk(int state, std::string_view bytes) const {
  for (const char c : bytes) {
    if (state == kOutside) {
      if (c == '[') state = 0;
      continue;
    }
    state = Child(state, static_cast<unsigned char>(c));
    if (state == kImpossible) return state;
    if (c == ']') state = kOutside;
  }
  return state;
}

void ReferenceConstraint::MaskInto(std::span<float> logits) const {
  if (state_ == kOutside) {
    for (const int32_t token : forbidden_outside_) logits[static_cast<size_t>(token)] = -INFINITY;
    return;
  }
  std::vector<std::pair<int32_t, float>> allowed;
  for (const auto& [byte, child] : nodes_[static_cast<size_t>(state_)].children) {
    for (const int32_t token : table_->beginning_with(byte)) {
      if (Walk(state_, table_->bytes(token)) == kImpossible) continue;
      allowed.emplace_back(token, logits[static_cast<size_t>(token)]);
    }
  }
  if (allowed.empty()) return;
  std::fill(logits.begin(), logits.end(), -INFINITY);
  for (const auto& [token, logit] : allowed) logits[static_cast<size_t>(token)] = logit;
}

void ReferenceConstraint::Accept(int32_t token) {
  const int next = Walk(state_, table_->bytes(token));
  state_ = next == kImpossible ? kOutside : next;
}

}  // namespace emptor::engine
