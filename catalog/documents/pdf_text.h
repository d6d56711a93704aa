// Extracts the text of a PDF. Only for a separate process (pdf_child.h): a third-party parser reads
// untrusted input here.
#pragma once

#include <cstddef>
#include <string_view>

#include "catalog/documents/pdf_reply.h"

namespace emptor::catalog {

struct PdfLimits {
  int max_pages = 2000;
  size_t max_text_bytes = 1u << 20;  // of all pages together
};

/// Loads what the parser would otherwise read from files on first use.
void PreparePdfParser();

/// Pages as pdf_layout.h lays them out. Failures are outcomes; memory, time and crashes of the
/// parser are those of the process. Parser: Poppler.
PdfReply ReadPdfText(std::string_view bytes, const PdfLimits& limits);

}  // namespace emptor::catalog
