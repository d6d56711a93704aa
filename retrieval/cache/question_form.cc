// Readers of the parts.
#include "retrieval/cache/question_form.h"

#include "retrieval/cache/question_text.h"

namespace emptor::retrieval {

QuestionForm ReadQuestionForm(std::string_view question, std::string_view locale) {
  QuestionForm form;
  form.language = LanguageTag(LanguageOfQuestion(question, locale));
  return form;
}

size_t ByteCount(const QuestionForm& form) { return form.language.size(); }

}  // namespace emptor::retrieval
