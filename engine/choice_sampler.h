// Chooses the next tokens of one answer, as the request asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "engine/sampling/logit_rules.h"
#include "engine/sampling/output_constraint.h"
#include "engine/sampling/sampler.h"
#include "engine/sampling/token_table.h"
#include "engine/structure/output_grammar.h"

namespace emptor::engine {

/// Parameters of one answer, already checked. Only the constructor reads them.
struct ChoiceSpec {
  const SamplingParams& sampling;
  int choice = 0;  // of SamplingParams::seed's streams, the one of this answer
  std::span<const int32_t> prompt = {};
  const std::vector<std::string>* references = nullptr;  // null: brackets are free
  std::shared_ptr<const OutputGrammar> grammar = {};     // null: any text
};

/// Order: log-probabilities of the untouched logits; logit bias; penalties; no end before
/// min_tokens; constraints; then Sampler's temperature, min-p, top-k, top-p. Where a constraint
/// allows nothing but the end, min_tokens and ignore_end give way.
/// Equal logits give equal tokens, whatever else is in the batch.
/// Thread-safety: one user at a time. Lifetime: within the table's.
class ChoiceSampler {
 public:
  ChoiceSampler(const TokenTable& table, const ChoiceSpec& spec);

  /// Chooses the next token; `logits` [vocabulary] are changed. Nothing when none may follow:
  /// failure() says why.
  std::optional<SampledToken> Next(std::span<float> logits);

  /// Whether the last token ends the answer without being part of it.
  bool ended() const { return ended_; }
  /// Whether the last token completes the answer: only an end could follow.
  bool complete() const;
  /// Whether an answer of so many tokens may end at a stop string: not before min_tokens.
  bool may_stop() const { return count_ >= min_tokens_; }
  absl::Status failure() const { return failure_; }

 private:
  SampledToken Describe(int32_t token) const;
  void NoteLogprobs(std::span<const float> logits);
  void HoldBackEnds(std::span<float> logits) const;
  bool IsEnd(int32_t token) const;
  absl::Status WhyNothing(std::span<const float> logits, bool any_before) const;

  const TokenTable* table_;
  Sampler sampler_;
  LogitRules rules_;
  std::vector<std::unique_ptr<OutputConstraint>> constraints_;
  std::vector<int32_t> stop_tokens_;
  std::optional<int> logprobs_;
  int min_tokens_;
  bool ignore_end_;
  int count_ = 0;  // tokens chosen
  bool ended_ = false;
  absl::Status failure_;
  // Of the row at hand, when logprobs are asked for.
  std::vector<float> raw_, weights_;
  double log_sum_ = 0;
};

}  // namespace emptor::engine
