// Steps before a tokenizer's model: user-defined tokens and normalisation.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/tokenizer/text_normalizer.h"
#include "engine/tokenizer/user_token_matcher.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// The first steps of TextRules; without them user-defined tokens in raw text, and NFC where the
/// pre-tokenizer of a byte-level vocabulary has it. Thread-safety: immutable.
class TextPipeline {
 public:
  /// Errors: kInvalidArgument (a normalizer that is broken).
  static absl::StatusOr<TextPipeline> Create(const Vocabulary& vocabulary);

  /// Calls on_text(normalised text, whether it begins the text) for each stretch between
  /// user-defined tokens and on_token(id) for each of those, in order.
  template <typename OnText, typename OnToken>
  void ForEachStretch(std::string_view text, OnText on_text, OnToken on_token) const {
    const auto found = [&](const UserTokenMatcher::Match& match) { on_token(match.token); };
    const auto plain = [&](std::string_view raw) {
      const bool first = raw.data() == text.data();
      if (normalizer_.empty() && normalized_tokens_.empty()) {
        on_text(raw, first);
        return;
      }
      const std::string normal = normalizer_.Normalize(raw);
      ForEachPiece(
          normalized_tokens_, normal,
          [&](std::string_view piece) { on_text(piece, first && piece.data() == normal.data()); },
          found);
    };
    ForEachPiece(raw_tokens_, text, plain, found);
  }

 private:
  TextPipeline() = default;

  UserTokenMatcher raw_tokens_, normalized_tokens_;
  TextNormalizer normalizer_;
};

/// Calls on_word for each word of a stretch of normalised text, with blanks marked as the rules
/// say. `first`: the stretch begins the text.
template <typename OnWord>
void ForEachMarkedWord(const TextRules& rules, std::string_view stretch, bool first,
                       OnWord on_word);

/// ' ' as U+2581, and one in front where asked and there is none.
std::string MarkBlanks(std::string_view text, bool in_front);

template <typename OnWord>
void ForEachMarkedWord(const TextRules& rules, std::string_view stretch, bool first,
                       OnWord on_word) {
  constexpr std::string_view kMark = "\xe2\x96\x81";
  using Front = TextRules::MarkInFront;
  ForEachSplitWord(rules.words, stretch, [&](std::string_view word) {
    if (rules.blanks == TextRules::BlankMarks::kNone) {
      on_word(word);
      return;
    }
    const bool in_front =
        rules.mark_in_front == Front::kAlways ||
        (rules.mark_in_front == Front::kFirst && first && word.data() == stretch.data());
    const std::string marked = MarkBlanks(word, in_front);
    std::string_view rest = marked;
    while (rules.blanks == TextRules::BlankMarks::kMarkedAndSplit) {
      const size_t next = rest.find(kMark, rest.starts_with(kMark) ? kMark.size() : 0);
      if (next == std::string_view::npos) break;
      if (next > 0) on_word(rest.substr(0, next));
      rest.remove_prefix(next);
    }
    if (!rest.empty()) on_word(rest);
  });
}

}  // namespace emptor::engine
