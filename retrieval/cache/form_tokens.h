// Tokens of a question for the reader of its form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

struct FormToken {
  enum class Kind { kWord, kNumber, kIdeograph };
  Kind kind = Kind::kWord;
  std::string text;           // folded: lower case, no accents, no apostrophes; a number normalised
  bool is_capital = false;    // begins with a capital letter inside a sentence
  bool is_name_like = false;  // the same, and other letters are small
  size_t sentence = 0;
  size_t clause = 0;  // between commas and the like; counted through the text
};

struct FormTokens {
  std::vector<FormToken> tokens;
  std::vector<bool> asks;  // by sentence: it ends with a question mark, or none does
  bool has_question_mark = false;

  bool IsAsked(const FormToken& token) const { return asks[token.sentence]; }
};

/// Letters and digits part ("40kg" is "40", "kg"); an ideograph is a token; "9:00" is "9".
/// Pure, linear in the text.
FormTokens TokenizeForm(std::string_view question);

}  // namespace emptor::retrieval
