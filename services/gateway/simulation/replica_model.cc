// Steps: admit, spread the chunk over prompts in their order, give the rest a token each.
#include "services/gateway/simulation/replica_model.h"

#include <algorithm>

namespace emptor::services {

void ReplicaModel::Add(uint64_t attempt, int prompt_tokens, int output_tokens,
                       std::span<const uint64_t> blocks, double block_tokens) {
  const double cached = block_tokens * static_cast<double>(cache_.Match(0, blocks));
  cache_.Add(0, blocks);
  // The last token of a prompt is computed always: it gives the first of the answer.
  const double left = std::max(1.0, prompt_tokens - cached);
  computed_ += static_cast<uint64_t>(left);
  waiting_.push_back({.attempt = attempt, .prefill_left = left, .output_left = output_tokens});
}

void ReplicaModel::Remove(uint64_t attempt) {
  const auto is_it = [attempt](const Sequence& one) { return one.attempt == attempt; };
  std::erase_if(waiting_, is_it);
  std::erase_if(running_, is_it);
}

void ReplicaModel::Clear() {
  waiting_.clear();
  running_.clear();
  cache_.Forget(0);
}

bool ReplicaModel::Holds(uint64_t attempt) const {
  const auto is_it = [attempt](const Sequence& one) { return one.attempt == attempt; };
  return std::any_of(waiting_.begin(), waiting_.end(), is_it) ||
         std::any_of(running_.begin(), running_.end(), is_it);
}

double ReplicaModel::PlanStep() {
  while (!waiting_.empty() && running_.size() < speed_.max_running) {
    running_.push_back(waiting_.front());
    waiting_.pop_front();
  }
  double chunk = speed_.chunk_tokens;
  double prefill = 0;
  for (Sequence& one : running_) {
    one.in_step = true;
    one.planned = std::min(chunk, one.prefill_left);
    chunk -= one.planned;
    prefill += one.planned;
  }
  return (speed_.step_seconds + prefill * speed_.prefill_seconds +
          static_cast<double>(running_.size()) * speed_.sequence_seconds) /
         speed_.factor;
}

ReplicaStep ReplicaModel::FinishStep() {
  ReplicaStep step;
  for (Sequence& one : running_) {
    if (!one.in_step) continue;
    one.prefill_left -= one.planned;
    if (one.prefill_left > 0) continue;
    step.tokens.push_back(one.attempt);
    ++produced_;
    if (--one.output_left <= 0) step.ended.push_back(one.attempt);
  }
  std::erase_if(running_, [](const Sequence& one) {
    return one.in_step && one.prefill_left <= 0 && one.output_left <= 0;
  });
  return step;
}

}  // namespace emptor::services
