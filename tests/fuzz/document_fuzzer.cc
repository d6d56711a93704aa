// Any bytes as a file of each format: a document that may be stored and passages of it, or an
// error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "catalog/documents/document_reader.h"
#include "catalog/documents/passages.h"
#include "catalog/text_safety/safe_record.h"
#include "catalog/validation.h"

namespace {

using emptor::catalog::Document;
using emptor::catalog::DocumentFormat;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckPassages(const Document& document) {
  constexpr size_t kMaxBytes = 16384;  // 300 words of 16 bytes, and headings
  size_t previous_end = 0;
  for (const auto& passage : emptor::catalog::SplitIntoPassages(document)) {
    Require(emptor::catalog::IsValidId(passage.id));
    Require(passage.begin >= previous_end && passage.end <= document.text.size());
    Require(!passage.text.empty() && passage.text.size() <= kMaxBytes);
    Require(ValidateDocument(DocumentOf(document, passage)).ok());
    previous_end = passage.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto format :
       {DocumentFormat::kHtml, DocumentFormat::kMarkdown, DocumentFormat::kText}) {
    const auto read = emptor::catalog::ReadDocument(bytes, {.name = "file", .format = format});
    if (!read.ok()) continue;
    CheckPassages(*read);
    Document safe = *read;
    MakeSafe(emptor::catalog::ScreenPolicy::kFlag, safe);
    Require(safe.text.empty() || ValidateDocument(safe).ok());
  }
  return 0;
}
