// Converts untrusted HTML to the plain text that a browser shows.
#pragma once

#include <string>
#include <string_view>

namespace emptor::catalog {

struct HtmlTextOptions {
  /// "## Title" for h2 and so on; off: a heading is a paragraph.
  bool mark_headings = false;
};

struct HtmlText {
  std::string title = {};  // of <title>
  /// Paragraphs separated by an empty line, list items as "- item", cells separated by " | ".
  /// Entities are decoded; scripts, styles, forms, embedded objects, comments and hidden elements
  /// are removed. Links and images keep only their text; no address is ever fetched.
  std::string text = {};
  bool hid_text = false;  // an element that a browser does not show held text
};

/// Never fails: broken markup is read as browsers read it. Invalid UTF-8 is returned unchanged.
/// Parser: libxml2's HTML SAX, without network, entities files or a tree.
HtmlText HtmlToText(std::string_view html, const HtmlTextOptions& options = {});

/// True when `text` holds a tag of HTML, a comment, or an entity: "<b>", "</p", "<!--", "&amp;".
/// "5 < 6", "<3" and "AT&T" are plain text.
bool LooksLikeHtml(std::string_view text);

/// True when `text` holds a tag that begins a paragraph or a line: white space between its tags is
/// insignificant then. "<b>", "<span>" and entities alone are markup within lines.
bool HasHtmlBlocks(std::string_view text);

/// The character that HTML gives to an entity, in UTF-8: "nbsp", "eacute"; empty for unknown names.
std::string HtmlEntity(std::string_view name);

}  // namespace emptor::catalog
