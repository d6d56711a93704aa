// What a question states that another with the same answer must state, too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::retrieval {

struct QuestionForm {
  std::string language;  // "en"; empty: unknown
};

/// `locale`: where known. Pure, linear in the text.
QuestionForm ReadQuestionForm(std::string_view question, std::string_view locale);

size_t ByteCount(const QuestionForm& form);

}  // namespace emptor::retrieval
