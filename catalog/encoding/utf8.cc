// Well-formedness by the table of RFC 3629, section 4.
#include "catalog/encoding/utf8.h"

#include <algorithm>
#include <cstring>

namespace emptor::catalog {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080u;

bool IsContinuation(unsigned char byte) { return (byte & 0xC0u) == 0x80u; }

size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

char32_t SmallestOfLength(size_t bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return kSmallest[bytes];
}

// Bytes of ASCII at the front of `text`, rounded down to a multiple of eight.
size_t AsciiBlocks(std::string_view text) {
  size_t offset = 0;
  while (offset + 8 <= text.size()) {
    uint64_t block;
    std::memcpy(&block, text.data() + offset, sizeof(block));
    if ((block & kHighBits) != 0) break;
    offset += 8;
  }
  return offset;
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = SequenceLength(lead);
  if (length == 0 || length > text.size()) return {};
  if (length == 1) return {lead, 1};
  char32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!IsContinuation(byte)) return {};
    value = (value << 6) | (byte & 0x3Fu);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < SmallestOfLength(length) || value > 0x10FFFF || surrogate) return {};
  return {value, length};
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(AsciiBlocks(text));
    if (text.empty()) return true;
    const CodePoint point = DecodeUtf8(text);
    if (point.bytes == 0) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::optional<size_t> FindControlCharacter(std::string_view text, LineBreaks line_breaks) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++i;
      continue;
    }
    const bool is_break = byte == '\n' || byte == '\r' || byte == '\t';
    if (is_break && line_breaks == LineBreaks::kAllowed) {
      ++i;
      continue;
    }
    const CodePoint point = DecodeUtf8(text.substr(i));
    if (point.bytes == 0 || point.value < 0xA0) return i;
    if (point.value == 0x2028 || point.value == 0x2029) return i;
    if (point.value == 0xFFFE || point.value == 0xFFFF) return i;
    i += point.bytes;
  }
  return std::nullopt;
}

CleanedText RemoveControlCharacters(std::string_view text, LineBreaks line_breaks) {
  CleanedText cleaned;
  while (const auto at = FindControlCharacter(text, line_breaks)) {
    const CodePoint point = DecodeUtf8(text.substr(*at));
    cleaned.text += text.substr(0, *at);
    const bool is_blank = (point.value >= 0x09 && point.value <= 0x0D) || point.value == 0x85 ||
                          point.value == 0x2028 || point.value == 0x2029;
    if (is_blank && !cleaned.text.empty() && cleaned.text.back() != ' ') cleaned.text += ' ';
    cleaned.has_lost = cleaned.has_lost || !is_blank;
    text.remove_prefix(*at + point.bytes);
    if (is_blank) text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }
  cleaned.text += text;
  return cleaned;
}

std::string_view Utf8Prefix(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && IsContinuation(static_cast<unsigned char>(text[max_bytes]))) --max_bytes;
  return text.substr(0, max_bytes);
}

}  // namespace emptor::catalog
