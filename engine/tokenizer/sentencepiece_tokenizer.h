// SentencePiece BPE, as Llama-2 and Mistral do it.
#pragma once

#include <string_view>
#include <vector>

#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/user_token_matcher.h"

namespace emptor::engine {

/// Blanks become U+2581, one is put in front of the text; characters merge in the order of the
/// merged token's score; what is no token falls back to byte tokens.
/// Cost: n log n. Source: Kudo and Richardson 2018, arXiv:1808.06226.
class SentencePieceTokenizer final : public Tokenizer {
 public:
  explicit SentencePieceTokenizer(Vocabulary words);

  void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const override;

 private:
  void EncodePlain(std::string_view escaped, std::vector<TokenId>& tokens) const;
  void EmitSymbol(std::string_view symbol, std::vector<TokenId>& tokens) const;

  UserTokenMatcher user_tokens_;
};

}  // namespace emptor::engine
