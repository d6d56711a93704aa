// Restricts a model to references that can be resolved.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sampling/output_constraint.h"
#include "engine/sampling/token_table.h"

namespace emptor::engine {

/// One sequence's brackets: whatever follows a `[` is one of the given references, to its `]`.
/// Works on bytes, so it holds for any vocabulary, however a reference is cut into tokens.
/// Outside of brackets everything is allowed.
/// Cost per token: the tokens that hold a bracket outside of one, those that begin with the bytes
/// that may come next inside of one.
/// Thread-safety: one user at a time. Lifetime: within the table's.
class ReferenceConstraint final : public OutputConstraint {
 public:
  /// `references` are whole, such as "[2]" or "[2:attr.capacity]".
  /// REQUIRES: each begins with `[`, ends with `]` and has neither in between.
  ReferenceConstraint(const TokenTable& table, const std::vector<std::string>& references);

  /// Sets the logits of tokens that may not come next to -infinity. Where no token at all could
  /// go on (the vocabulary lacks the bytes of a reference), nothing is changed.
  void MaskInto(std::span<float> logits) const override;
  void Accept(int32_t token) override;
  bool complete() const override { return false; }

 private:
  /// A node of the tree of references; children by byte. Node 0 is what follows a `[`.
  struct Node {
    std::vector<std::pair<unsigned char, int>> children;  // ascending bytes
  };
  static constexpr int kOutside = -1;
  static constexpr int kImpossible = -2;

  void Add(std::string_view reference);
  int Child(int node, unsigned char byte) const;
  /// The state after `bytes`: kOutside, a node, or kImpossible.
  int Walk(int state, std::string_view bytes) const;

  const TokenTable* table_;
  std::vector<Node> nodes_;
  std::vector<int32_t> forbidden_outside_;
  int state_ = kOutside;
};

}  // namespace emptor::engine
