// What the process that reads a PDF answers to the one that asked: bytes that are trusted no more
// than the PDF.
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
  std::string title = {};  // as the file's properties say
  std::vector<std::string> pages = {};
};

std::string EncodePdfReply(const PdfReply& reply);
/// Nothing for other bytes: cut, with something left over, of an unknown outcome.
std::optional<PdfReply> DecodePdfReply(std::string_view bytes);

}  // namespace emptor::catalog
