// What the tokenizers share.
#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
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

Tokenizer::Tokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  for (TokenId id = 0; id < vocabulary_.size(); ++id) {
    const TokenType type = vocabulary_.type(id);
    const bool control = type == TokenType::kControl || type == TokenType::kUnknown;
    const std::string& text = type == TokenType::kUserDefined
                                  ? vocabulary_.Bytes(id)
                                  : vocabulary_.spec().tokens[static_cast<size_t>(id)];
    if (text.empty() || (!control && type != TokenType::kUserDefined)) continue;
    specials_.Insert(text, id);
    special_starts_[static_cast<uint8_t>(text.front())] = true;
  }
}

Tokenizer::Special Tokenizer::LongestSpecial(std::string_view text, size_t begin,
                                             size_t markup_end) const {
  Special longest;
  int32_t node = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    node = specials_.Child(node, static_cast<uint8_t>(text[i]));
    if (node == TokenTrie::kNone) break;
    const TokenId token = specials_.Token(node);
    if (token == TokenTrie::kNone) continue;
    if (i < markup_end || vocabulary_.type(token) == TokenType::kUserDefined) {
      longest = {i + 1 - begin, token};
    }
  }
  return longest;
}

void Tokenizer::EncodeMarkupInto(const jinja::Text& text, std::vector<TokenId>& tokens) const {
  const std::string_view bytes = text.bytes();
  size_t done = 0;  // what lies before is encoded
  const auto encode_until = [&](size_t end) {
    if (end > done) EncodeInto(bytes.substr(done, end - done), tokens);
  };
  size_t at = 0;
  for (const jinja::Text::Run& run : text.runs()) {
    const size_t markup_end = run.origin == jinja::Origin::kMarkup ? run.end : 0;
    while (at < run.end) {
      const bool may_start = special_starts_[static_cast<uint8_t>(bytes[at])];
      const Special special = may_start ? LongestSpecial(bytes, at, markup_end) : Special{};
      if (special.length > 0 && vocabulary_.type(special.token) != TokenType::kUserDefined) {
        encode_until(at);
        tokens.push_back(special.token);
        done = at + special.length;
      }
      // User-defined tokens are stepped over: EncodeInto finds them in the text.
      at += std::max<size_t>(special.length, 1);
    }
  }
  encode_until(bytes.size());
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
  return spec.eos == id || spec.eot == id ||
         std::find(spec.more_ends.begin(), spec.more_ends.end(), id) != spec.more_ends.end();
}

}  // namespace emptor::engine
