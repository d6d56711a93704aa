// Restricts one answer to a compiled output format.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/sampling/output_constraint.h"
#include "engine/structure/output_grammar.h"

namespace emptor::engine {

/// At every moment the answer is a prefix of a text of the format, and it may end only where it is
/// a complete one. Where the vocabulary cannot spell what must follow, every token is forbidden.
class FormatConstraint final : public OutputConstraint {
 public:
  /// `ends`: the tokens that end an answer.
  FormatConstraint(std::shared_ptr<const OutputGrammar> grammar, std::span<const int32_t> ends);

  void MaskInto(std::span<float> logits) const override;
  /// A token that may not come next makes everything impossible from then on.
  void Accept(int32_t token) override;
  bool complete() const override { return complete_; }
  /// Whether the text so far is a whole one.
  bool may_end() const { return !broken_ && grammar_->accepts(position_); }

 private:
  std::shared_ptr<const OutputGrammar> grammar_;
  std::vector<int32_t> ends_;
  OutputGrammar::Position position_;
  bool broken_ = false;
  bool complete_ = false;
};

}  // namespace emptor::engine
