// Converts untrusted text to plain text without markup and invisible characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// A title, a description, or the text of a document: paragraphs under headings ("## Heading").
enum class TextForm { kLine, kParagraphs, kSections };

struct PlainText {
  std::string text;
  size_t invisible = 0;      // invisible characters that were removed
  bool tag_letters = false;  // among them letters of the Unicode tag block: hidden ASCII
  bool hid_text = false;     // text hidden by markup was removed
};

/// Markup becomes plain text (html_text.h), also if it is escaped up to twice more; a line has no
/// line feeds; in sections headings are marked, and line breaks stay where only inline markup
/// occurs. Removed: control characters, zero-width characters (joiners stay where scripts and emoji
/// need them), bidirectional embeddings, overrides and isolates (marks stay next to right-to-left
/// letters), tag characters, fillers, soft hyphens. Idempotent. Invalid UTF-8 is returned
/// unchanged: validation refuses it.
PlainText MakePlainText(std::string_view source, TextForm form);

}  // namespace emptor::catalog
