// Whether two questions ask the same about the same facts.
#pragma once

#include <string>

#include "retrieval/cache/question_form.h"

namespace emptor::retrieval {

struct FormComparison {
  /// The first difference that changes the answer: "number: 30 days against 300 days"; empty when
  /// there is none.
  std::string contradiction;
  double frame = 0;    // share of the known question's words that follow in the asked one, in order
  double extra = 0;    // share of what is asked that the known question has no word for
  double missing = 0;  // share of the known question's content that is not asked
};

/// `asked` is the shopper's, `known` the entry's: every fact of it has to be in the asked one, and
/// what is asked must be about nothing more. Pure; cost is the product of their lengths.
FormComparison CompareForms(const QuestionForm& asked, const QuestionForm& known);

}  // namespace emptor::retrieval
