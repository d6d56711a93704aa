// A model that computes every step and then writes a given text.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/model/model.h"

namespace emptor::engine {

/// Steps cost what they cost the model; the token at each position is that of the text, whatever
/// the model would say. So the speed of an answer can be measured on a model of random weights, and
/// for the same text on any model. Thread-safety: that of the model. Lifetime: within the model's.
class WrittenText final : public Model {
 public:
  explicit WrittenText(Model& model) : model_(&model) {}

  /// The tokens of every sequence, prompt and answer. REQUIRES: all in the vocabulary.
  void set_text(std::vector<int32_t> text) { text_ = std::move(text); }

  int vocabulary_size() const override { return model_->vocabulary_size(); }
  int context_length() const override { return model_->context_length(); }
  void CopyBlock(BlockId from, BlockId to) override { model_->CopyBlock(from, to); }

  void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) override {
    constexpr float kCertain = 1e30f;
    model_->ComputeInto(steps, logits);
    const auto row = static_cast<size_t>(vocabulary_size());
    for (const SequenceStep& step : steps) {
      const size_t end = static_cast<size_t>(step.position) + step.tokens.size();
      for (size_t next = end - static_cast<size_t>(step.logit_rows) + 1; next <= end; ++next) {
        if (next < text_.size()) logits[static_cast<size_t>(text_[next])] = kCertain;
        logits = logits.subspan(row);
      }
    }
  }

 private:
  Model* model_;
  std::vector<int32_t> text_;
};

}  // namespace emptor::engine
