// Small helpers of the engine's tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/tokenizer.h"

namespace emptor::testing {

inline std::vector<engine::TokenId> Encode(const engine::Tokenizer& tokenizer,
                                           std::string_view text) {
  std::vector<engine::TokenId> tokens;
  tokenizer.EncodeInto(text, tokens);
  return tokens;
}

inline std::span<const std::byte> AsBytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Bytes at an address aligned for any tensor, as a file read into memory is.
class AlignedCopy {
 public:
  explicit AlignedCopy(const std::string& text) : words_(text.size() / 8 + 1), size_(text.size()) {
    text.copy(reinterpret_cast<char*>(words_.data()), text.size());
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)).first(size_); }

 private:
  std::vector<uint64_t> words_;
  size_t size_;
};

}  // namespace emptor::testing
