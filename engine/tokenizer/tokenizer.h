// Text to token ids and back.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/jinja/text.h"
#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Port: BpeTokenizer, SentencePieceTokenizer, UnigramTokenizer, WordPieceTokenizer.
/// Text is data: control tokens (`<|im_end|>`, `</s>`) in it are encoded as plain characters.
/// Thread-safety: immutable.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  /// The tokenizer that the vocabulary calls for. Errors: kInvalidArgument (broken vocabulary).
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> Create(VocabularySpec spec);

  /// Appends the tokens of a piece of text; no beginning or end tokens. Any bytes are allowed;
  /// those that are not UTF-8 are encoded byte by byte where the vocabulary has the bytes.
  virtual void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const = 0;

  /// Appends the tokens of a chat that a template laid out: control tokens are recognised where all
  /// of their text is the template's own, everything between them is EncodeInto's. So the tokens
  /// are those of the whole text with its special tokens, unless a message holds the text of one.
  void EncodeMarkupInto(const jinja::Text& text, std::vector<TokenId>& tokens) const;

  /// EncodeInto, with the beginning token in front where the model wants one.
  std::vector<TokenId> EncodePrompt(std::string_view text) const;

  /// The text of a whole sequence; bytes that are not UTF-8 become U+FFFD. Ids outside of the
  /// vocabulary give nothing.
  std::string Decode(const std::vector<TokenId>& tokens) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  bool IsEnd(TokenId id) const;

 protected:
  explicit Tokenizer(Vocabulary vocabulary);

 private:
  /// A token at `begin`: a control token within [begin, markup_end), or a user-defined one.
  struct Special {
    size_t length = 0;  // 0: none
    TokenId token = -1;
  };
  Special LongestSpecial(std::string_view text, size_t begin, size_t markup_end) const;

  Vocabulary vocabulary_;
  TokenTrie specials_;                         // control and user-defined tokens
  std::array<bool, 256> special_starts_ = {};  // by first byte
};

}  // namespace emptor::engine
