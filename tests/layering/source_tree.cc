// Line-based: the sources are formatted by clang-format, so columns tell the structure.
#include "tests/layering/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace emptor::testing {
namespace {

size_t Indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool StartsWithAny(std::string_view text, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// Lines at the column of a function that cannot be its first.
bool IsNoHead(std::string_view text) {
  constexpr std::array<std::string_view, 7> kNoHeads = {"}",       "#",          "//",      ":",
                                                        "public:", "protected:", "private:"};
  return text.empty() || StartsWithAny(text, kNoHeads);
}

bool IsTypeOrNamespace(std::string_view head) {
  constexpr std::array<std::string_view, 8> kWords = {
      "namespace", "class ", "struct ", "enum ", "union ", "extern ", "using ", "constexpr "};
  return StartsWithAny(head, kWords) && head.find('(') == std::string_view::npos;
}

// A statement of a function at column 0, which stands where members of a class stand.
bool IsStatement(std::string_view head) {
  constexpr std::array<std::string_view, 7> kWords = {"if (", "for (", "while (", "switch (",
                                                      "do {", "try {", "{"};
  return StartsWithAny(head, kWords);
}

// The last line above `last` that begins at the column and can be a head; -1 when there is none.
int FindHead(const SourceFile& file, int last, size_t column) {
  for (int i = last - 1; i >= 0; --i) {
    const std::string& line = file.lines[static_cast<size_t>(i)];
    if (line.empty() || Indentation(line) != column) continue;
    if (!IsNoHead(std::string_view(line).substr(column))) return i;
    if (line[column] == '}') return -1;
  }
  return -1;
}

}  // namespace

SourceFile MakeSource(std::string path, std::string_view text) {
  SourceFile file{.path = std::move(path), .lines = {}};
  while (!text.empty()) {
    const size_t end = text.find('\n');
    file.lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return file;
}

std::vector<SourceFile> ReadSources(const std::string& root, const std::string& folder) {
  std::vector<SourceFile> files;
  const std::filesystem::path base(root);
  if (!std::filesystem::exists(base / folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(base / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc" && extension != ".cu") continue;
    const std::string path = std::filesystem::relative(entry.path(), base);
    if (path.find("node_modules") != std::string::npos) continue;
    std::ifstream stream(entry.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    files.push_back(MakeSource(path, text));
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> FindIncludes(const SourceFile& file) {
  std::vector<Include> includes;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    std::string_view line = file.lines[i];
    line.remove_prefix(Indentation(line));
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    line.remove_prefix(Indentation(line));
    if (!line.starts_with("include")) continue;
    const size_t open = line.find_first_of("\"<");
    if (open == std::string_view::npos) continue;
    const size_t close = line.find_first_of("\">", open + 1);
    if (close == std::string_view::npos) continue;
    includes.push_back(
        {std::string(line.substr(open + 1, close - open - 1)), static_cast<int>(i) + 1});
  }
  return includes;
}

std::string_view TopFolder(std::string_view path) {
  const size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view Part(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::vector<Block> FindFunctions(const SourceFile& file) {
  std::vector<Block> functions;
  for (const size_t column : {size_t{0}, size_t{2}}) {
    const std::string close = std::string(column, ' ') + "}";
    for (int last = 0; last < static_cast<int>(file.lines.size()); ++last) {
      if (file.lines[static_cast<size_t>(last)] != close) continue;
      const int head = FindHead(file, last, column);
      if (head < 0) continue;
      const std::string& line = file.lines[static_cast<size_t>(head)];
      const std::string_view text = std::string_view(line).substr(column);
      if (IsTypeOrNamespace(text) || IsStatement(text)) continue;
      functions.push_back({head + 1, last + 1, line});
    }
  }
  return functions;
}

}  // namespace emptor::testing
