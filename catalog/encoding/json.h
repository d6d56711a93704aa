// Strict JSON parser and writer for all JSON from outside: requests, feeds, model answers.
// RapidJSON is included by json.cc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::catalog {

struct JsonMember;

/// An immutable-by-use JSON tree. Members keep their order. Numbers: an integer that fits int64_t
/// is kInt, every other number is kDouble (never NaN or infinite). Strings are valid UTF-8; they
/// may hold U+0000 when the text escaped it. Thread-safety: const access from any thread.
class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;
  enum class Kind { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

  JsonValue();
  explicit JsonValue(bool value);
  explicit JsonValue(int64_t value);
  explicit JsonValue(double value);
  explicit JsonValue(std::string value);
  explicit JsonValue(Array value);
  explicit JsonValue(Object value);
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_int() const { return kind() == Kind::kInt; }
  bool is_number() const { return kind() == Kind::kInt || kind() == Kind::kDouble; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_object() const { return kind() == Kind::kObject; }

  /// REQUIRES: the value is of that kind; as_double also takes kInt.
  bool as_bool() const;
  int64_t as_int() const;
  double as_double() const;
  const std::string& as_string() const;
  const Array& as_array() const;
  const Object& as_object() const;

  /// The member of that name; null when there is none or this is not an object.
  const JsonValue* Find(std::string_view name) const;

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value_;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// "null", "a boolean", "a number", ... for error messages: `expected a string, found a number`.
std::string_view DescribeKind(JsonValue::Kind kind);

struct JsonLimits {
  size_t max_bytes = 1u << 20;
  int max_depth = 64;         // nested arrays and objects
  size_t max_nodes = 100000;  // values, whatever their kind
};

/// Parses one JSON text (RFC 8259), strictly: the whole input is consumed; no byte order mark,
/// comment, NaN or trailing comma; well-formed UTF-8, also behind escapes; no duplicate member
/// name; a number outside the range of double is refused. Never recurses on the input.
/// Errors: kInvalidArgument, message `byte 17: what is wrong`.
absl::StatusOr<JsonValue> ParseJson(std::string_view text, const JsonLimits& limits = {});

/// Writes one JSON text front to back and places the commas. `<`, `>`, `&`, U+2028 and U+2029 are
/// written as \u escapes, so the text may be embedded in HTML. Ill-formed UTF-8 becomes U+FFFD, a
/// number that is not finite becomes null: the output is always valid JSON. REQUIRES: calls in a
/// grammatical order (asserted): a Key before each value of an object.
class JsonWriter {
 public:
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view name);
  JsonWriter& String(std::string_view value);
  JsonWriter& Int(int64_t value);
  JsonWriter& Double(double value);  // shortest text that reads back equal
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& Value(const JsonValue& value);
  /// Inserts a text that is valid JSON already. REQUIRES: it is.
  JsonWriter& Raw(std::string_view json);

  /// Key and value in one call.
  JsonWriter& Member(std::string_view name, std::string_view value) {
    return Key(name).String(value);
  }
  JsonWriter& Member(std::string_view name, const char* value) { return Key(name).String(value); }
  JsonWriter& Member(std::string_view name, const std::string& value) {
    return Key(name).String(value);
  }
  JsonWriter& Member(std::string_view name, bool value) { return Key(name).Bool(value); }
  template <typename Number>
  requires(std::is_arithmetic_v<Number> &&
           !std::is_same_v<Number, bool>) JsonWriter& Member(std::string_view name, Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
      return Key(name).Double(static_cast<double>(value));
    } else {
      return Key(name).Int(static_cast<int64_t>(value));
    }
  }

  /// True when a whole value has been written.
  bool complete() const { return open_.empty() && !text_.empty(); }
  const std::string& text() const { return text_; }
  /// Returns the text and starts again.
  std::string Take();

 private:
  struct Level {
    bool is_object = false;
    bool has_items = false;
  };
  void BeforeValue();
  void AppendQuoted(std::string_view value);

  std::string text_;
  std::vector<Level> open_;
  bool key_pending_ = false;
};

}  // namespace emptor::catalog
