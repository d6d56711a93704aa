// The text of a PDF. For a process of its own only (pdf_child.h): the parser is not ours, and its
// input is anybody's.
#pragma once

#include <cstddef>
#include <string_view>

#include "catalog/documents/pdf_reply.h"

namespace emptor::catalog {

struct PdfLimits {
  int max_pages = 2000;
  size_t max_text_bytes = 1u << 20;  // of all pages together
};

/// Readies what the parser would else read from files when it needs it first.
void PreparePdfParser();

/// Pages as pdf_layout.h lays them out. Never fails but by its outcome; what the bytes do to the
/// parser (memory, time, a crash) they do to the process. Parser: Poppler.
PdfReply ReadPdfText(std::string_view bytes, const PdfLimits& limits);

}  // namespace emptor::catalog
