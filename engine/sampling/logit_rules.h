// Logit bias and penalties, applied before a token is drawn.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emptor::engine {

struct LogitRuleOptions {
  std::vector<std::pair<int32_t, float>> bias;  // token, added to its logit
  float repetition_penalty = 1;                 // 1: off
  float presence_penalty = 0;
  float frequency_penalty = 0;
};

/// Logit bias, then the repetition penalty (Keskar et al. 2019, arXiv:1909.05858: positive logits
/// are divided by it, others multiplied) of every token of prompt and answer, then presence and
/// frequency penalties of the answer's. Cost per token: the distinct tokens so far.
/// Thread-safety: one user at a time.
class LogitRules {
 public:
  /// Tokens outside of the row of logits are ignored.
  LogitRules(LogitRuleOptions options, std::span<const int32_t> prompt);

  void ApplyInto(std::span<float> logits) const;
  /// The token that was chosen.
  void Accept(int32_t token);

 private:
  struct Seen {
    int32_t token;
    int count;  // in the answer
  };
  Seen& Note(int32_t token);

  LogitRuleOptions options_;
  bool penalises_;
  std::vector<Seen> seen_;
  std::unordered_map<int32_t, size_t> places_;  // in seen_
};

}  // namespace emptor::engine
