// Strict reading of JSON members.
#include "services/api/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace emptor::services {

using catalog::DescribeKind;
using catalog::JsonValue;

namespace {
constexpr size_t kMaxTexts = 50, kMaxTextBytes = 256;
}

absl::Status InvalidField(std::string_view field, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
}

ObjectReader::ObjectReader(const JsonValue& value, std::string where)
    : value_(value), where_(std::move(where)) {
  if (!value.is_object()) {
    Fail("", fmt::format("expected an object, found {}", DescribeKind(value.kind())));
  }
}

void ObjectReader::Allow(std::span<const std::string_view> names,
                         std::initializer_list<std::string_view> more) {
  if (!status_.ok()) return;
  const auto holds = [](std::span<const std::string_view> list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const catalog::JsonMember& member : value_.as_object()) {
    if (!holds(names, member.name) && !holds(more, member.name)) {
      return Fail(member.name.substr(0, 64), "unknown field");
    }
  }
}

const JsonValue* ObjectReader::Find(std::string_view name) const {
  const JsonValue* found = status_.ok() ? value_.Find(name) : nullptr;
  return found != nullptr && found->is_null() ? nullptr : found;
}

void ObjectReader::Text(std::string_view name, size_t max_bytes, std::string& out) {
  const JsonValue* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_string()) return Expected(name, "a string", *value);
  if (value->as_string().size() > max_bytes) {
    return Fail(name, fmt::format("longer than {} bytes", max_bytes));
  }
  out = value->as_string();
}

void ObjectReader::Integer(std::string_view name, int64_t low, int64_t high,
                           std::optional<int64_t>& out) {
  const JsonValue* value = Find(name);
  if (value == nullptr) return;
  if (value->kind() == JsonValue::Kind::kDouble) {  // a fraction, or beyond 64 bits
    return Fail(name, fmt::format("must be a whole number from {} to {}", low, high));
  }
  if (!value->is_int()) return Expected(name, "an integer", *value);
  if (value->as_int() < low || value->as_int() > high) {
    return Fail(name, fmt::format("must be from {} to {}", low, high));
  }
  out = value->as_int();
}

void ObjectReader::Integer(std::string_view name, int low, int high, int& out) {
  std::optional<int64_t> value;
  Integer(name, int64_t{low}, int64_t{high}, value);
  if (value) out = static_cast<int>(*value);
}

void ObjectReader::Number(std::string_view name, double low, double high, float& out) {
  std::optional<double> value;
  Number(name, low, high, value);
  if (value) out = static_cast<float>(*value);
}

void ObjectReader::Number(std::string_view name, double low, double high,
                          std::optional<double>& out) {
  const JsonValue* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_number()) return Expected(name, "a number", *value);
  if (!(value->as_double() >= low && value->as_double() <= high)) {
    return Fail(name, fmt::format("must be from {} to {}", low, high));
  }
  out = value->as_double();
}

void ObjectReader::Flag(std::string_view name, bool& out) {
  const JsonValue* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_bool()) return Expected(name, "a boolean", *value);
  out = value->as_bool();
}

void ObjectReader::Texts(std::string_view name, std::vector<std::string>& out) {
  const JsonValue* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_array()) return Expected(name, "an array", *value);
  if (value->as_array().size() > kMaxTexts) return Fail(name, "too many values");
  for (const JsonValue& item : value->as_array()) {
    const bool is_good =
        item.is_string() && !item.as_string().empty() && item.as_string().size() <= kMaxTextBytes;
    if (!is_good) return Fail(name, "expected strings of 1 to 256 bytes");
    out.push_back(item.as_string());
  }
}

std::string ObjectReader::PathOf(std::string_view name) const {
  std::string path = where_;
  if (!path.empty() && !name.empty()) path += '.';
  path += name;
  return path.empty() ? "body" : path;
}

void ObjectReader::Fail(std::string_view name, std::string_view what) {
  if (status_.ok()) status_ = InvalidField(PathOf(name), what);
}

void ObjectReader::Refuse(std::string_view name, std::string_view what) {
  if (status_.ok()) {
    status_ = absl::UnimplementedError(fmt::format("{}: {}", PathOf(name), what));
  }
}

void ObjectReader::Expected(std::string_view name, std::string_view kind, const JsonValue& value) {
  Fail(name, fmt::format("expected {}, found {}", kind, DescribeKind(value.kind())));
}

void ObjectReader::Take(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

}  // namespace emptor::services
