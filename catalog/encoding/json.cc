// The gate: RapidJSON's iterative SAX reader, with the limits and checks that it lacks.
#include "catalog/encoding/json.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "catalog/encoding/utf8.h"
#include "fmt/format.h"
#include "rapidjson/error/en.h"
#include "rapidjson/memorystream.h"
#include "rapidjson/reader.h"

namespace emptor::catalog {

JsonValue::JsonValue() = default;
JsonValue::JsonValue(bool value) : value_(value) {}
JsonValue::JsonValue(int64_t value) : value_(value) {}
JsonValue::JsonValue(double value) : value_(value) {}
JsonValue::JsonValue(std::string value) : value_(std::move(value)) {}
JsonValue::JsonValue(Array value) : value_(std::move(value)) {}
JsonValue::JsonValue(Object value) : value_(std::move(value)) {}
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

bool JsonValue::as_bool() const {
  assert(is_bool());
  return *std::get_if<bool>(&value_);
}

int64_t JsonValue::as_int() const {
  assert(is_int());
  return *std::get_if<int64_t>(&value_);
}

double JsonValue::as_double() const {
  assert(is_number());
  if (is_int()) return static_cast<double>(as_int());
  return *std::get_if<double>(&value_);
}

const std::string& JsonValue::as_string() const {
  assert(is_string());
  return *std::get_if<std::string>(&value_);
}

const JsonValue::Array& JsonValue::as_array() const {
  assert(is_array());
  return *std::get_if<Array>(&value_);
}

const JsonValue::Object& JsonValue::as_object() const {
  assert(is_object());
  return *std::get_if<Object>(&value_);
}

const JsonValue* JsonValue::Find(std::string_view name) const {
  const Object* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nullptr;
  for (const JsonMember& member : *members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

std::string_view DescribeKind(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBool:
      return "a boolean";
    case JsonValue::Kind::kInt:
      return "an integer";
    case JsonValue::Kind::kDouble:
      return "a number";
    case JsonValue::Kind::kString:
      return "a string";
    case JsonValue::Kind::kArray:
      return "an array";
    case JsonValue::Kind::kObject:
      return "an object";
  }
  return "nothing";
}

namespace {

// The name that an object holds twice, or nothing. Sorting keeps this O(n log n) for any names.
const std::string* FindDuplicate(const JsonValue::Object& members) {
  constexpr size_t kFewMembers = 12;
  if (members.size() <= kFewMembers) {
    for (size_t i = 1; i < members.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (members[i].name == members[j].name) return &members[i].name;
      }
    }
    return nullptr;
  }
  std::vector<const std::string*> names;
  names.reserve(members.size());
  for (const JsonMember& member : members) names.push_back(&member.name);
  std::sort(names.begin(), names.end(), [](auto* a, auto* b) { return *a < *b; });
  auto twin =
      std::adjacent_find(names.begin(), names.end(), [](auto* a, auto* b) { return *a == *b; });
  return twin == names.end() ? nullptr : *twin;
}

// Whether the absolute value of a JSON number is less than one.
bool IsBelowOne(std::string_view text) {
  const size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, exponent_at);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const int64_t power = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  std::string_view written = text.substr(std::min(exponent_at + 1, text.size()));
  if (written.starts_with('+')) written.remove_prefix(1);
  int64_t exponent = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), exponent);
  if (read.ec == std::errc::result_out_of_range) return written.starts_with('-');
  return power + exponent <= 0;
}

// A whole number that fits is an integer, every other one the nearest double; nothing when it is
// too large for one. RapidJSON's own reading is undefined for a zero with an exponent (clz of 0).
std::optional<JsonValue> ReadNumber(std::string_view text) {
  const char* const end = text.data() + text.size();
  int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end) return JsonValue(integer);
  double number = 0;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end) return JsonValue(number);
  if (!IsBelowOne(text)) return std::nullopt;
  return JsonValue(text.starts_with('-') ? -0.0 : 0.0);
}

// Receives RapidJSON's events and builds the tree on a stack of open containers. Returning false
// stops the reader; error() then says why.
class TreeBuilder {
 public:
  explicit TreeBuilder(const JsonLimits& limits) : limits_(limits) {}

  // Events of RapidJSON's handler concept; the names are its own.
  bool Null() { return Add(JsonValue()); }
  bool Bool(bool value) { return Add(JsonValue(value)); }
  // Numbers arrive as text; RapidJSON requires these functions but never calls them.
  bool Int(int) { return Fail("a number that was read"); }
  bool Uint(unsigned) { return Fail("a number that was read"); }
  bool Int64(int64_t) { return Fail("a number that was read"); }
  bool Uint64(uint64_t) { return Fail("a number that was read"); }
  bool Double(double) { return Fail("a number that was read"); }
  bool RawNumber(const char* text, size_t size, bool) {
    std::optional<JsonValue> number = ReadNumber({text, size});
    if (!number) return Fail("a number too large");
    return Add(*std::move(number));
  }
  bool String(const char* text, size_t size, bool) {
    std::string value(text, size);
    if (!IsValidUtf8(value)) return Fail("a string holds a lone surrogate");
    return Add(JsonValue(std::move(value)));
  }
  bool Key(const char* text, size_t size, bool) {
    std::string name(text, size);
    if (!IsValidUtf8(name)) return Fail("a member name holds a lone surrogate");
    open_.back().name = std::move(name);
    return true;
  }
  bool StartObject() { return Open(true); }
  bool StartArray() { return Open(false); }
  bool EndObject(size_t) {
    JsonValue::Object members = std::move(open_.back().members);
    open_.pop_back();
    if (const std::string* name = FindDuplicate(members)) {
      return Fail(fmt::format("member \"{}\" appears twice", Utf8Prefix(*name, 64)));
    }
    return Attach(JsonValue(std::move(members)));
  }
  bool EndArray(size_t) {
    JsonValue::Array items = std::move(open_.back().items);
    open_.pop_back();
    return Attach(JsonValue(std::move(items)));
  }

  JsonValue TakeRoot() { return std::move(root_); }
  const std::string& error() const { return error_; }

 private:
  struct Container {
    bool is_object = false;
    std::string name;  // of the member whose value comes next
    JsonValue::Object members;
    JsonValue::Array items;
  };

  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  bool Count() {
    if (++nodes_ <= limits_.max_nodes) return true;
    return Fail(fmt::format("more than {} values", limits_.max_nodes));
  }

  bool Open(bool is_object) {
    if (!Count()) return false;
    if (open_.size() >= static_cast<size_t>(limits_.max_depth)) {
      return Fail(fmt::format("nested deeper than {}", limits_.max_depth));
    }
    open_.emplace_back();
    open_.back().is_object = is_object;
    return true;
  }

  bool Add(JsonValue value) { return Count() && Attach(std::move(value)); }

  bool Attach(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_object) {
      open_.back().members.push_back({std::move(open_.back().name), std::move(value)});
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const JsonLimits& limits_;
  std::vector<Container> open_;
  JsonValue root_;
  std::string error_;
  size_t nodes_ = 0;
};

absl::Status ErrorAt(size_t offset, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("byte {}: {}", offset, what));
}

// Offset of the first byte that is not part of a well-formed code point.
size_t FirstIllFormedByte(std::string_view text) {
  size_t offset = 0;
  while (offset < text.size()) {
    const size_t bytes = DecodeUtf8(text.substr(offset)).bytes;
    if (bytes == 0) break;
    offset += bytes;
  }
  return offset;
}

}  // namespace

absl::StatusOr<JsonValue> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return absl::InvalidArgumentError(
        fmt::format("byte {}: longer than {} bytes", limits.max_bytes, limits.max_bytes));
  }
  if (!IsValidUtf8(text)) return ErrorAt(FirstIllFormedByte(text), "not well-formed UTF-8");
  if (text.empty()) return ErrorAt(0, "empty, expected a JSON value");

  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  TreeBuilder builder(limits);
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (result.IsError()) {
    const bool stopped_by_us = result.Code() == rapidjson::kParseErrorTermination;
    return ErrorAt(result.Offset(), stopped_by_us ? std::string_view(builder.error())
                                                  : rapidjson::GetParseError_En(result.Code()));
  }
  // RapidJSON takes a NUL byte for the end of its input.
  if (stream.Tell() != text.size()) return ErrorAt(stream.Tell(), "text after the JSON value");
  return builder.TakeRoot();
}

}  // namespace emptor::catalog
