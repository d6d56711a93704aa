// Lines first, then characters.
#include "catalog/documents/text_units.h"

#include <algorithm>

#include "catalog/encoding/utf8.h"

namespace emptor::catalog {
namespace {

constexpr HalfWords kWord = 2, kIdeograph = 1;
constexpr size_t kBytesPerWord = 16;

bool IsBlank(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0x3000; }

bool IsIdeograph(char32_t c) {
  return (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3040 && c <= 0x30FF) ||
         (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool EndsAnywhere(char32_t c) { return c == 0x3002 || c == 0xFF01 || c == 0xFF1F; }

bool EndsBeforeBlank(char32_t c) { return c == '.' || c == '!' || c == '?' || c == 0x2026; }

/// Cuts one paragraph.
class SentenceCutter {
 public:
  SentenceCutter(std::string_view text, HalfWords max_cost, std::vector<TextUnit>& units)
      : text_(text), max_cost_(max_cost), units_(units) {}

  void Cut(size_t begin, size_t end) {
    starts_paragraph_ = true;
    for (size_t at = begin; at < end;) {
      const CodePoint point = DecodeUtf8(text_.substr(at, end - at));
      const size_t size = std::max<size_t>(point.bytes, 1);
      Take(at, size, point.value);
      at += size;
    }
    Close();
  }

 private:
  void Take(size_t at, size_t size, char32_t c) {
    if (IsBlank(c)) {
      word_bytes_ = 0;
      if (c == '\n' || ended_) Close();
      return;
    }
    HalfWords cost = 0;
    if (IsIdeograph(c)) {
      cost = kIdeograph;
      word_bytes_ = 0;
    } else {
      if (word_bytes_ / kBytesPerWord != (word_bytes_ + size) / kBytesPerWord) cost = kWord;
      if (word_bytes_ == 0) cost = kWord;
      word_bytes_ += size;
    }
    if (unit_.cost + cost > max_cost_) Close();
    if (unit_.end == 0) unit_.begin = at;
    unit_.end = at + size;
    unit_.cost += cost;
    ended_ = EndsBeforeBlank(c);
    if (EndsAnywhere(c)) Close();
  }

  void Close() {
    if (unit_.end != 0) {
      unit_.starts_paragraph = starts_paragraph_;
      starts_paragraph_ = false;
      units_.push_back(unit_);
    }
    unit_ = TextUnit();
    ended_ = false;
  }

  const std::string_view text_;
  const HalfWords max_cost_;
  std::vector<TextUnit>& units_;
  TextUnit unit_;
  size_t word_bytes_ = 0;
  bool ended_ = false, starts_paragraph_ = true;
};

}  // namespace

int HeadingLevel(std::string_view line) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  const bool is_heading = level >= 1 && level <= 6 && line.size() <= kMaxHeadingBytes &&
                          level < line.size() && line[level] == ' ' && !HeadingText(line).empty();
  return is_heading ? static_cast<int>(level) : 0;
}

std::string HeadingText(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
  const size_t last = line.find_last_not_of(" \t\r");
  line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const size_t mark = line.find_last_not_of('#');
  const bool is_closed = mark != std::string_view::npos && mark + 1 < line.size() &&
                         line[mark] == ' ';  // "## Heading ##", but "C#"
  if (is_closed) line = line.substr(0, line.find_last_not_of(' ', mark) + 1);
  return std::string(line);
}

std::vector<TextUnit> SplitIntoUnits(std::string_view text, HalfWords max_cost) {
  std::vector<TextUnit> units;
  SentenceCutter cutter(text, max_cost, units);
  size_t paragraph = std::string_view::npos;  // where an open one begins
  const auto close = [&](size_t end) {
    if (paragraph != std::string_view::npos) cutter.Cut(paragraph, end);
    paragraph = std::string_view::npos;
  };
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const size_t last = line.find_last_not_of(" \t\r");
    const int level = HeadingLevel(line);
    if (last == std::string_view::npos) {
      close(begin);
    } else if (level > 0) {
      close(begin);
      units.push_back({.begin = begin, .end = begin + last + 1, .level = level});
    } else if (paragraph == std::string_view::npos) {
      paragraph = begin;
    }
    begin = end + 1;
  }
  close(text.size());
  return units;
}

}  // namespace emptor::catalog
