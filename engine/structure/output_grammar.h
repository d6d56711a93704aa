// A compiled output format over one vocabulary: which tokens may come next, from each position.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/structure/pushdown.h"
#include "engine/structure/token_mask.h"
#include "engine/structure/vocabulary_trie.h"

namespace emptor::engine {

/// Masks are computed when a position is first met and kept, for all requests of the format. Most
/// of a mask depends on the top of the stack alone, as in XGrammar (Dong et al. 2024,
/// arXiv:2411.15100): only tokens that continue beyond the end of a rule need the whole stack.
/// Tokens without bytes are never allowed. Thread-safety: all methods, from any thread.
class OutputGrammar {
 public:
  using Position = Pushdown::Position;

  OutputGrammar(std::shared_ptr<const VocabularyTrie> trie, Pushdown pushdown);

  Position Start() const;
  /// Sets the logits of tokens that may not come next to -infinity. `ends`, tokens without bytes,
  /// are allowed where the text may end.
  void MaskInto(const Position& position, std::span<const int32_t> ends,
                std::span<float> logits) const;
  /// Whether the token may come next; the position is behind it then, and of no use otherwise.
  bool Accept(Position& position, int32_t token) const;
  /// Whether the text is whole and nothing can be added.
  bool complete(const Position& position) const;
  /// Whether the text may end here.
  bool accepts(const Position& position) const;

 private:
  /// What the top of a stack says of the vocabulary.
  struct LocalMask {
    TokenMask mask;
    std::vector<int32_t> open;  // neither allowed nor forbidden: the stack decides
    int reach = 0;              // how deep any of its tokens goes
  };
  /// Local, and the stack that decided: empty for the whole mask, where the stack does not matter.
  using Key = std::pair<int32_t, std::vector<NfaStateId>>;

  std::shared_ptr<const LocalMask> FindLocalMask(const Position& position) const;
  LocalMask WalkTrie(const Position& position, bool exactly) const;
  std::vector<int32_t> FindOpen(const Position& position, const LocalMask& local) const;

  std::shared_ptr<const VocabularyTrie> trie_;
  mutable std::mutex mutex_;
  mutable Pushdown pushdown_;                                            // guarded by mutex_
  mutable std::map<Key, std::shared_ptr<const LocalMask>> local_masks_;  // guarded by mutex_
  mutable std::map<Key, std::vector<int32_t>> decided_;                  // guarded by mutex_
  mutable size_t mask_bytes_ = 0;                                        // guarded by mutex_
};

}  // namespace emptor::engine
