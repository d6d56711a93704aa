// Lines, objects, clean text.
#include "tests/support/dataset_text.h"

#include <algorithm>

#include "catalog/encoding/utf8.h"
#include "tests/support/test_data.h"

namespace emptor::testing {

std::string CleanText(std::string text, size_t max_bytes) {
  while (auto offset = catalog::FindControlCharacter(text, catalog::LineBreaks::kRefused)) {
    text.replace(*offset, catalog::DecodeUtf8(std::string_view(text).substr(*offset)).bytes, " ");
  }
  text = catalog::Utf8Prefix(text, max_bytes);
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string TextMember(const catalog::JsonValue& row, std::string_view name, size_t max_bytes) {
  const catalog::JsonValue* value = row.Find(name);
  return value != nullptr && value->is_string() ? CleanText(value->as_string(), max_bytes) : "";
}

absl::Status ForEachRow(std::string_view relative_path,
                        const std::function<void(const catalog::JsonValue& row)>& visit) {
  const absl::StatusOr<std::string> text = ReadTestData(relative_path);
  if (!text.ok()) return text.status();
  std::string_view rest = *text;
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const absl::StatusOr<catalog::JsonValue> row = catalog::ParseJson(line);
    if (!row.ok() || !row->is_object()) {
      return absl::DataLossError(std::string(relative_path) + ":" + std::to_string(number) + ": " +
                                 row.status().ToString());
    }
    visit(*row);
  }
  return absl::OkStatus();
}

}  // namespace emptor::testing
