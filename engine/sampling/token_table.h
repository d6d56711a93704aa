// What each token adds to the text, indexed for decoding under constraints.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emptor::engine {

/// Built once for a vocabulary. Thread-safety: immutable.
class TokenTable {
 public:
  /// `bytes` by token id; empty for tokens that add no text (control tokens). `ends` are those that
  /// end an answer.
  explicit TokenTable(std::vector<std::string> bytes, std::vector<int32_t> ends = {});

  int size() const { return static_cast<int>(bytes_.size()); }
  const std::string& bytes(int32_t token) const { return bytes_[static_cast<size_t>(token)]; }
  std::span<const int32_t> ends() const { return ends_; }
  /// Ascending ids.
  std::span<const int32_t> beginning_with(unsigned char byte) const { return by_first_[byte]; }
  /// Tokens with a `[` anywhere in them, ascending.
  std::span<const int32_t> with_bracket() const { return with_bracket_; }

 private:
  std::vector<std::string> bytes_;
  std::vector<int32_t> ends_;
  std::array<std::vector<int32_t>, 256> by_first_;
  std::vector<int32_t> with_bracket_;
};

}  // namespace emptor::engine
