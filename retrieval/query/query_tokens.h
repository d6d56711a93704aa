// A shopper's message as tokens that know where they stand.
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

/// True when the tokens from `at` on have these texts.
bool MatchesAt(const std::vector<QueryToken>& tokens, size_t at,
               std::initializer_list<std::string_view> words);

/// Tokens that "words in a row" cover from `at` on; words are parted by single blanks. 0: others.
size_t PhraseLengthAt(const std::vector<QueryToken>& tokens, size_t at, std::string_view phrase);

/// "words in a row" anywhere among the tokens; words are parted by single blanks.
bool HasPhrase(const std::vector<QueryToken>& tokens, std::string_view phrase);

}  // namespace emptor::retrieval
