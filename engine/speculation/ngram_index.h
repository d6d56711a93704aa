// Where the end of a text occurred before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace emptor::engine {

/// Finds an earlier occurrence of the last tokens of a growing text: the latest one of its last
/// four, three or two tokens, and from then on the same place for as long as the text goes on as it
/// did there. Keeps positions, not tokens, in a table without chains: of two places with one slot
/// the later one stays, so that a match may be missed, but no other one is found.
/// Cost: three stores for each token of the text; a look-up reads three slots. 32 to 64 bytes a
/// token. Thread-safety: one user at a time.
/// Source of the idea: Saxena 2023, prompt look-up decoding; the table is that of LZ4 (Collet).
class NgramIndex {
 public:
  static constexpr int kMinTokens = 2;   // of a match
  static constexpr int kMaxTokens = 4;   // that are hashed; longer matches are found by these
  static constexpr int kMaxLength = 32;  // to which a match is measured

  struct Match {
    int length = 0;   // tokens that are the same, 2 to kMaxLength; 0: no match
    size_t next = 0;  // the position after the earlier occurrence
  };

  /// The match of the text's end. REQUIRES: the tokens begin with those of the last call.
  Match Find(std::span<const int32_t> tokens);

 private:
  void Insert(std::span<const int32_t> tokens);
  Match Continued(std::span<const int32_t> tokens) const;
  Match LookUp(std::span<const int32_t> tokens) const;
  /// The slot of the `count` tokens before position `end`.
  size_t Slot(std::span<const int32_t> tokens, size_t end, int count) const;

  std::vector<uint32_t> ends_;  // by hash of a few tokens: the position after them; 0: empty
  int shift_ = 0;               // of a hash, to its slot
  size_t inserted_ = 0;         // tokens whose n-grams are in ends_
  size_t seen_ = 0;             // tokens of the last call
  Match last_;
};

}  // namespace emptor::engine
