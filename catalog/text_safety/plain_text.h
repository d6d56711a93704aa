// Text from outside as it may be stored and shown: no markup, no characters that nobody sees.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// A title, a description, or the text of a document: paragraphs under headings ("## Heading").
enum class TextForm { kLine, kParagraphs, kSections };

struct PlainText {
  std::string text;
  size_t invisible = 0;      // characters that nobody sees and that were taken out
  bool tag_letters = false;  // among them letters of the Unicode tag block: hidden ASCII
  bool hid_text = false;     // markup hid text from readers; it is gone
};

/// Markup becomes plain text (html_text.h), also where it was escaped once or twice more; a line
/// has no line feeds; in sections headings are marked, and lines stay lines where the markup is
/// within them. Taken out: zero-width characters (joiners stay where scripts and emoji need
/// them), bidirectional embeddings, overrides and isolates (the marks stay beside right-to-left
/// letters), tag characters, fillers, soft hyphens. Idempotent. Text that is not well-formed UTF-8
/// comes back as it is: validation refuses it.
PlainText MakePlainText(std::string_view source, TextForm form);

}  // namespace emptor::catalog
