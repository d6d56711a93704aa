// Small PDFs for tests, written object by object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

/// Text at a place of a page (points, y grows upwards), in Helvetica.
struct PdfText {
  double size = 11;
  double x = 72, y = 700;
  std::string text = {};
};
using PdfPageText = std::vector<PdfText>;

/// Lines of ordinary text below each other, the first at `y`.
PdfPageText PdfLines(const std::vector<std::string>& lines, double y = 700);

/// What is unusual about a file.
struct PdfQuirks {
  std::string title = {};           // of its properties
  bool encrypted = false;           // with a password that nobody knows
  int claimed_pages = -1;           // what the page tree says; -1: the truth
  std::string content_filter = {};  // "/FlateDecode": the contents are that already
};

/// A file of these pages; with quirks.content_filter, `raw_contents` are their streams instead.
std::string MakePdf(const std::vector<PdfPageText>& pages, const PdfQuirks& quirks = {},
                    const std::vector<std::string>& raw_contents = {});

}  // namespace emptor::testing
