// A position in a shared grammar.
#include "engine/structure/format_constraint.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace emptor::engine {

FormatConstraint::FormatConstraint(std::shared_ptr<const OutputGrammar> grammar,
                                   std::span<const int32_t> ends)
    : grammar_(std::move(grammar)),
      ends_(ends.begin(), ends.end()),
      position_(grammar_->Start()),
      complete_(grammar_->complete(position_)) {}

void FormatConstraint::MaskInto(std::span<float> logits) const {
  if (broken_) {
    std::fill(logits.begin(), logits.end(), -INFINITY);
    return;
  }
  grammar_->MaskInto(position_, ends_, logits);
}

void FormatConstraint::Accept(int32_t token) {
  broken_ = broken_ || !grammar_->Accept(position_, token);
  complete_ = !broken_ && grammar_->complete(position_);
}

}  // namespace emptor::engine
