// Walks the double-array trie and settles the blanks.
#include "engine/tokenizer/sentencepiece_normalizer.h"

#include <utility>

#include "engine/tokenizer/detokenizer.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";

}  // namespace

absl::StatusOr<SentencePieceNormalizer> SentencePieceNormalizer::Create(
    const VocabularySpec& spec) {
  SentencePieceNormalizer normalizer;
  normalizer.remove_extra_whitespaces_ = spec.remove_extra_whitespaces;
  normalizer.add_space_prefix_ = spec.add_space_prefix;
  if (!spec.precompiled_charsmap.empty()) {
    absl::StatusOr<Charsmap> map = Charsmap::Create(spec.precompiled_charsmap);
    if (!map.ok()) {
      return absl::InvalidArgumentError(fmt::format("tokenizer.ggml.precompiled_charsmap: {}",
                                                    std::string(map.status().message())));
    }
    normalizer.map_ = std::move(*map);
  }
  return normalizer;
}

Charsmap::Match SentencePieceNormalizer::ReplaceFront(std::string_view text) const {
  if (const std::optional<Charsmap::Match> match = map_.FindLongest(text)) return *match;
  const int prefix = Utf8Prefix(text);
  const size_t character = prefix > 0 ? static_cast<size_t>(prefix) : 1;
  return {character, text.substr(0, character)};
}

std::string SentencePieceNormalizer::Normalize(std::string_view text,
                                               const UserTokenMatcher& user_tokens) const {
  std::string out;
  bool after_blank = remove_extra_whitespaces_;  // nothing is written yet: blanks are leading ones
  const auto append = [&](std::string_view piece) {
    while (after_blank && piece.starts_with(' ')) piece.remove_prefix(1);
    if (piece.empty()) return;
    if (out.empty() && add_space_prefix_) out = kSpaceMark;
    for (const char c : piece) {
      if (c == ' ') {
        out += kSpaceMark;
      } else {
        out += c;
      }
    }
    after_blank = remove_extra_whitespaces_ && piece.ends_with(' ');
  };
  const auto on_text = [&](std::string_view plain) {
    while (!plain.empty()) {
      const Charsmap::Match front = ReplaceFront(plain);
      append(front.replacement);
      plain.remove_prefix(front.consumed);
    }
  };
  ForEachPiece(user_tokens, text, on_text, [&](const UserTokenMatcher::Match& match) {
    append(text.substr(match.begin, match.length));
  });
  while (remove_extra_whitespaces_ && out.ends_with(kSpaceMark)) {
    out.resize(out.size() - kSpaceMark.size());
  }
  return out;
}

}  // namespace emptor::engine
