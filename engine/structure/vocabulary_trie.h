// The tokens of a vocabulary by their common beginnings, in one array.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emptor::engine {

/// Nodes in preorder, children by byte; so a walk is one loop, and a subtree that is not wanted one
/// jump. Memory: 12 bytes a node. Thread-safety: immutable.
class VocabularyTrie {
 public:
  struct Node {
    uint32_t after;        // index of the node behind its subtree
    uint32_t first_token;  // in sorted(): the tokens that end here, then those of the subtree
    uint16_t token_count;  // that end here
    uint8_t byte;
    uint8_t depth;  // from 0
  };

  /// `bytes` by token id; tokens without bytes, or of more than 250, are never found.
  explicit VocabularyTrie(std::vector<std::string> bytes);

  int size() const { return static_cast<int>(bytes_.size()); }
  const std::string& bytes(int32_t token) const { return bytes_[static_cast<size_t>(token)]; }
  std::span<const Node> nodes() const { return nodes_; }
  /// Ids in the order of their bytes.
  std::span<const int32_t> sorted() const { return sorted_; }
  /// The tokens that end in a node or below it.
  std::span<const int32_t> TokensOf(const Node& node) const;
  /// The tokens that end in a node.
  std::span<const int32_t> TokensAt(const Node& node) const {
    return sorted().subspan(node.first_token, node.token_count);
  }

 private:
  std::vector<std::string> bytes_;
  std::vector<int32_t> sorted_;
  std::vector<Node> nodes_;
};

}  // namespace emptor::engine
