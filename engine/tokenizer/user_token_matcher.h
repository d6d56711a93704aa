// Finds user-defined tokens in plain text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Knows user-defined tokens. Thread-safety: immutable after the last Add.
class UserTokenMatcher {
 public:
  struct Match {
    size_t begin = 0;
    size_t length = 0;  // 0: no further token in the text
    TokenId token = -1;
  };

  /// Whether a match takes the blanks in front of the token, and behind it.
  struct Blanks {
    bool before = false, behind = false;
  };

  UserTokenMatcher() = default;
  /// All user-defined tokens of the vocabulary.
  explicit UserTokenMatcher(const Vocabulary& vocabulary);

  /// REQUIRES: text is not empty.
  void Add(std::string_view text, TokenId token, Blanks blanks);

  /// The leftmost token at or behind `from`, and the longest of those that begin there.
  Match Find(std::string_view text, size_t from) const;
  bool empty() const { return trie_.empty(); }

 private:
  Match LongestAt(std::string_view text, size_t begin) const;
  Match TakeBlanks(std::string_view text, size_t from, Match match) const;

  TokenTrie trie_;
  std::vector<bool> first_bytes_ = std::vector<bool>(256);
  std::unordered_map<TokenId, Blanks> blanks_;  // of the tokens that take some
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
