// Token ids to text, one at a time, in whole characters.
#pragma once

#include <string>
#include <string_view>

#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Keeps back the bytes of an unfinished UTF-8 character (at most 3) until the rest comes; bytes
/// that can begin or continue no character become U+FFFD.
/// Invariant: everything returned so far is valid UTF-8. Thread-safety: one user at a time.
/// Lifetime: within the vocabulary's.
class Detokenizer {
 public:
  explicit Detokenizer(const Vocabulary& vocabulary) : vocabulary_(&vocabulary) {}

  /// The text that this token completes; often empty, never part of a character.
  std::string Append(TokenId token);
  /// What is held back at the end, as U+FFFD.
  std::string Flush();
  /// The same for raw bytes.
  std::string AppendBytes(std::string_view bytes);
  /// Whether bytes are held back.
  bool holding() const { return !pending_.empty(); }

 private:
  const Vocabulary* vocabulary_;
  std::string pending_;
};

/// Length of the UTF-8 character at the front of `bytes`: positive; 0: cut short, more bytes could
/// complete it; -n: its first n bytes belong to no character.
int Utf8Prefix(std::string_view bytes);

}  // namespace emptor::engine
