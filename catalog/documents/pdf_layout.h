// Words of PDF pages become headings and paragraphs.
#pragma once

#include <string>
#include <vector>

namespace emptor::catalog {

/// One word as it stands on its page, in reading order. Units: points, y grows downwards.
struct PdfWord {
  std::string text;  // UTF-8, without blanks
  double left = 0, right = 0, top = 0, bottom = 0;
  double font_size = 0;  // 0: unknown
};
using PdfPage = std::vector<PdfWord>;

/// A text per page, as catalog/documents/text_units.h reads it: paragraphs parted by an empty line,
/// headings as lines "## Heading", items of lists as lines "- item", rows of tables as lines with
/// cells parted by " | ". Headings are lines in letters clearly larger than those of most of the
/// text; the larger the letters, the higher the level. Words that a line end divides are put
/// together. Lines that stand at the edge of most pages (page numbers, running titles) are left
/// out. Pure.
std::vector<std::string> LayOutPdfPages(const std::vector<PdfPage>& pages);

}  // namespace emptor::catalog
