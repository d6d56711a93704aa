// SentencePiece's text normaliser: character rules, blanks, the blank in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/user_token_matcher.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// The rules that a SentencePiece model was trained with. The precompiled map is a double-array
/// trie of source texts (Aoe 1989; layout of Darts-clone: 4-byte units, length in front) followed
/// by the replacements, each ended by a zero byte. Its bytes come from a model file: every step
/// through it is held against its size. Thread-safety: immutable.
class SentencePieceNormalizer {
 public:
  /// Errors: kInvalidArgument (a map whose lengths do not hold together).
  static absl::StatusOr<SentencePieceNormalizer> Create(const VocabularySpec& spec);

  /// The text that the tokenizer cuts: user-defined tokens untouched, everything else by the rules,
  /// blanks as U+2581. Bytes that are not UTF-8 stay.
  std::string Normalize(std::string_view text, const UserTokenMatcher& user_tokens) const;

 private:
  /// A piece of the text and what takes its place.
  struct Replacement {
    size_t consumed;
    std::string_view text;
  };

  SentencePieceNormalizer() = default;
  absl::Status ReadMap(std::string_view map);
  Replacement ReplaceFront(std::string_view text) const;

  bool remove_extra_whitespaces_ = true;
  bool add_space_prefix_ = true;
  std::vector<uint32_t> trie_;
  std::string replacements_;  // ends with a zero byte
};

}  // namespace emptor::engine
