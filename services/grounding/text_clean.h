// Makes untrusted text (catalog, shopper) safe to put into a prompt or an answer, and cuts it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::services {

/// NFKC without control, format or unassigned characters; each run of whitespace is one blank;
/// trimmed. `[`, `]` and `<|` are removed, so that the text cannot forge a reference or a chat
/// marker. Ill-formed bytes are dropped.
std::string CleanText(std::string_view text);

/// CleanText without HTML tags and the characters that begin Markdown or HTML: the form of a
/// record's text inside an answer.
std::string PlainText(std::string_view text);

/// The longest prefix of at most `max_bytes` bytes that ends between characters.
std::string_view CutAtCharacter(std::string_view text, size_t max_bytes);

/// The same, ending after a word if the prefix has a blank; without a blank at the end.
std::string_view CutAtWord(std::string_view text, size_t max_bytes);

}  // namespace emptor::services
