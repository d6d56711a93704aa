// A model whose next token depends on every token before it, as it finds them in KV memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/model/model.h"
#include "engine/sampling/rng.h"

namespace emptor::testing {

/// Keeps at each place of KV memory a hash of the tokens up to it, made from what lies at the place
/// before; the logits come from all places of the sequence. A block that is not the sequence's own,
/// or was never computed, changes the answer. Chooses among a few letters, and now and then the end
/// token, which is the last of the vocabulary.
class ChainModel final : public engine::Model {
 public:
  ChainModel(int vocabulary, int context, int blocks, int block_tokens)
      : vocabulary_(vocabulary),
        context_(context),
        block_tokens_(block_tokens),
        memory_(static_cast<size_t>(blocks * block_tokens)) {}

  int vocabulary_size() const override { return vocabulary_; }
  int context_length() const override { return context_; }

  void ComputeInto(std::span<const engine::SequenceStep> steps, std::span<float> logits) override {
    int tokens = 0;
    for (const engine::SequenceStep& step : steps) {
      int position = step.position;
      const int end = position + static_cast<int>(step.tokens.size());
      for (const int32_t token : step.tokens) {
        const uint64_t before = position == 0 ? 0 : At(step, position - 1);
        At(step, position++) = engine::RandomBits(before, static_cast<uint64_t>(token));
        if (position + step.logit_rows <= end) continue;
        uint64_t all = 0;
        for (int p = 0; p < position; ++p) all += At(step, p) * static_cast<uint64_t>(2 * p + 1);
        WriteLogits(all, logits.first(static_cast<size_t>(vocabulary_)));
        logits = logits.subspan(static_cast<size_t>(vocabulary_));
      }
      tokens += static_cast<int>(step.tokens.size());
    }
    if (after_step_) after_step_(tokens);
  }

  void CopyBlock(engine::BlockId from, engine::BlockId to) override {
    const auto size = static_cast<size_t>(block_tokens_);
    std::copy_n(&memory_[static_cast<size_t>(from) * size], size,
                &memory_[static_cast<size_t>(to) * size]);
    ++copies_;
  }

  /// Called at the end of each step with the number of its tokens.
  void set_after_step(std::function<void(int)> hook) { after_step_ = std::move(hook); }
  int copies() const { return copies_; }

 private:
  void WriteLogits(uint64_t hash, std::span<float> out) const {
    std::fill(out.begin(), out.end(), -INFINITY);
    for (uint64_t i = 0; i < 4; ++i) {
      const uint64_t bits = engine::RandomBits(hash, i);
      out['a' + bits % 26] = static_cast<float>(bits >> 32 & 7) / 4.0f;
    }
    if (engine::RandomBits(hash, 9) % 24 == 0) out.back() = 3;
  }
  uint64_t& At(const engine::SequenceStep& step, int position) {
    const auto block =
        static_cast<size_t>(step.blocks[static_cast<size_t>(position / block_tokens_)]);
    return memory_[block * static_cast<size_t>(block_tokens_) +
                   static_cast<size_t>(position % block_tokens_)];
  }

  int vocabulary_, context_, block_tokens_;
  std::vector<uint64_t> memory_;
  std::function<void(int)> after_step_;
  int copies_ = 0;
};

}  // namespace emptor::testing
