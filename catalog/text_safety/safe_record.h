// Makes the text of records plain and screens it before they are stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "catalog/text_safety/injection_screen.h"

namespace emptor::catalog {

/// Handling of a record whose text holds a prompt injection.
enum class ScreenPolicy {
  kOff,         // not checked
  kFlag,        // it is stored, with a warning
  kQuarantine,  // it is stored, but hidden from search and answers
};
/// "off", "flag", "quarantine".
std::string_view ToString(ScreenPolicy policy);
std::optional<ScreenPolicy> ParseScreenPolicy(std::string_view name);

/// A finding in a record, for the result of its row.
struct TextWarning {
  std::string field;   // "description", "attributes.colour"
  std::string reason;  // one line
  ScreenRule rule = ScreenRule::kModel;
};

/// Makes every text plain (plain_text.h), then looks for injections (injection_screen.h) in title,
/// description, attributes and options, or in title and text (of a FAQ entry only in the text: its
/// title is a question). Under kQuarantine a record with a finding gets its `quarantine` set. No
/// address in a record is ever fetched. Thread-safe.
std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Product& product);
std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Document& document);

/// True for a field of catalog_jsonl.md whose text MakeSafe screens or makes plain.
bool IsScreenedField(std::string_view field);

}  // namespace emptor::catalog
