// WordPiece, as BERT and the encoders after it do it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/text_pipeline.h"
#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// Words by the vocabulary's TextRules, each cut from the left into the longest tokens that fit; a
/// word that cannot be cut, or of too many characters, is one unknown token.
/// Cost: linear in the text, times the length of the longest token at worst.
/// Source: Schuster and Nakajima 2012, "Japanese and Korean voice search"; Devlin et al. 2018.
class WordPieceTokenizer final : public Tokenizer {
 public:
  /// Errors: kInvalidArgument (no unknown token, prefix or text rules; a broken normalizer).
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> Create(Vocabulary vocabulary);

  void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const override;

 private:
  WordPieceTokenizer(Vocabulary vocabulary, TextPipeline pipeline);
  void EncodeWord(std::string_view word, std::vector<TokenId>& tokens) const;
  bool IsTooLong(std::string_view word) const;

  const TextPipeline pipeline_;
  const WordSplit split_;
  TokenTrie begins_, continues_;  // texts without the prefix
};

}  // namespace emptor::engine
