// Reading of lines, columns and numbers.
#include "retrieval/eval/eval_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace emptor::retrieval {

std::optional<std::string_view> LineWalk::Next() {
  while (!rest_.empty()) {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) return line;
  }
  return std::nullopt;
}

std::vector<std::string_view> SplitTabs(std::string_view line) {
  std::vector<std::string_view> columns;
  for (size_t tab; (tab = line.find('\t')) != std::string_view::npos;) {
    columns.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  columns.push_back(line);
  return columns;
}

std::vector<std::string_view> SplitBlanks(std::string_view line) {
  std::vector<std::string_view> columns;
  for (;;) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return columns;
    line.remove_prefix(begin);
    const size_t end = std::min(line.find_first_of(" \t"), line.size());
    columns.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<double> ParseDecimal(std::string_view text, double limit) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || text.empty()) return std::nullopt;
  if (!std::isfinite(value) || std::abs(value) > limit) return std::nullopt;
  return value;
}

std::string Excerpt(std::string_view text) {
  constexpr size_t kMax = 40;
  if (text.size() <= kMax) return std::string(text);
  size_t end = kMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace emptor::retrieval
