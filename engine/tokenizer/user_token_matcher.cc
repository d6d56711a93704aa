// Trie look-up, leftmost and longest.
#include "engine/tokenizer/user_token_matcher.h"

namespace emptor::engine {

UserTokenMatcher::UserTokenMatcher(const Vocabulary& vocabulary) {
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.type(id) == TokenType::kUserDefined) Insert(vocabulary.Bytes(id), id);
  }
}

void UserTokenMatcher::Insert(std::string_view text, TokenId token) {
  uint32_t node = 0;
  for (const char c : text) {
    const uint64_t edge = uint64_t{node} << 8 | static_cast<uint8_t>(c);
    const auto [child, added] = children_.emplace(edge, static_cast<uint32_t>(node_tokens_.size()));
    if (added) node_tokens_.push_back(-1);
    node = child->second;
  }
  node_tokens_[node] = token;
  first_bytes_[static_cast<uint8_t>(text.front())] = true;
}

UserTokenMatcher::Match UserTokenMatcher::LongestAt(std::string_view text, size_t begin) const {
  Match match;
  uint32_t node = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const auto child = children_.find(uint64_t{node} << 8 | static_cast<uint8_t>(text[i]));
    if (child == children_.end()) break;
    node = child->second;
    if (node_tokens_[node] >= 0) match = {begin, i + 1 - begin, node_tokens_[node]};
  }
  return match;
}

UserTokenMatcher::Match UserTokenMatcher::Find(std::string_view text, size_t from) const {
  for (size_t begin = from; begin < text.size(); ++begin) {
    if (!first_bytes_[static_cast<uint8_t>(text[begin])]) continue;
    const Match match = LongestAt(text, begin);
    if (match.length > 0) return match;
  }
  return {};
}

}  // namespace emptor::engine
