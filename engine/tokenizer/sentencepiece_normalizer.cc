// Walks the double-array trie and settles the blanks.
#include "engine/tokenizer/sentencepiece_normalizer.h"

#include <cstring>

#include "engine/tokenizer/detokenizer.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";

// A unit of the double array. A leaf holds a value in its low 31 bits; another node the byte that
// leads to it, whether a leaf follows, and where its children lie.
bool HasLeaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t Value(uint32_t unit) { return unit & 0x7fffffffu; }
uint32_t Label(uint32_t unit) { return unit & 0x800000ffu; }
uint32_t Offset(uint32_t unit) { return unit >> 10 << ((unit >> 9 & 1) * 8); }

absl::Status Invalid(const std::string& what) {
  return absl::InvalidArgumentError("tokenizer.ggml.precompiled_charsmap: " + what);
}

}  // namespace

absl::StatusOr<SentencePieceNormalizer> SentencePieceNormalizer::Create(
    const VocabularySpec& spec) {
  SentencePieceNormalizer normalizer;
  normalizer.remove_extra_whitespaces_ = spec.remove_extra_whitespaces;
  normalizer.add_space_prefix_ = spec.add_space_prefix;
  if (!spec.precompiled_charsmap.empty()) {
    const absl::Status read = normalizer.ReadMap(spec.precompiled_charsmap);
    if (!read.ok()) return read;
  }
  return normalizer;
}

absl::Status SentencePieceNormalizer::ReadMap(std::string_view map) {
  uint32_t trie_bytes = 0;
  if (map.size() < sizeof trie_bytes) return Invalid("shorter than its length");
  std::memcpy(&trie_bytes, map.data(), sizeof trie_bytes);
  map.remove_prefix(sizeof trie_bytes);
  if (trie_bytes == 0 || trie_bytes % 4 != 0 || trie_bytes > map.size()) {
    return Invalid(fmt::format("trie: expected a multiple of 4 up to {} bytes, found {}",
                               map.size(), trie_bytes));
  }
  trie_.resize(trie_bytes / 4);
  std::memcpy(trie_.data(), map.data(), trie_bytes);
  replacements_ = map.substr(trie_bytes);
  if (replacements_.empty() || replacements_.back() != '\0') {
    return Invalid("replacements: the last one has no end");
  }
  return absl::OkStatus();
}

SentencePieceNormalizer::Replacement SentencePieceNormalizer::ReplaceFront(
    std::string_view text) const {
  const int prefix = Utf8Prefix(text);
  const size_t character = prefix > 0 ? static_cast<size_t>(prefix) : 1;
  Replacement replacement = {character, text.substr(0, character)};
  if (trie_.empty()) return replacement;
  uint32_t node = Offset(trie_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    node ^= byte;
    if (node >= trie_.size() || Label(trie_[node]) != byte) break;
    const bool leaf = HasLeaf(trie_[node]);
    node ^= Offset(trie_[node]);
    if (node >= trie_.size()) break;
    if (!leaf) continue;
    const uint32_t value = Value(trie_[node]);
    if (value < replacements_.size()) replacement = {i + 1, replacements_.data() + value};
  }
  return replacement;
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
      const Replacement front = ReplaceFront(plain);
      append(front.text);
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
