// Whether two questions ask the same about the same facts.
#pragma once

#include <string>

#include "retrieval/cache/question_form.h"

namespace emptor::retrieval {

/// Names the first difference that changes the answer ("number: 30 days against 300 days"); empty
/// when there is none. `asked` is the shopper's, `known` the entry's. Pure.
std::string FindContradiction(const QuestionForm& asked, const QuestionForm& known);

}  // namespace emptor::retrieval
