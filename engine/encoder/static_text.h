// Text as a static encoder's tokenizer expects it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::engine {

/// How a file asks for its text, see docs/formats/static_encoder.md.
enum class StaticText {
  kCaseFolded,  // nfkc_casefold
  kWords,       // nfkc_casefold_words
};

/// The value of emptor-static.text_normalization; nothing: unknown.
std::optional<StaticText> ParseStaticText(std::string_view name);

/// Text in NFKC with case folded and ignorable characters removed; of kWords the runs of digits, of
/// Chinese characters and of other letters, each after one blank. Bytes that are not UTF-8 become
/// U+FFFD.
std::string NormalizeStaticText(StaticText kind, std::string_view text);

}  // namespace emptor::engine
