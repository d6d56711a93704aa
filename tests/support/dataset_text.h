// What the readers of catalog data sets share: rows of JSON lines, and text that the importer
// takes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/encoding/json.h"

namespace emptor::testing {

/// Blanks for control characters and separators, none at the ends, at most `max_bytes`.
std::string CleanText(std::string text, size_t max_bytes);

/// The clean text of a member; "" where it is absent or no string.
std::string TextMember(const catalog::JsonValue& row, std::string_view name, size_t max_bytes);

/// Calls `visit` with each line's object. Errors: kNotFound (the data is absent), kDataLoss.
absl::Status ForEachRow(std::string_view relative_path,
                        const std::function<void(const catalog::JsonValue& row)>& visit);

}  // namespace emptor::testing
