// Normalisation by ICU, then removal of dangerous characters.
#include "services/grounding/text_clean.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cctype>

#include "catalog/encoding/utf8.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxTagLength = 256;

std::string Normalized(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  if (U_FAILURE(error)) return std::string(text);
  const auto source = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::UnicodeString target = nfkc->normalize(source, error);
  std::string result;
  if (U_SUCCESS(error)) target.toUTF8String(result);
  return result;
}

bool IsSpace(char32_t c) {
  return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0 || u_isspace(static_cast<UChar32>(c)) != 0;
}

bool IsInvisible(char32_t c) {
  if (c == 0xFFFD) return true;
  const auto category = u_charType(static_cast<UChar32>(c));
  return category == U_CONTROL_CHAR || category == U_FORMAT_CHAR || category == U_SURROGATE ||
         category == U_UNASSIGNED || category == U_PRIVATE_USE_CHAR ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

/// Removing a pair can join two halves of another, so the last byte kept is checked as well.
void AppendWithoutMarkers(std::string_view bytes, std::string& out) {
  if (bytes == "[" || bytes == "]") return;
  if (bytes == "|" && !out.empty() && out.back() == '<') {
    out.pop_back();
    return;
  }
  out.append(bytes);
}

}  // namespace

std::string CleanText(std::string_view text) {
  const std::string normalized = Normalized(text);
  std::string out;
  out.reserve(normalized.size());
  bool blank = false;
  for (size_t i = 0; i < normalized.size();) {
    const auto point = catalog::DecodeUtf8(std::string_view(normalized).substr(i));
    if (point.bytes == 0) {
      ++i;
      continue;
    }
    const std::string_view bytes = std::string_view(normalized).substr(i, point.bytes);
    i += point.bytes;
    if (IsSpace(point.value)) {
      blank = true;
    } else if (!IsInvisible(point.value)) {
      if (blank && !out.empty()) out += ' ';
      blank = false;
      AppendWithoutMarkers(bytes, out);
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string PlainText(std::string_view text) {
  const std::string clean = CleanText(text);
  std::string out;
  for (size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (c == '<') {
      const char next = i + 1 < clean.size() ? clean[i + 1] : ' ';
      const size_t close = clean.find('>', i);
      const bool is_tag = std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' ||
                          next == '!' || next == '?';
      if (is_tag && close != std::string::npos && close - i < kMaxTagLength) i = close;
    } else if (c != '>' && c != '*' && c != '`' && c != '\\' && c != '#') {
      out += c;
    }
  }
  return CleanText(out);
}

std::string_view CutAtCharacter(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string_view CutAtWord(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::string_view cut = CutAtCharacter(text, max_bytes);
  if (text[cut.size()] != ' ') {
    const size_t blank = cut.rfind(' ');
    if (blank != std::string_view::npos && blank > 0) cut = cut.substr(0, blank);
  }
  while (!cut.empty() && cut.back() == ' ') cut.remove_suffix(1);
  return cut;
}

}  // namespace emptor::services
