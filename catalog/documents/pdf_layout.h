// Turns the words of PDF pages into headings and paragraphs.
#pragma once

#include <string>
#include <vector>

namespace emptor::catalog {

/// One word of a page, in reading order. Units: points, y grows downwards.
struct PdfWord {
  std::string text;  // UTF-8, without blanks
  double left = 0, right = 0, top = 0, bottom = 0;
  double font_size = 0;  // 0: unknown
};
using PdfPage = std::vector<PdfWord>;

/// The text of each page in the form that text_units.h reads: paragraphs separated by an empty
/// line, headings as lines "## Heading", list items as lines "- item", table rows as lines with
/// cells separated by " | ". A heading is a line whose font is clearly larger than that of most of
/// the text; a larger font gives a higher level. Hyphenated words are joined. Lines at the edge of
/// most pages (page numbers, running titles) are left out. Pure.
std::vector<std::string> LayOutPdfPages(const std::vector<PdfPage>& pages);

}  // namespace emptor::catalog
