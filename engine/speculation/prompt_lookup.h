// Drafts from the text itself: an answer that quotes its prompt goes on as the prompt does.
#pragma once

#include <memory>
#include <unordered_map>

#include "engine/speculation/drafter.h"
#include "engine/speculation/ngram_index.h"

namespace emptor::engine {

/// Proposes what followed an earlier occurrence of the last tokens, in the prompt or in the answer.
/// The class of a draft is that of the length of the match: 2, 3, to 5, to 8, to 15, longer.
class PromptLookup final : public Drafter {
 public:
  std::optional<int> Classify(uint64_t sequence, std::span<const int32_t> tokens) override;
  void Prefill(std::span<const DraftRequest>) override {}
  /// Where the earlier occurrence reaches the end of the text, the draft repeats the part between.
  void DraftInto(std::span<DraftRequest> requests) override;
  void Forget(uint64_t sequence) override { texts_.erase(sequence); }
  bool is_free() const override { return true; }

  /// Sequences that are known.
  int size() const { return static_cast<int>(texts_.size()); }

 private:
  struct Text {
    NgramIndex index;
    NgramIndex::Match match;
  };
  std::unordered_map<uint64_t, Text> texts_;
};

}  // namespace emptor::engine
