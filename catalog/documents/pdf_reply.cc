// Sizes, then bytes.
#include "catalog/documents/pdf_reply.h"

#include <bit>
#include <cstring>

namespace emptor::catalog {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "EPT1";

void PutNumber(size_t number, std::string& out) {
  const auto value = static_cast<uint32_t>(number);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void PutText(std::string_view text, std::string& out) {
  PutNumber(text.size(), out);
  out += text;
}

std::optional<uint32_t> TakeNumber(std::string_view& rest) {
  uint32_t value = 0;
  if (rest.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, rest.data(), sizeof value);
  rest.remove_prefix(sizeof value);
  return value;
}

std::optional<std::string> TakeText(std::string_view& rest) {
  const auto size = TakeNumber(rest);
  if (!size || *size > rest.size()) return std::nullopt;
  std::string text(rest.substr(0, *size));
  rest.remove_prefix(*size);
  return text;
}

}  // namespace

std::string EncodePdfReply(const PdfReply& reply) {
  std::string out(kMagic);
  out += static_cast<char>(reply.outcome);
  PutText(reply.title, out);
  PutNumber(reply.pages.size(), out);
  for (const std::string& page : reply.pages) PutText(page, out);
  return out;
}

std::optional<PdfReply> DecodePdfReply(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() == kMagic.size()) return std::nullopt;
  const auto outcome = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (outcome > static_cast<uint8_t>(PdfOutcome::kTooMuchText)) return std::nullopt;
  bytes.remove_prefix(kMagic.size() + 1);
  PdfReply reply{.outcome = static_cast<PdfOutcome>(outcome)};
  auto title = TakeText(bytes);
  const auto pages = title ? TakeNumber(bytes) : std::nullopt;
  if (!pages) return std::nullopt;
  reply.title = *std::move(title);
  for (uint32_t i = 0; i < *pages; ++i) {
    auto page = TakeText(bytes);  // of at least four bytes: a false count ends at once
    if (!page) return std::nullopt;
    reply.pages.push_back(*std::move(page));
  }
  if (!bytes.empty()) return std::nullopt;
  return reply;
}

}  // namespace emptor::catalog
