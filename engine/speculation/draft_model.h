// Drafts from a smaller model of the same vocabulary.
#pragma once

#include <cstdint>
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
  int blocks = 0;             // of the model's KV memory
  int block_tokens = 16;      // tokens in a block
  int max_step_tokens = 512;  // that the model computes in one step
};

/// Proposes the tokens that a smaller model would choose greedily. It computes all sequences
/// together, one token of each at a time, and keeps keys and values of its own. A long text that it
/// does not know is computed in pieces of at most `max_step_tokens`, one at each call; until the
/// end of that, beyond the model's context, and when its KV memory is full, there is no draft.
/// Thread-safety: engine thread only.
class DraftModel final : public Drafter {
 public:
  DraftModel(std::unique_ptr<Model> model, const DraftModelOptions& options);

  std::optional<int> Classify(uint64_t sequence, std::span<const int32_t> tokens) override;
  void DraftInto(std::span<DraftRequest> requests) override;
  void Forget(uint64_t sequence) override { texts_.erase(sequence); }
  bool is_free() const override { return false; }

  int free_blocks() const { return pool_.free_count(); }

 private:
  struct Text {
    std::vector<int32_t> computed;  // tokens whose keys and values are in the blocks
    BlockTable blocks;
  };
  /// A request whose tokens and drafts so far are being computed.
  struct Writer {
    DraftRequest* request;
    Text* text;
    std::vector<int32_t> pending;  // to compute next
  };

  /// Leaves of the text what the tokens begin with.
  void CutBack(Text& text, std::span<const int32_t> tokens);
  /// Blocks for so many tokens; false when there are not enough.
  bool Reserve(Text& text, size_t tokens);
  /// One step of all writers; each gets its next draft token.
  void Advance(std::span<Writer> writers);

  std::unique_ptr<Model> model_;
  DraftModelOptions options_;
  BlockPool pool_;
  std::unordered_map<uint64_t, Text> texts_;  // within the pool's life
  std::vector<float> logits_;
};

}  // namespace emptor::engine
