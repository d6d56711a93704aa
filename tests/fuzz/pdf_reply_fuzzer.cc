// Any bytes as the answer of the process that reads a PDF: refused, or pages that make a document
// which may be stored, or none.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "catalog/documents/document_reader.h"
#include "catalog/documents/pdf_reply.h"
#include "catalog/validation.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reply = emptor::catalog::DecodePdfReply(bytes);
  if (!reply) return 0;
  Require(EncodePdfReply(*reply) == bytes);
  const emptor::catalog::DocumentOptions options{
      .name = "file.pdf",
      .format = emptor::catalog::DocumentFormat::kPdf,
      .read_pdf = [&](std::string_view) -> absl::StatusOr<emptor::catalog::PdfPages> {
        return emptor::catalog::PdfPages{reply->title, reply->pages};
      }};
  const auto document = ReadDocument("%PDF-", options);
  if (!document.ok()) return 0;
  Require(ValidateDocument(*document).ok());
  for (const uint32_t page : document->pages) Require(page <= document->text.size());
  return 0;
}
