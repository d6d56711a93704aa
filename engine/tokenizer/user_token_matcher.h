// Finds user-defined tokens in plain text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Knows the user-defined tokens of a vocabulary. Thread-safety: immutable.
class UserTokenMatcher {
 public:
  struct Match {
    size_t begin = 0;
    size_t length = 0;  // 0: no further token in the text
    TokenId token = -1;
  };

  UserTokenMatcher() = default;
  explicit UserTokenMatcher(const Vocabulary& vocabulary);

  /// The leftmost token at or behind `from`, and the longest of those that begin there.
  Match Find(std::string_view text, size_t from) const;
  bool empty() const { return trie_.empty(); }

 private:
  Match LongestAt(std::string_view text, size_t begin) const;

  TokenTrie trie_;
  std::vector<bool> first_bytes_ = std::vector<bool>(256);
};

/// Calls `on_text` for each stretch of plain text between user-defined tokens and `on_token` for
/// the match of each of those, in order.
template <typename OnText, typename OnToken>
void ForEachPiece(const UserTokenMatcher& matcher, std::string_view text, OnText on_text,
                  OnToken on_token) {
  size_t done = 0;
  while (done < text.size()) {
    const UserTokenMatcher::Match match =
        matcher.empty() ? UserTokenMatcher::Match{} : matcher.Find(text, done);
    const size_t end = match.length == 0 ? text.size() : match.begin;
    if (end > done) on_text(text.substr(done, end - done));
    if (match.length == 0) return;
    on_token(match);
    done = match.begin + match.length;
  }
}

}  // namespace emptor::engine
