// A question as look-up compares it: the key of exact matches, its terms, its letter trigrams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/stemmer.h"

namespace emptor::retrieval {

/// A longer text is no question; look-up finds nothing for it.
inline constexpr size_t kMaxQuestionBytes = 2000;

/// One distinct term.
struct QuestionTerm {
  uint64_t hash = 0;         // FNV-1a of the stem, or of one or two ideographs
  bool is_function = false;  // a stop word: says little about the topic
};

struct QuestionText {
  std::vector<QuestionTerm> terms;  // by hash, ascending
  std::vector<uint32_t> trigrams;   // hashes of the words' letter trigrams, ascending, distinct
  uint32_t words = 0;               // words and ideographs, with repeats
};

/// Equal for questions that differ in case, width, blanks and punctuation only. Signs that mean
/// something stay ("$", "%", "+", "#"), and points and commas inside numbers do. Empty for a text
/// without a letter, digit or such sign.
std::string ExactKey(std::string_view question);

/// `language` chooses the stemmer; kOther: English.
QuestionText ReadQuestionText(std::string_view question, Language language);

/// The language of `locale`, else the one that the text indicates.
Language LanguageOfQuestion(std::string_view question, std::string_view locale);

}  // namespace emptor::retrieval
