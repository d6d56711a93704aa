// Sentences, phrases and records as one kind of tokens, for the claim checker.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// A word, a number or a mark. Words are folded; of Chinese and Japanese each character is a token.
struct ClaimToken {
  enum class Kind {
    kWord,    // may hold digits: "k80"
    kNumber,  // text is the shortest decimal form: "1.7"
    kWide,    // one ideograph
    kMark,    // punctuation, or a currency sign
    kSource,  // "[2]": number is 2
    kLink,    // the label of a link to /p/{id}: text is the id, the label is left out
  };
  Kind kind = Kind::kWord;
  std::string text;
  double number = 0;
  bool is_capitalized = false;  // as it was written
  bool is_glued = false;        // nothing stood between it and the token before
};

/// The tokens of a sentence in plain Markdown: bold is dropped. In `language` "de", "fr" and "es" a
/// comma is a decimal point; French words are cut behind "l'" and "d'". Pure; linear in the text.
std::vector<ClaimToken> TokenizeClaims(std::string_view text, std::string_view language);

/// The texts of its words and numbers, without marks.
std::vector<std::string> ClaimWordsOf(std::string_view text, std::string_view language);

/// True for words that differ only in a plural "s".
bool SameClaimWord(std::string_view a, std::string_view b);

}  // namespace emptor::services
