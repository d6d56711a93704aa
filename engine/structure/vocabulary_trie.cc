// Sorted tokens, turned into nodes in one pass.
#include "engine/structure/vocabulary_trie.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {
namespace {

constexpr size_t kMaxTokenBytes = 250;
constexpr uint16_t kMaxAtNode = UINT16_MAX;

}  // namespace

VocabularyTrie::VocabularyTrie(std::vector<std::string> bytes) : bytes_(std::move(bytes)) {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    if (!bytes_[i].empty() && bytes_[i].size() <= kMaxTokenBytes) {
      sorted_.push_back(static_cast<int32_t>(i));
    }
  }
  std::sort(sorted_.begin(), sorted_.end(), [this](int32_t a, int32_t b) {
    const int order = this->bytes(a).compare(this->bytes(b));
    return order < 0 || (order == 0 && a < b);
  });
  std::vector<size_t> path;  // nodes that are open
  const std::string* last = nullptr;
  for (size_t i = 0; i < sorted_.size(); ++i) {
    const std::string& token = this->bytes(sorted_[i]);
    size_t shared = 0;
    if (last != nullptr) {
      shared = static_cast<size_t>(
          std::mismatch(token.begin(), token.end(), last->begin(), last->end()).first -
          token.begin());
    }
    for (; path.size() > shared; path.pop_back()) {
      nodes_[path.back()].after = static_cast<uint32_t>(nodes_.size());
    }
    for (size_t at = shared; at < token.size(); ++at) {
      path.push_back(nodes_.size());
      nodes_.push_back({.after = 0,
                        .first_token = static_cast<uint32_t>(i),
                        .token_count = 0,
                        .byte = static_cast<uint8_t>(token[at]),
                        .depth = static_cast<uint8_t>(at)});
    }
    uint16_t& count = nodes_[path.back()].token_count;
    if (count < kMaxAtNode) ++count;
    last = &token;
  }
  for (; !path.empty(); path.pop_back()) {
    nodes_[path.back()].after = static_cast<uint32_t>(nodes_.size());
  }
}

std::span<const int32_t> VocabularyTrie::TokensOf(const Node& node) const {
  const size_t end = node.after < nodes_.size() ? nodes_[node.after].first_token : sorted_.size();
  return sorted().subspan(node.first_token, end - node.first_token);
}

}  // namespace emptor::engine
