// Drafts from a smaller model of the same vocabulary.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/kv/block_pool.h"
#include "engine/model/model.h"
#include "engine/speculation/drafter.h"

namespace emptor::engine {

struct DraftModelOptions {
  int blocks = 0;                // of the model's KV memory
  int block_tokens = 16;         // tokens in a block
  int max_step_tokens = 512;     // that the model computes in one step, more than 8
  int max_prefill_tokens = 512;  // of texts that one call of Prefill reads, at most max_step_tokens
  /// Maximum time of a call of Prefill at the measured speed; 32 tokens are always read. 0: off.
  double max_prefill_seconds = 0;
  std::function<std::chrono::steady_clock::time_point()> clock = [] {
    return std::chrono::steady_clock::now();
  };
};

/// Proposes the tokens that a smaller model would choose greedily. It computes all sequences
/// together, one token of each at a time, and keeps keys and values of its own. Texts that it does
/// not know are read in pieces; until the end of that, beyond the model's context, and when its KV
/// memory is full, there is no draft. Memory of sequences that do not draft goes to those that do.
/// Thread-safety: engine thread only.
class DraftModel final : public Drafter {
 public:
  DraftModel(std::unique_ptr<Model> model, const DraftModelOptions& options);

  std::optional<int> Classify(uint64_t sequence, std::span<const int32_t> tokens) override;
  /// Reads unknown texts of all requests together, in their order.
  void Prefill(std::span<const DraftRequest> requests) override;
  void DraftInto(std::span<DraftRequest> requests) override;
  void Forget(uint64_t sequence) override { texts_.erase(sequence); }
  bool is_free() const override { return false; }

  int free_blocks() const { return pool_.free_count(); }

 private:
  /// What is computed of a sequence: tokens of its text, then drafts.
  struct Text {
    size_t known = 0;             // tokens of the text
    std::vector<int32_t> drafts;  // that the model of all tokens has not confirmed yet
    BlockTable blocks;
    uint64_t turn = 0;  // the latest call of Prefill that asked for it

    size_t computed() const { return known + drafts.size(); }
  };
  /// A request whose tokens and drafts so far are being computed.
  struct Writer {
    DraftRequest* request;
    Text* text;
    size_t count;                  // of drafts
    std::vector<int32_t> pending;  // to compute next
  };

  /// Keeps the computed prefix that agrees with `tokens`, without the newest token.
  void CutBack(Text& text, std::span<const int32_t> tokens);
  /// Blocks that are free, or of texts that the latest call of Prefill did not ask for.
  int AvailableBlocks() const;
  /// Blocks for so many tokens; false, and nothing changes, when not enough are available. Where
  /// too few are free, the texts that were asked for longest ago lose theirs.
  bool Reserve(Text& text, size_t tokens);
  size_t ReserveDrafts(Text& text, const DraftRequest& request);
  size_t PrefillBudget() const;
  /// One step of all writers; each gets its next draft token.
  void Advance(std::span<Writer> writers);
  void ComputeLogits(std::span<const Writer> writers);

  std::unique_ptr<Model> model_;
  DraftModelOptions options_;
  BlockPool pool_;
  std::unordered_map<uint64_t, Text> texts_;  // within the pool's life
  uint64_t turn_ = 0;
  double prefill_rate_ = 0;    // tokens per second; 0: not measured
  std::vector<float> logits_;  // never shrinks: growing clears the memory
};

}  // namespace emptor::engine
