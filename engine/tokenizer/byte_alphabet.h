// GPT-2's printable alphabet: each byte is written as one Unicode character.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emptor::engine {

/// The printable bytes of Latin-1 stand for themselves; the other 68 are U+0100 and following.
/// Source: Radford et al. 2019, the encoder of GPT-2. Thread-safety: immutable.
class ByteAlphabet {
 public:
  static const ByteAlphabet& Get();

  /// The character of a byte, in UTF-8.
  const std::string& Encode(uint8_t byte) const { return characters_[byte]; }
  /// The bytes that a text over the alphabet stands for; nothing when it holds another character.
  std::optional<std::string> Decode(std::string_view text) const;

 private:
  ByteAlphabet();
  std::array<std::string, 256> characters_;
  std::array<int16_t, 0x144> bytes_;  // by code point, -1: not in the alphabet
};

}  // namespace emptor::engine
