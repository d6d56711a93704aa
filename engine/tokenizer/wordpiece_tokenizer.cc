// Longest match from the left, over two tries.
#include "engine/tokenizer/wordpiece_tokenizer.h"

#include <string>
#include <utility>

#include "engine/tokenizer/unicode_class.h"

namespace emptor::engine {

absl::StatusOr<std::unique_ptr<const Tokenizer>> WordPieceTokenizer::Create(Vocabulary words) {
  const VocabularySpec& spec = words.spec();
  if (!spec.unknown) return absl::InvalidArgumentError("WordPiece: no unknown token");
  if (spec.continuing_prefix.empty() || spec.max_word_characters < 1 || !spec.text_rules) {
    return absl::InvalidArgumentError(
        "WordPiece: expected a continuing prefix, words of at least one character and text rules");
  }
  absl::StatusOr<TextPipeline> pipeline = TextPipeline::Create(words);
  if (!pipeline.ok()) return pipeline.status();
  return std::unique_ptr<const Tokenizer>(
      new WordPieceTokenizer(std::move(words), std::move(*pipeline)));
}

WordPieceTokenizer::WordPieceTokenizer(Vocabulary words, TextPipeline pipeline)
    : Tokenizer(std::move(words)),
      pipeline_(std::move(pipeline)),
      split_(vocabulary().spec().text_rules->words) {
  const VocabularySpec& spec = vocabulary().spec();
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    const std::string_view text = spec.tokens[static_cast<size_t>(id)];
    if (vocabulary().type(id) != TokenType::kNormal || text.empty()) continue;
    begins_.Insert(text, id);
    if (text.starts_with(spec.continuing_prefix) && text.size() > spec.continuing_prefix.size()) {
      continues_.Insert(text.substr(spec.continuing_prefix.size()), id);
    }
  }
}

void WordPieceTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  const auto on_text = [&](std::string_view stretch, bool) {
    ForEachSplitWord(split_, stretch, [&](std::string_view word) { EncodeWord(word, tokens); });
  };
  pipeline_.ForEachStretch(text, on_text, [&](TokenId token) { tokens.push_back(token); });
}

bool WordPieceTokenizer::IsTooLong(std::string_view word) const {
  const auto most = static_cast<size_t>(vocabulary().spec().max_word_characters);
  if (word.size() <= most) return false;
  size_t characters = 0;
  for (size_t at = 0; at < word.size(); ++characters) at += CodePointAt(word, at).bytes;
  return characters > most;
}

void WordPieceTokenizer::EncodeWord(std::string_view word, std::vector<TokenId>& tokens) const {
  const size_t begin = tokens.size();
  bool known = !IsTooLong(word);
  for (size_t at = 0; known && at < word.size();) {
    const TokenTrie& trie = at == 0 ? begins_ : continues_;
    TokenId longest = TokenTrie::kNone;
    size_t end = at;
    int32_t node = 0;
    for (size_t i = at; i < word.size(); ++i) {
      node = trie.Child(node, static_cast<uint8_t>(word[i]));
      if (node == TokenTrie::kNone) break;
      const TokenId token = trie.Token(node);
      if (token == TokenTrie::kNone) continue;
      longest = token;
      end = i + 1;
    }
    known = longest != TokenTrie::kNone;
    if (known) tokens.push_back(longest);
    at = end;
  }
  if (known) return;
  tokens.resize(begin);
  tokens.push_back(*vocabulary().spec().unknown);
}

}  // namespace emptor::engine
