// Markup first, then characters.
#include "catalog/text_safety/plain_text.h"

#include <algorithm>

#include "catalog/encoding/utf8.h"
#include "catalog/text_safety/html_text.h"

namespace emptor::catalog {
namespace {

constexpr int kMaxUnescapes = 3;

bool IsBetween(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool IsRightToLeft(char32_t c) {
  return IsBetween(c, 0x0590, 0x08FF) || IsBetween(c, 0xFB1D, 0xFDFF) ||
         IsBetween(c, 0xFE70, 0xFEFC) || IsBetween(c, 0x10800, 0x10FFF);
}

bool IsTagLetter(char32_t c) { return IsBetween(c, 0xE0000, 0xE007F); }

bool IsVariationSelector(char32_t c) {
  return IsBetween(c, 0xFE00, 0xFE0F) || IsBetween(c, 0xE0100, 0xE01EF);
}

// Scripts and emoji in which joiners are visible.
bool IsJoined(char32_t c) { return c >= 0x0590 && !IsBetween(c, 0x2000, 0x20FF); }

// Characters that are never visible.
bool IsNeverShown(char32_t c) {
  return c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 || c == 0x180E ||
         c == 0x200B || IsBetween(c, 0x202A, 0x202E) || IsBetween(c, 0x2060, 0x206F) ||
         c == 0x3164 || c == 0xFEFF || c == 0xFFA0 || IsBetween(c, 0xFFF9, 0xFFFB) ||
         IsTagLetter(c);
}

// Other than tabs and line ends.
bool IsControl(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || IsBetween(c, 0x7F, 0x9F) ||
         IsBetween(c, 0xFFFE, 0xFFFF);
}

bool IsLineSeparator(char32_t c) { return c == 0x85 || c == 0x2028 || c == 0x2029; }

// Whether `c` is visible, or changes what is visible, after `previous`.
bool IsShown(char32_t c, char32_t previous) {
  if (IsNeverShown(c)) return false;
  if (c == 0x200C || c == 0x200D) return IsJoined(previous) && previous != c;
  if (c == 0x200E || c == 0x200F) return IsRightToLeft(previous);
  if (IsVariationSelector(c)) return previous > 0x20 && !IsVariationSelector(previous);
  return true;
}

void TakeOutInvisible(PlainText& result) {
  std::string kept;
  kept.reserve(result.text.size());
  char32_t previous = 0;
  for (std::string_view rest = result.text; !rest.empty();) {
    const CodePoint point = DecodeUtf8(rest);
    if (IsLineSeparator(point.value)) {
      kept += '\n';
      previous = '\n';
    } else if (IsControl(point.value)) {
      // Removed, and no sign of an attack: text of another encoding is full of them.
    } else if (IsShown(point.value, previous)) {
      kept += rest.substr(0, point.bytes);
      previous = point.value;
    } else {
      ++result.invisible;
      result.tag_letters = result.tag_letters || IsTagLetter(point.value);
    }
    rest.remove_prefix(point.bytes);
  }
  result.text = std::move(kept);
}

// Text that is still markup after all unescaping is deliberate: removes its '<' and '&'.
void TakeOutMarkupSigns(std::string& text) {
  while (LooksLikeHtml(text)) {
    text.erase(
        std::remove_if(text.begin(), text.end(), [](char c) { return c == '<' || c == '&'; }),
        text.end());
  }
}

// Marks the line breaks of a text without block elements as <br> and <p>, so that they are kept.
std::string WithMarkedLines(std::string_view text) {
  if (HasHtmlBlocks(text)) return std::string(text);
  std::string marked;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    marked += line;
    text.remove_prefix(line.size());
    const size_t rest = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::string_view blanks = text.substr(0, rest);
    const auto breaks = std::count(blanks.begin(), blanks.end(), '\n');
    if (breaks > 0) marked += breaks > 1 ? "<p>" : "<br>";
    text.remove_prefix(blanks.size());
  }
  return marked;
}

void JoinLines(std::string& text) {
  std::string line;
  bool blank = false;
  for (const char c : text) {
    const bool is_break = c == '\n' || c == '\r' || c == '\t';
    if (is_break || (blank && c == ' ')) {
      blank = true;
      continue;
    }
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
    blank = false;
    line += c;
  }
  text = std::move(line);
}

}  // namespace

PlainText MakePlainText(std::string_view source, TextForm form) {
  PlainText result{.text = std::string(source)};
  if (!IsValidUtf8(source)) return result;
  TakeOutInvisible(result);
  for (int i = 0; i < kMaxUnescapes && LooksLikeHtml(result.text); ++i) {
    const bool has_sections = form == TextForm::kSections;
    HtmlText html = HtmlToText(has_sections ? WithMarkedLines(result.text) : result.text,
                               {.mark_headings = has_sections});
    result.hid_text = result.hid_text || html.hid_text;
    result.text = std::move(html.text);
    TakeOutInvisible(result);
  }
  TakeOutMarkupSigns(result.text);
  if (form == TextForm::kLine) JoinLines(result.text);
  return result;
}

}  // namespace emptor::catalog
