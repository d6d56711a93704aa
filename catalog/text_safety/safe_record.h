// What every record passes before it is stored, whatever feed it comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "catalog/text_safety/injection_screen.h"

namespace emptor::catalog {

/// What becomes of a record whose text speaks to the assistant.
enum class ScreenPolicy {
  kOff,         // nothing is looked for
  kFlag,        // it is taken, and the result says so
  kQuarantine,  // it is stored, and neither search nor answers show it
};
/// "off", "flag", "quarantine".
std::string_view ToString(ScreenPolicy policy);
std::optional<ScreenPolicy> ParseScreenPolicy(std::string_view name);

/// One thing that was found in a record, for the result of its row.
struct TextWarning {
  std::string field;   // "description", "attributes.colour"
  std::string reason;  // one line
  ScreenRule rule = ScreenRule::kModel;
};

/// Makes every text plain (plain_text.h), then looks for injections (injection_screen.h) in title,
/// description, attributes and options, or in title and text (of a FAQ entry: the text alone, its
/// title is a question by nature). Under kQuarantine a record that was found out gets its
/// `quarantine` filled in. No address that a record names is ever fetched. Thread-safe.
std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Product& product);
std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Document& document);

/// True when a change of this field of catalog_jsonl.md is a change of text that MakeSafe looks at.
bool IsScreenedField(std::string_view field);

}  // namespace emptor::catalog
