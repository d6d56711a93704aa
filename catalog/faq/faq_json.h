// FAQ entries as JSON: the store's records, the lines of an export, and bodies of requests. Format:
// docs/formats/faq.md.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "catalog/faq/faq_entry.h"

namespace emptor::catalog {

/// The members of an entry; those that are empty are left out, `version` and `updated_at` before it
/// is stored.
void WriteFaqMembers(const FaqEntry& entry, JsonWriter& writer);
std::string FaqEntryJson(const FaqEntry& entry);

/// Reads an entry of our own format (`questions`), a plain one (`question`, `answer`), or a
/// document of kind faq (`title`, `text`). The entry is not checked yet (faq_rules.h), and its id
/// is empty where none is named. `version` and `updated_at` are read. Errors: kInvalidArgument,
/// message "field: what is wrong, what was found".
absl::StatusOr<FaqEntry> FaqEntryFromJson(const JsonValue& value);

}  // namespace emptor::catalog
