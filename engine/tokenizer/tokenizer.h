// Text to token ids and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
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

  /// EncodeInto, with the beginning token in front where the model wants one.
  std::vector<TokenId> EncodePrompt(std::string_view text) const;

  /// The text of a whole sequence; bytes that are not UTF-8 become U+FFFD. Ids outside of the
  /// vocabulary give nothing.
  std::string Decode(const std::vector<TokenId>& tokens) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  bool IsEnd(TokenId id) const;

 protected:
  explicit Tokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}

 private:
  Vocabulary vocabulary_;
};

}  // namespace emptor::engine
