// The comparison of two forms.
#include "retrieval/cache/verifier.h"

namespace emptor::retrieval {

std::string FindContradiction(const QuestionForm& asked, const QuestionForm& known) {
  if (asked.language.empty() || known.language.empty() || asked.language == known.language) {
    return {};
  }
  return "language: " + asked.language + " against " + known.language;
}

}  // namespace emptor::retrieval
