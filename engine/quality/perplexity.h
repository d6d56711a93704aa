// Perplexity: how well a model predicts text, and so what quantisation costs.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/kernels/isa.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct PerplexityOptions {
  int threads = 0;    // 0: one per core
  int window = 1024;  // tokens that are read together; a longer text is cut into windows
  KvType kv_type = KvType::kF16;
  Isa isa = DetectIsa();
};

/// Sums over the predicted tokens.
struct Perplexity {
  int64_t tokens = 0;           // predicted
  double log_likelihood = 0;    // natural, of all of them together
  std::vector<double> of_text;  // log likelihood of each text: two models can be compared pairwise

  /// e^(mean negative log likelihood); 1 is a perfect prediction.
  double value() const {
    return tokens == 0 ? 1 : std::exp(-log_likelihood / static_cast<double>(tokens));
  }
};

/// A text as a model reads it: a conversation whose last message is the assistant's, laid out by
/// the model's chat template, or plain text when there are no messages.
struct QualityText {
  std::vector<ChatMessage> messages = {};
  std::string text = {};
};

/// Reads {"messages": [{"role", "content"}, ...]} or {"text": "..."}, one in each line.
/// Errors: kInvalidArgument, naming the line.
absl::StatusOr<std::vector<QualityText>> ParseQualityTexts(std::string_view jsonl);

/// Every token but the first of each window is predicted from those before it. The model is what
/// LoadModelSource takes. Errors: as its, Transformer::Create and the tokenizer's readers;
/// kInvalidArgument (an option out of range, nothing to predict).
absl::StatusOr<Perplexity> MeasurePerplexity(const std::string& model_path,
                                             std::span<const QualityText> texts,
                                             const PerplexityOptions& options);

}  // namespace emptor::engine
