// Trie look-up, leftmost and longest.
#include "engine/tokenizer/user_token_matcher.h"

namespace emptor::engine {

UserTokenMatcher::UserTokenMatcher(const Vocabulary& vocabulary) {
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.type(id) != TokenType::kUserDefined) continue;
    const std::string& text = vocabulary.Bytes(id);
    trie_.Insert(text, id);
    first_bytes_[static_cast<uint8_t>(text.front())] = true;
  }
}

UserTokenMatcher::Match UserTokenMatcher::LongestAt(std::string_view text, size_t begin) const {
  Match match;
  int32_t node = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    node = trie_.Child(node, static_cast<uint8_t>(text[i]));
    if (node == TokenTrie::kNone) break;
    const TokenId token = trie_.Token(node);
    if (token != TokenTrie::kNone) match = {begin, i + 1 - begin, token};
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
