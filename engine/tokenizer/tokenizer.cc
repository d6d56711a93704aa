// What the tokenizers share.
#include "engine/tokenizer/tokenizer.h"

#include <utility>

#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/sentencepiece_tokenizer.h"
#include "engine/tokenizer/unigram_tokenizer.h"
#include "engine/tokenizer/wordpiece_tokenizer.h"

namespace emptor::engine {

absl::StatusOr<std::unique_ptr<const Tokenizer>> Tokenizer::Create(VocabularySpec spec) {
  const TokenizerKind kind = spec.kind;
  absl::StatusOr<Vocabulary> vocabulary = Vocabulary::Create(std::move(spec));
  if (!vocabulary.ok()) return vocabulary.status();
  if (kind == TokenizerKind::kByteLevelBpe) return BpeTokenizer::Create(std::move(*vocabulary));
  if (kind == TokenizerKind::kUnigram) return UnigramTokenizer::Create(std::move(*vocabulary));
  if (kind == TokenizerKind::kWordPiece) return WordPieceTokenizer::Create(std::move(*vocabulary));
  return SentencePieceTokenizer::Create(std::move(*vocabulary));
}

std::vector<TokenId> Tokenizer::EncodePrompt(std::string_view text) const {
  std::vector<TokenId> tokens;
  const VocabularySpec& spec = vocabulary_.spec();
  if (spec.add_bos) tokens.push_back(*spec.bos);
  EncodeInto(text, tokens);
  return tokens;
}

std::string Tokenizer::Decode(const std::vector<TokenId>& tokens) const {
  Detokenizer detokenizer(vocabulary_);
  std::string text;
  for (const TokenId token : tokens) text += detokenizer.Append(token);
  text += detokenizer.Flush();
  const VocabularySpec& spec = vocabulary_.spec();
  const bool added_blank = spec.kind == TokenizerKind::kWordPiece ||
                           (vocabulary_.marks_blanks() && spec.add_space_prefix);
  if (added_blank && text.starts_with(' ')) text.erase(0, 1);
  return text;
}

bool Tokenizer::IsEnd(TokenId id) const {
  const VocabularySpec& spec = vocabulary_.spec();
  return spec.eos == id || spec.eot == id;
}

}  // namespace emptor::engine
