// Texts that are the same but for case, width and punctuation.
#pragma once

#include <string>
#include <string_view>

namespace emptor::catalog {

/// The text by NFKC and case folding, with each run of punctuation and white space as one blank,
/// and none at its ends. Thread-safe. REQUIRES: IsValidUtf8(text).
std::string FoldedWords(std::string_view text);

}  // namespace emptor::catalog
