// The distinct tokens so far, and what each of them costs.
#include "engine/sampling/logit_rules.h"

namespace emptor::engine {

LogitRules::LogitRules(LogitRuleOptions options, std::span<const int32_t> prompt)
    : options_(std::move(options)),
      penalises_(options_.repetition_penalty != 1 || options_.presence_penalty != 0 ||
                 options_.frequency_penalty != 0) {
  if (options_.repetition_penalty == 1) return;
  for (const int32_t token : prompt) Note(token);
}

LogitRules::Seen& LogitRules::Note(int32_t token) {
  const auto [place, is_new] = places_.try_emplace(token, seen_.size());
  if (is_new) seen_.push_back({token, 0});
  return seen_[place->second];
}

void LogitRules::Accept(int32_t token) {
  if (penalises_) ++Note(token).count;
}

void LogitRules::ApplyInto(std::span<float> logits) const {
  for (const auto& [token, bias] : options_.bias) {
    const auto i = static_cast<size_t>(token);
    if (i < logits.size()) logits[i] += bias;
  }
  for (const Seen& seen : seen_) {
    const auto i = static_cast<size_t>(seen.token);
    if (i >= logits.size()) continue;
    float& logit = logits[i];
    logit = logit > 0 ? logit / options_.repetition_penalty : logit * options_.repetition_penalty;
    if (seen.count > 0) {
      logit -=
          options_.presence_penalty + options_.frequency_penalty * static_cast<float>(seen.count);
    }
  }
}

}  // namespace emptor::engine
