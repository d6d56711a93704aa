// SentencePiece's precompiled map of character rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// A double-array trie of source texts (Aoe 1989; layout of Darts-clone: 4-byte units, length in
/// front) followed by the replacements, each ended by a zero byte. Its bytes come from an
/// untrusted file: every step is checked against its size. Thread-safety: immutable.
class Charsmap {
 public:
  /// A source text at the front of a text and what takes its place.
  struct Match {
    size_t consumed;
    std::string_view replacement;
  };

  /// An empty map, which matches nothing.
  Charsmap() = default;
  /// Errors: kInvalidArgument, `trie: ...` (lengths that do not hold together, a
  /// replacement of more than 1000 bytes: those of Unicode have 33).
  static absl::StatusOr<Charsmap> Create(std::string_view bytes);

  bool empty() const { return trie_.empty(); }
  /// Bytes; at most 1000.
  size_t longest_replacement() const { return longest_replacement_; }
  std::optional<Match> FindLongest(std::string_view text) const { return Find(text, false); }
  std::optional<Match> FindShortest(std::string_view text) const { return Find(text, true); }

 private:
  std::optional<Match> Find(std::string_view text, bool shortest) const;

  std::vector<uint32_t> trie_;
  std::string replacements_;  // ends with a zero byte
  size_t longest_replacement_ = 0;
};

}  // namespace emptor::engine
