// Reply of the process that reads a PDF. Its bytes are as untrusted as the PDF.
//
//   "EPT1"  byte outcome  size title  count pages, size page ...     (sizes: uint32, little-endian)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::catalog {

enum class PdfOutcome : uint8_t { kRead, kEncrypted, kDamaged, kTooManyPages, kTooMuchText };

struct PdfReply {
  PdfOutcome outcome = PdfOutcome::kRead;
  std::string title = {};  // of the file's properties
  std::vector<std::string> pages = {};
};

std::string EncodePdfReply(const PdfReply& reply);
/// Nothing for malformed bytes: truncated, with trailing bytes, or with an unknown outcome.
std::optional<PdfReply> DecodePdfReply(std::string_view bytes);

}  // namespace emptor::catalog
