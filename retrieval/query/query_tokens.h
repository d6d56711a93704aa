// The tokens of a query, with their byte ranges.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

struct QueryToken {
  enum class Kind { kWord, kNumber, kCurrency, kIdeograph, kPunctuation };
  Kind kind = Kind::kWord;
  std::string text;  // lower-case; a number without its thousands separators
  size_t begin = 0;  // bytes of the message
  size_t end = 0;
};

/// Tokens of a clean message (see CleanText). "27-inch" and "wh-1000xm5" are words; "1.5k" is the
/// number 1500; "$49" a currency and a number; each Han character a token.
std::vector<QueryToken> TokenizeQuery(std::string_view message);

/// True when the tokens from `at` on are `words`.
bool MatchesAt(const std::vector<QueryToken>& tokens, size_t at,
               std::initializer_list<std::string_view> words);

/// Number of tokens that match `phrase` from `at` on; 0 when they do not. Single blanks separate
/// the words of `phrase`.
size_t PhraseLengthAt(const std::vector<QueryToken>& tokens, size_t at, std::string_view phrase);

/// True when `phrase` matches anywhere among the tokens.
bool HasPhrase(const std::vector<QueryToken>& tokens, std::string_view phrase);
/// True when one of `phrases` does.
bool HasAnyPhrase(const std::vector<QueryToken>& tokens,
                  std::initializer_list<std::string_view> phrases);

}  // namespace emptor::retrieval
