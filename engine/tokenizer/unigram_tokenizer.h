// SentencePiece's unigram language model, as T5 and its kin do it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/sentencepiece_normalizer.h"
#include "engine/tokenizer/text_pipeline.h"
#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/user_token_matcher.h"

namespace emptor::engine {

/// The segmentation of the normalised text whose tokens' scores sum to the most, found by Viterbi's
/// algorithm over the characters. A character that no token covers costs 10 more than the worst
/// token and becomes byte tokens, or the unknown token, once for a run of them.
/// Cost: linear in the text, times the length of the longest token.
/// Source: Kudo 2018, arXiv:1804.10959.
class UnigramTokenizer final : public Tokenizer {
 public:
  /// Errors: as SentencePieceNormalizer::Create.
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> Create(Vocabulary vocabulary);

  void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const override;

 private:
  /// How a prefix of the text is best cut: its last token, and where that begins.
  struct Place {
    double score;
    TokenId token;  // kUnknown: a character without a token
    size_t begin;   // kUnreached: no segmentation ends here
  };

  UnigramTokenizer(Vocabulary vocabulary, TextPipeline pipeline,
                   SentencePieceNormalizer normalizer);
  void EncodeNormal(std::string_view normal, std::vector<TokenId>& tokens) const;
  std::vector<Place> FindBest(std::string_view text) const;
  void EmitUnknown(std::string_view text, std::vector<TokenId>& tokens) const;

  const TextPipeline pipeline_;
  const SentencePieceNormalizer normalizer_;  // where the vocabulary has no TextRules
  UserTokenMatcher user_tokens_;
  TokenTrie trie_;  // normal and user-defined tokens
  std::vector<double> scores_;
  double unknown_score_ = 0;
  const bool single_precision_;  // sums rounded as SentencePiece has them, which settles ties
};

}  // namespace emptor::engine
