// Trie look-up, leftmost and longest.
#include "engine/tokenizer/user_token_matcher.h"

namespace emptor::engine {

UserTokenMatcher::UserTokenMatcher(const Vocabulary& vocabulary) {
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.type(id) == TokenType::kUserDefined) Add(vocabulary.Bytes(id), id, {});
  }
}

void UserTokenMatcher::Add(std::string_view text, TokenId token, Blanks blanks) {
  trie_.Insert(text, token);
  first_bytes_[static_cast<uint8_t>(text.front())] = true;
  if (blanks.before || blanks.behind) blanks_[token] = blanks;
}

UserTokenMatcher::Match UserTokenMatcher::TakeBlanks(std::string_view text, size_t from,
                                                     Match match) const {
  const auto found = blanks_.find(match.token);
  if (found == blanks_.end()) return match;
  size_t end = match.begin + match.length;
  while (found->second.behind && end < text.size()) {
    const Character c = CharacterAt(text, end);
    if (!c.Is(CharClass::kSpace)) break;
    end += c.bytes;
  }
  if (found->second.before) {
    size_t begin = from;  // of the blanks that reach up to the token
    for (size_t at = from; at < match.begin;) {
      const Character c = CharacterAt(text, at);
      at += c.bytes;
      if (!c.Is(CharClass::kSpace)) begin = at;
    }
    match.begin = begin;
  }
  match.length = end - match.begin;
  return match;
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
    if (match.length > 0) return TakeBlanks(text, from, match);
  }
  return {};
}

}  // namespace emptor::engine
