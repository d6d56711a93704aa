// The character rules of RFC 9110 and RFC 9112.
#include "services/http/syntax.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace emptor::services {
namespace {

constexpr std::string_view kAlphanumeric =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

constexpr std::array<bool, 256> MakeTable(std::string_view extra) {
  std::array<bool, 256> table{};
  for (char c : kAlphanumeric) table[static_cast<unsigned char>(c)] = true;
  for (char c : extra) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> kTokenChars = MakeTable("!#$%&'*+-.^_`|~");
constexpr std::array<bool, 256> kHostChars = MakeTable("-._~%!$&'()*+,;=");

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Length of the UTF-8 sequence that starts at `at`, 0 if it is malformed.
size_t SequenceLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = byte(at);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return 0;
  uint32_t code = first & (0xffu >> (length + 1));
  for (size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

}  // namespace

bool IsTokenChar(char c) { return kTokenChars[static_cast<unsigned char>(c)]; }

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenChar);
}

bool IsFieldValue(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || c == '\t';
  });
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view TrimBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string AsciiLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = SequenceLength(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = HexValue(text[i + 1]), low = HexValue(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high << 4 | low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  if (!IsUtf8(decoded)) return std::nullopt;
  return decoded;
}

bool IsAuthority(std::string_view text) {
  std::string_view host = text, port;
  if (!text.empty() && text.front() == '[') {
    const size_t end = text.find(']');
    if (end == text.npos) return false;
    host = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return false;
    port = rest;
    if (host.find_first_not_of("0123456789abcdefABCDEF:.") != host.npos) return false;
  } else if (const size_t colon = text.find(':'); colon != text.npos) {
    host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (!port.empty()) port.remove_prefix(1);
  if (!port.empty() && (!IsDigits(port) || port.size() > 5 || std::stoi(std::string(port)) > 65535))
    return false;
  const bool bracketed = !text.empty() && text.front() == '[';
  return !host.empty() && (bracketed || std::all_of(host.begin(), host.end(), [](char c) {
                             return kHostChars[static_cast<unsigned char>(c)];
                           }));
}

}  // namespace emptor::services
