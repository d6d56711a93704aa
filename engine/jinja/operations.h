// What Python's operators do, within the budget of a rendering. Where Python raises, these fail.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/jinja/runtime.h"

namespace emptor::engine::jinja {

enum class Operator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn
};

bool Truth(const Value& value);
bool Equal(Runtime& run, const Value& a, const Value& b);
/// REQUIRES of the result: numbers with numbers, strings with strings; else it fails.
bool Less(Runtime& run, const Value& a, const Value& b);
/// The value under a key of any kind, or null.
const Value* FindEntry(Runtime& run, const Dict& dict, const Value& key);
bool Contains(Runtime& run, const Value& container, const Value& item);
/// Any of Operator.
Value Apply(Runtime& run, Operator op, const Value& a, const Value& b);
Value Negate(Runtime& run, const Value& value);

/// `object.name`: a method or attribute, else the entry of a mapping.
Value GetAttribute(Runtime& run, const Value& object, std::string_view name);
/// `object[key]`: the entry or item, else the attribute of that name.
Value GetItem(Runtime& run, const Value& object, const Value& key);
/// `object[start:stop:step]`; bounds may be none.
Value GetSlice(Runtime& run, const Value& object, const Value& start, const Value& stop,
               const Value& step);

/// What a `for` over the value yields; nothing when it cannot be iterated, which fails.
std::optional<std::vector<Value>> Iterate(Runtime& run, const Value& value);
/// The number of items or characters; fails where there is no such number.
std::optional<int64_t> Length(Runtime& run, const Value& value);
/// An integer or a boolean.
std::optional<int64_t> AsInteger(const Value& value);
/// Any number or boolean.
std::optional<double> AsNumber(const Value& value);

/// str(value): what `{{ value }}` writes.
Text ToText(Runtime& run, const Value& value);
/// The shortest decimal form that reads back as the same number, as Python writes it.
std::string FormatDouble(double number);

struct JsonStyle {
  std::optional<int> indent;
  Text item_separator = Text(", "), key_separator = Text(": ");
  bool sort_keys = false, ascii = false;
};
/// json.dumps(value). Errors: what has no JSON form.
Text ToJson(Runtime& run, const Value& value, const JsonStyle& style);

}  // namespace emptor::engine::jinja
