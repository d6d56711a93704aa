// A trie over token texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/tokenizer/merge_table.h"

namespace emptor::engine {

/// Nodes are numbers, 0 is the root; an edge is one look-up in a hash table.
/// Thread-safety: immutable after the last Insert.
class TokenTrie {
 public:
  static constexpr int32_t kNone = -1;

  /// REQUIRES: text is not empty. A later token takes the place of an earlier one of the same text.
  void Insert(std::string_view text, TokenId token);

  /// The node behind `node` and `byte`, or kNone.
  int32_t Child(int32_t node, uint8_t byte) const { return edges_.Find(node, byte).result; }
  /// The token that ends in `node`, or kNone.
  TokenId Token(int32_t node) const { return tokens_[static_cast<size_t>(node)]; }
  bool empty() const { return tokens_.size() == 1; }

 private:
  MergeTable edges_;  // (node, byte) to node
  std::vector<TokenId> tokens_ = {kNone};
};

}  // namespace emptor::engine
