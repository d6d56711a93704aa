// SentencePiece BPE, as Llama-2, Mistral and Phi-3 do it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/text_pipeline.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// Blanks become U+2581, one is put in front of the text; characters merge in the order of the
/// merged token's score, or of a list of merges; what is no token falls back to byte tokens, or is
/// the unknown token, once for a run. Text is cut before a blank
/// where no token reaches across, which leaves the result as it is and the words short.
/// Cost: n log n. Source: Kudo and Richardson 2018, arXiv:1808.06226.
class SentencePieceTokenizer final : public Tokenizer {
 public:
  /// Errors: kInvalidArgument: a merge whose parts or result are not tokens, a broken normalizer.
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> Create(Vocabulary words);

  void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const override;

 private:
  using Character = uint32_t;  // its UTF-8 bytes, the first lowest

  SentencePieceTokenizer(Vocabulary words, TextPipeline pipeline);
  void IndexCharacters();
  void IndexMerges();
  /// The token of the character, or a number above the vocabulary where it is only part of tokens,
  /// or -1 where it is in none.
  TokenId SymbolOf(Character character) const;
  std::optional<TokenId> PartOf(std::string_view text) const;
  void EncodePlain(std::string_view escaped, std::vector<TokenId>& tokens) const;
  /// What is being written: `after_unknown` when the last token is the unknown one of a run.
  struct Output {
    std::vector<TokenId>& tokens;
    bool after_unknown = false;
  };
  void EndWord(std::vector<TokenId>& symbols, Output& out) const;
  void EmitBytes(std::string_view character, Output& out) const;

  const TextPipeline pipeline_;
  bool has_merges_ = false;  // as a list, in place of scores
  std::array<TokenId, 128> ascii_{};
  std::unordered_map<Character, TokenId> symbols_;
  std::vector<std::string> parts_;              // characters that are no token, by symbol - size()
  std::unordered_set<Character> before_blank_;  // stand before a blank inside of some token
  MergeTable merges_;                           // ranks: order of scores
};

}  // namespace emptor::engine
