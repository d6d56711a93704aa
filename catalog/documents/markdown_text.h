// Markdown becomes paragraphs and headings.
#pragma once

#include <string>
#include <string_view>

namespace emptor::catalog {

struct MarkdownText {
  std::string title = {};  // of the front matter
  /// Blocks parted by an empty line: "## Heading", "- item", table rows with cells parted by " | ".
  /// Of links and images the words stay, no address. HTML inside is read as HTML.
  std::string text = {};
};

/// CommonMark with tables. Never fails: every text is Markdown. Parser: md4c, by events.
/// REQUIRES: well-formed UTF-8.
MarkdownText MarkdownToText(std::string_view markdown);

}  // namespace emptor::catalog
