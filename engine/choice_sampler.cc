// The rules of one answer, in their order.
#include "engine/choice_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/sampling/logit_math.h"
#include "engine/sampling/reference_constraint.h"
#include "engine/sampling/rng.h"
#include "engine/structure/format_constraint.h"

namespace emptor::engine {
namespace {

/// The first answer draws from the request's own seed, each other one from a separate stream.
uint64_t SeedOf(uint64_t seed, int choice) {
  return choice == 0 ? seed : RandomBits(seed, ~static_cast<uint64_t>(choice));
}

SamplerOptions ToSamplerOptions(const SamplingParams& sampling, int choice) {
  return {.temperature = sampling.temperature,
          .top_k = sampling.top_k,
          .top_p = sampling.top_p,
          .min_p = sampling.min_p,
          .seed = SeedOf(sampling.seed, choice)};
}

LogitRuleOptions ToRuleOptions(const SamplingParams& sampling) {
  return {.bias = sampling.logit_bias,
          .repetition_penalty = sampling.repetition_penalty,
          .presence_penalty = sampling.presence_penalty,
          .frequency_penalty = sampling.frequency_penalty};
}

bool Contains(std::span<const int32_t> tokens, int32_t token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

}  // namespace

ChoiceSampler::ChoiceSampler(const TokenTable& table, const ChoiceSpec& spec)
    : table_(&table),
      sampler_(ToSamplerOptions(spec.sampling, spec.choice)),
      rules_(ToRuleOptions(spec.sampling), spec.prompt),
      stop_tokens_(spec.sampling.stop_tokens),
      logprobs_(spec.sampling.logprobs),
      min_tokens_(spec.sampling.min_tokens),
      ignore_end_(spec.sampling.ignore_end) {
  if (spec.grammar) {
    constraints_.push_back(std::make_unique<FormatConstraint>(spec.grammar, table.ends()));
  }
  if (spec.references != nullptr) {
    constraints_.push_back(std::make_unique<ReferenceConstraint>(table, *spec.references));
  }
}

bool ChoiceSampler::complete() const {
  return std::any_of(constraints_.begin(), constraints_.end(),
                     [](const auto& constraint) { return constraint->complete(); });
}

bool ChoiceSampler::IsEnd(int32_t token) const {
  return Contains(table_->ends(), token) || Contains(stop_tokens_, token);
}

/// End tokens are suppressed before min_tokens; the model's own also if the request ignores them.
void ChoiceSampler::HoldBackEnds(std::span<float> logits) const {
  if (complete()) return;
  const auto forbid = [logits](std::span<const int32_t> tokens) {
    for (const int32_t token : tokens) {
      if (static_cast<size_t>(token) < logits.size()) {
        logits[static_cast<size_t>(token)] = -INFINITY;
      }
    }
  };
  const bool too_early = count_ < min_tokens_;
  if (too_early || ignore_end_) forbid(table_->ends());
  if (too_early) forbid(stop_tokens_);
}

void ChoiceSampler::NoteLogprobs(std::span<const float> logits) {
  raw_.assign(logits.begin(), logits.end());
  weights_.resize(logits.size());
  const float largest = LargestFinite(logits);
  if (largest == -INFINITY) return;
  log_sum_ = static_cast<double>(largest) + std::log(ExpInto(logits, largest, 1, weights_));
}

SampledToken ChoiceSampler::Describe(int32_t token) const {
  SampledToken described{.id = token, .bytes = table_->bytes(token)};
  if (!logprobs_) return described;
  const auto log_of = [this](float logit) {
    return static_cast<float>(static_cast<double>(logit) - log_sum_);
  };
  described.logprob = log_of(raw_[static_cast<size_t>(token)]);
  for (const Candidate& best : BestTokens(raw_, static_cast<size_t>(*logprobs_))) {
    described.top.push_back({best.token, table_->bytes(best.token), log_of(best.logit)});
  }
  return described;
}

absl::Status ChoiceSampler::WhyNothing(std::span<const float> logits, bool any_before) const {
  if (any_before && LargestFinite(logits) == -INFINITY) {
    return absl::FailedPreconditionError(
        "format: no token of the vocabulary continues within the format and references asked for");
  }
  return absl::DataLossError("model: every logit is NaN or infinite");
}

std::optional<SampledToken> ChoiceSampler::Next(std::span<float> logits) {
  if (logprobs_) NoteLogprobs(logits);
  rules_.ApplyInto(logits);
  const bool any = LargestFinite(logits) != -INFINITY;
  HoldBackEnds(logits);
  for (const auto& constraint : constraints_) constraint->MaskInto(logits);
  const std::optional<int32_t> token = sampler_.Sample(logits, static_cast<uint64_t>(count_));
  if (!token) {
    failure_ = WhyNothing(logits, any);
    return std::nullopt;
  }
  ++count_;
  rules_.Accept(*token);
  ended_ = IsEnd(*token);
  if (!ended_) {
    for (const auto& constraint : constraints_) constraint->Accept(*token);
  }
  return Describe(*token);
}

}  // namespace emptor::engine
