// Markdown becomes paragraphs and headings.
#pragma once

#include <string>
#include <string_view>

namespace emptor::catalog {

struct MarkdownText {
  std::string title = {};  // of the front matter
  /// Blocks separated by an empty line: "## Heading", "- item", table rows with cells separated by
  /// " | ". Links and images keep their text, not their address. Embedded HTML is converted as
  /// HTML.
  std::string text = {};
};

/// CommonMark with tables. Never fails: every text is Markdown. Parser: md4c.
/// REQUIRES: well-formed UTF-8.
MarkdownText MarkdownToText(std::string_view markdown);

}  // namespace emptor::catalog
