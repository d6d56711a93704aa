// Decoding of escapes.
#include "engine/jinja/string_literal.h"

#include <charconv>
#include <cstdint>

#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

void AppendUtf8(uint32_t code, std::string& out) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](int shift) { put(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    tail(6);
  } else {
    put(0xf0 | code >> 18);
    tail(12);
    tail(6);
  }
  tail(0);
}

/// Reads the code point after \x, \u, \U; returns the number of digits.
absl::StatusOr<size_t> AppendHex(std::string_view rest, char kind, std::string& out) {
  const size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
  const std::string_view number = rest.substr(0, digits);
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), code, 16);
  const bool whole = error == std::errc() && end == number.data() + digits;
  if (number.size() != digits || !whole || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    return absl::InvalidArgumentError(
        fmt::format("expected {} hexadecimal digits of a character after \\{}", digits, kind));
  }
  AppendUtf8(code, out);
  return digits;
}

size_t AppendOctal(std::string_view rest, std::string& out) {
  uint32_t code = 0;
  size_t digits = 0;
  while (digits < 3 && digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '7') {
    code = code * 8 + static_cast<uint32_t>(rest[digits++] - '0');
  }
  AppendUtf8(code, out);
  return digits;
}

}  // namespace

absl::StatusOr<std::string> DecodeStringLiteral(std::string_view literal) {
  constexpr std::string_view kEscapes = "\\'\"abfnrtv\n";
  constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
  std::string out;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      out += literal[i];
      continue;
    }
    const char escape = literal[++i];
    const size_t place = kEscapes.find(escape);
    if (place < kMeanings.size()) {
      out += kMeanings[place];
    } else if (escape == 'x' || escape == 'u' || escape == 'U') {
      const auto digits = AppendHex(literal.substr(i + 1), escape, out);
      if (!digits.ok()) return digits.status();
      i += *digits;
    } else if (escape >= '0' && escape <= '7') {
      i += AppendOctal(literal.substr(i), out) - 1;
    } else if (escape == 'N') {
      return absl::InvalidArgumentError("\\N{...} in a string is not supported");
    } else if (escape != '\n') {
      out += '\\';
      out += escape;
    }
  }
  return out;
}

}  // namespace emptor::engine::jinja
