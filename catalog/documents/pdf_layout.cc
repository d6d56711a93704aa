// Words into lines, lines into blocks, blocks into text.
#include "catalog/documents/pdf_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

#include "catalog/documents/text_units.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// Of the height of a line.
constexpr double kSameLine = 0.5, kParagraphGap = 0.75, kCellGap = 1.5;
// Of the size of most letters; smaller differences are emphasis.
constexpr double kHeadingSize = 1.15;
constexpr int kMaxHeadingLevel = 4;
// With fewer pages running titles cannot be distinguished from text.
constexpr size_t kMinRepeats = 3;
constexpr size_t kMaxRunningBytes = 120;

struct Line {
  std::string text;
  double left = 0, right = 0, top = 0, bottom = 0;
  double size = 0;      // of its largest word
  bool is_row = false;  // of a table
};
using Lines = std::vector<Line>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

bool ContinuesLine(const Line& line, const PdfWord& word) {
  const double height = std::max(line.bottom - line.top, word.bottom - word.top);
  const double middle = (word.top + word.bottom) / 2, line_middle = (line.top + line.bottom) / 2;
  return std::abs(middle - line_middle) < kSameLine * height && word.left >= line.left;
}

Lines LinesOf(const PdfPage& page) {
  Lines lines;
  for (const PdfWord& word : page) {
    if (word.text.empty()) continue;
    if (lines.empty() || !ContinuesLine(lines.back(), word)) {
      lines.push_back({word.text, word.left, word.right, word.top, word.bottom, word.font_size});
      continue;
    }
    Line& line = lines.back();
    const bool begins_cell = word.left - line.right > kCellGap * (line.bottom - line.top);
    line.is_row = line.is_row || begins_cell;
    line.text.append(begins_cell ? " | " : " ").append(word.text);
    line.right = std::max(line.right, word.right);
    line.top = std::min(line.top, word.top);
    line.bottom = std::max(line.bottom, word.bottom);
    line.size = std::max(line.size, word.font_size);
  }
  return lines;
}

/// Sizes of letters in half points: close sizes are one.
int HalfPoints(double size) { return static_cast<int>(std::lround(2 * std::clamp(size, 0., 1e4))); }

class Sizes {
 public:
  explicit Sizes(std::span<const Lines> pages) {
    std::map<int, size_t> bytes;
    for (const Lines& lines : pages) {
      for (const Line& line : lines) bytes[HalfPoints(line.size)] += line.text.size();
    }
    size_t most = 0;
    for (const auto& [size, count] : bytes) {
      if (count > most) body_ = size;
      most = std::max(most, count);
    }
    for (auto each = bytes.rbegin(); each != bytes.rend(); ++each) {
      if (IsLarge(each->first)) levels_[each->first] = static_cast<int>(levels_.size()) + 1;
    }
  }

  /// 1 for the largest letters; 0 for those of the text.
  int LevelOf(const Line& line) const {
    const auto level = levels_.find(HalfPoints(line.size));
    return level == levels_.end() ? 0 : std::min(level->second, kMaxHeadingLevel);
  }

 private:
  bool IsLarge(int size) const {
    return body_ > 0 && static_cast<double>(size) >= kHeadingSize * body_;
  }

  int body_ = 0;
  std::map<int, int> levels_;
};

/// Equal for "Page 3 of 20" and "Page 4 of 20".
std::string WithoutNumbers(View line) {
  std::string pattern;
  for (const char c : line) {
    if (!IsDigit(c)) {
      pattern += c;
    } else if (pattern.empty() || pattern.back() != '#') {
      pattern += '#';
    }
  }
  return pattern;
}

/// Takes the first and last line off each page that most pages have there.
void DropRunningLines(std::vector<Lines>& pages) {
  const auto drop = [&](auto edge_of, auto erase) {
    std::map<std::string, size_t> seen;
    for (const Lines& lines : pages) {
      if (lines.size() > 1) ++seen[WithoutNumbers(edge_of(lines).text)];
    }
    for (Lines& lines : pages) {
      if (lines.size() < 2 || edge_of(lines).text.size() > kMaxRunningBytes) continue;
      const size_t count = seen[WithoutNumbers(edge_of(lines).text)];
      if (count >= kMinRepeats && 2 * count > pages.size()) erase(lines);
    }
  };
  for (int twice = 0; twice < 2; ++twice) {  // a page number below a running title
    drop([](const Lines& lines) -> const Line& { return lines.front(); },
         [](Lines& lines) { lines.erase(lines.begin()); });
    drop([](const Lines& lines) -> const Line& { return lines.back(); },
         [](Lines& lines) { lines.pop_back(); });
  }
}

/// The list marker of a line, with its blank; empty for other lines.
View BulletOf(View line) {
  constexpr std::array<View, 7> kBullets = {"\u2022 ", "\u25aa ", "\u25cf ", "\u2013 ",
                                            "\u2023 ", "* ",      "- "};
  for (const View bullet : kBullets) {
    if (line.starts_with(bullet)) return bullet;
  }
  return {};
}

bool BeginsNumbered(View line) {
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits <= 2 &&
         (line.substr(digits).starts_with(". ") || line.substr(digits).starts_with(") "));
}

/// Writes the lines of all pages.
class TextWriter {
 public:
  explicit TextWriter(const Sizes& sizes) : sizes_(sizes) {}

  std::string Write(const Lines& lines) {
    text_.clear();
    previous_ = nullptr;
    for (const Line& line : lines) {
      const int level = sizes_.LevelOf(line);
      if (level > 0 && line.text.size() <= kMaxHeadingBytes / 2) {
        Heading(line, level);
      } else {
        Text(line);
      }
      previous_ = &line;
      level_ = level;
    }
    return std::move(text_);
  }

 private:
  void Heading(const Line& line, int level) {
    const size_t last = text_.rfind('\n') + 1;  // 0 where there is none
    const bool goes_on = previous_ != nullptr && level_ == level && !BreaksParagraph(line) &&
                         text_.size() - last + line.text.size() < kMaxHeadingBytes;
    if (goes_on) {
      text_.append(1, ' ').append(line.text);
    } else {
      Break("\n\n");
      text_.append(static_cast<size_t>(level), '#').append(1, ' ').append(line.text);
    }
  }

  void Text(const Line& line) {
    const View bullet = BulletOf(line.text);
    const bool is_item = !bullet.empty() || line.is_row || BeginsNumbered(line.text);
    const View rest = View(line.text).substr(bullet.size());
    if (previous_ != nullptr && level_ == 0 && !is_item && !BreaksParagraph(line)) {
      Join(rest);
      return;
    }
    const bool follows_item = is_item && in_list_ && level_ == 0;
    Break(follows_item ? "\n" : "\n\n");
    if (!bullet.empty()) text_ += "- ";
    // A line of body text is not a heading, whatever character it begins with.
    if (HeadingLevel(rest) > 0) text_ += ' ';
    text_ += rest;
    in_list_ = is_item;
  }

  /// Below a gap, or in another column that does not continue a sentence.
  bool BreaksParagraph(const Line& line) const {
    const double height = std::max(1., previous_->bottom - previous_->top);
    const bool is_below = line.top >= previous_->top;
    if (is_below) return line.top - previous_->bottom > kParagraphGap * height;
    return !(IsLower(line.text.front()) && IsLower(text_.back())) && text_.back() != '-';
  }

  void Join(View line) {
    const bool is_divided = text_.size() >= 2 && text_.back() == '-' &&
                            IsLower(text_[text_.size() - 2]) && IsLower(line.front());
    if (is_divided) {
      text_.pop_back();
    } else {
      text_ += ' ';
    }
    text_ += line;
  }

  void Break(View with) {
    if (!text_.empty()) text_ += with;
  }

  const Sizes& sizes_;
  std::string text_;
  const Line* previous_ = nullptr;
  int level_ = 0;         // of the previous line
  bool in_list_ = false;  // or in a table
};

}  // namespace

std::vector<std::string> LayOutPdfPages(const std::vector<PdfPage>& pages) {
  std::vector<Lines> lines;
  for (const PdfPage& page : pages) lines.push_back(LinesOf(page));
  DropRunningLines(lines);
  const Sizes sizes(lines);
  TextWriter writer(sizes);
  std::vector<std::string> texts;
  for (const Lines& page : lines) texts.push_back(writer.Write(page));
  return texts;
}

}  // namespace emptor::catalog
