// SentencePiece's text normaliser: character rules, blanks, the blank in front.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/tokenizer/charsmap.h"
#include "engine/tokenizer/user_token_matcher.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// The rules that a SentencePiece model was trained with. Thread-safety: immutable.
class SentencePieceNormalizer {
 public:
  /// Errors: kInvalidArgument (a map whose lengths do not hold together).
  static absl::StatusOr<SentencePieceNormalizer> Create(const VocabularySpec& spec);

  /// The text that the tokenizer cuts: user-defined tokens untouched, everything else by the rules,
  /// blanks as U+2581. Bytes that are not UTF-8 stay.
  std::string Normalize(std::string_view text, const UserTokenMatcher& user_tokens) const;

 private:
  SentencePieceNormalizer() = default;
  Charsmap::Match ReplaceFront(std::string_view text) const;

  bool remove_extra_whitespaces_ = true;
  bool add_space_prefix_ = true;
  Charsmap map_;
};

}  // namespace emptor::engine
