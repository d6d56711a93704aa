// Pre-tokenizers: cut text into the words that byte-level BPE never merges across.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/tokenizer/unicode_class.h"

namespace emptor::engine {

/// The splitting rules of published models, as tokenizer.ggml.pre names them. In the notation of
/// regular expressions, `G` being GPT-2's:
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// Stages after the first cut each piece of the stage before it.
enum class PreTokenizer : uint8_t {
  kGpt2,       // G
  kStarcoder,  // \p{N}, then G
  kFalcon,     // [\p{P}$+<=>^~|`]+, then G, then [0-9]{3}
  // (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
  // \s*[\r\n]+|\s+(?!\S)|\s+
  kLlama3,
  kQwen2,          // as kLlama3 with \p{N} alone
  kDeepSeekLlm,    // [\r\n], \s?[cased letters]+, \s?[ASCII, full-width and CJK marks]+, \s+$,
                   // [U+0800-U+9FA5 U+AC00-U+D7FF]+, \p{N}
  kDeepSeekCoder,  // [\r\n], \s?\p{L}+, \s?\p{P}+, [U+0800-U+9FA5 U+AC00-U+D7FF]+, \p{N}
};

/// What a name in tokenizer.ggml.pre stands for.
struct PreTokenizerTraits {
  PreTokenizer rules = PreTokenizer::kGpt2;
  bool whole_words_first = false;  // a word that is a token is not merged together, but taken
  bool nfc = false;                // the model read its texts in Unicode's form NFC
  bool adds_bos = false;           // where the file does not say
};

/// How one stage cuts: positive, the length of the word that begins at the front of the piece;
/// negative -n, no word begins in its first n bytes.
using SplitRule = std::ptrdiff_t (*)(std::string_view piece);

/// Nothing for a name that is not known exactly.
std::optional<PreTokenizerTraits> FindPreTokenizer(std::string_view name);

/// A name that stands for these stages with these traits; nothing where none does.
std::optional<std::string_view> FindPreTokenizerName(std::span<const SplitRule> rules, bool nfc,
                                                     bool whole_words_first);

/// The known names, separated by commas, for messages.
std::string PreTokenizerNames();

/// A stage that a tokenizer.json writes as a regular expression.
struct SplitRegex {
  SplitRule rule;
  bool covers_all;  // every character belongs to a match
};
/// Nothing for an expression that is not known exactly.
std::optional<SplitRegex> FindSplitRegex(std::string_view regex);

/// Stages that a tokenizer.json names: numbers (\p{N}), each alone or in runs; punctuation
/// (as IsBertPunctuation), likewise; runs of numbers among the characters that stand for bytes
/// (ByteAlphabet), which are ASCII's digits and five bytes of others.
SplitRule NumbersRule(bool individually);
SplitRule PunctuationRule(bool individually);
SplitRule NumbersOfByteAlphabetRule();

/// The stages, in order. Every rule looks at no byte more than a few times, so that a split is
/// linear in the length of the text.
std::span<const SplitRule> SplitRules(PreTokenizer pre_tokenizer);

/// Calls `on_word` for each word of `text`, in order; together they are the text. Bytes that are
/// not UTF-8 count as characters of no class.
template <typename OnWord>
void ForEachWord(std::span<const SplitRule> rules, std::string_view text, OnWord&& on_word) {
  if (rules.empty()) {
    on_word(text);
    return;
  }
  const std::span<const SplitRule> rest = rules.subspan(1);
  size_t done = 0;  // everything before it was handed on
  size_t at = 0;
  while (at < text.size()) {
    const std::ptrdiff_t length = rules.front()(text.substr(at));
    if (length < 0) {
      at += static_cast<size_t>(-length);
      continue;
    }
    if (at > done) ForEachWord(rest, text.substr(done, at - done), on_word);
    ForEachWord(rest, text.substr(at, static_cast<size_t>(length)), on_word);
    at += static_cast<size_t>(length);
    done = at;
  }
  if (done < text.size()) ForEachWord(rest, text.substr(done), on_word);
}

}  // namespace emptor::engine
