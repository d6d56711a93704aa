// A model that says what it is told: the stand-in behind engine/model/model.h.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/model.h"

namespace emptor::testing {

/// After the tokens [.., t] at position p the next token is script(t, p). Remembers every step, and
/// holds the engine to the port's contract: each position of a sequence lies in one block of its
/// own, and its predecessors were computed into the same blocks.
class ScriptedModel final : public engine::Model {
 public:
  struct Step {
    std::vector<int> tokens;  // per sequence, how many were computed
  };
  using Script = std::function<int32_t(int32_t token, int position)>;

  ScriptedModel(int vocabulary, int context, int blocks, int block_tokens, Script script)
      : vocabulary_(vocabulary),
        context_(context),
        block_tokens_(block_tokens),
        memory_(static_cast<size_t>(blocks * block_tokens)),
        script_(std::move(script)) {}

  int vocabulary_size() const override { return vocabulary_; }
  int context_length() const override { return context_; }

  void ComputeInto(std::span<const engine::SequenceStep> steps, std::span<float> logits) override {
    Step record;
    size_t row = 0;
    for (const engine::SequenceStep& step : steps) {
      record.tokens.push_back(static_cast<int>(step.tokens.size()));
      int position = step.position;
      const int end = position + static_cast<int>(step.tokens.size());
      for (const int32_t token : step.tokens) {
        At(step, position) = {token, position + 1};
        ++position;
        if (position + step.logit_rows <= end) continue;
        const std::span<float> out = logits.subspan(row++ * static_cast<size_t>(vocabulary_),
                                                    static_cast<size_t>(vocabulary_));
        std::fill(out.begin(), out.end(), 0.0f);
        // A place that another sequence wrote to, or that was never computed, breaks the chain.
        for (int p = 0; p < position; ++p) broken_ |= At(step, p).second != p + 1;
        out[static_cast<size_t>(script_(token, position - 1))] = 1;
      }
    }
    steps_.push_back(std::move(record));
    if (after_step_) after_step_(static_cast<int>(steps_.size()));
  }

  void CopyBlock(engine::BlockId from, engine::BlockId to) override {
    const auto size = static_cast<size_t>(block_tokens_);
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(from) * size),
                size,
                memory_.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(to) * size));
    ++copies_;
  }

  /// Called at the end of each step, with its number from 1.
  void set_after_step(std::function<void(int)> hook) { after_step_ = std::move(hook); }
  const std::vector<Step>& steps() const { return steps_; }
  int copies() const { return copies_; }
  bool broken() const { return broken_; }

 private:
  std::pair<int32_t, int>& At(const engine::SequenceStep& step, int position) {
    const auto block =
        static_cast<size_t>(step.blocks[static_cast<size_t>(position / block_tokens_)]);
    return memory_[block * static_cast<size_t>(block_tokens_) +
                   static_cast<size_t>(position % block_tokens_)];
  }

  int vocabulary_, context_, block_tokens_;
  std::vector<std::pair<int32_t, int>> memory_;  // per place: token, position + 1
  Script script_;
  std::vector<Step> steps_;
  std::function<void(int)> after_step_;
  int copies_ = 0;
  bool broken_ = false;
};

}  // namespace emptor::testing
