// A tokenizer of the 256 bytes and an end token.
#pragma once

#include <memory>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::testing {

inline std::unique_ptr<const engine::Tokenizer> ByteTokenizer() {
  engine::VocabularySpec spec;
  for (int byte = 0; byte < 256; ++byte) {
    spec.tokens.push_back(engine::ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte)));
    spec.types.push_back(engine::TokenType::kNormal);
  }
  spec.tokens.emplace_back("<|im_end|>");
  spec.types.push_back(engine::TokenType::kControl);
  spec.eos = 256;
  return std::move(*engine::Tokenizer::Create(std::move(spec)));
}

}  // namespace emptor::testing
