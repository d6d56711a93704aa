// The writer: escapes whatever could end a string, an HTML element or a JavaScript line.
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/utf8.h"

namespace emptor::catalog {
namespace {

// True for bytes that need no escape.
constexpr std::array<bool, 256> MakePlainTable() {
  std::array<bool, 256> plain{};
  for (int byte = 0x20; byte < 0x80; ++byte) plain[byte] = true;
  for (unsigned char byte : {'"', '\\', '<', '>', '&', '\x7F'}) plain[byte] = false;
  return plain;
}
constexpr std::array<bool, 256> kPlain = MakePlainTable();

void AppendUnicodeEscape(char32_t unit, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xFu];
}

void AppendEscapedAscii(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      AppendUnicodeEscape(static_cast<unsigned char>(c), out);
  }
}

}  // namespace

void JsonWriter::BeforeValue() {
  if (open_.empty()) {
    assert(text_.empty() && "one JSON text holds one value");
    return;
  }
  Level& level = open_.back();
  if (level.is_object) {
    assert(key_pending_ && "a member needs a Key");
    key_pending_ = false;
    return;
  }
  if (level.has_items) text_ += ',';
  level.has_items = true;
}

JsonWriter& JsonWriter::BeginObject() {
  BeforeValue();
  text_ += '{';
  open_.push_back({.is_object = true});
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  assert(!open_.empty() && open_.back().is_object && !key_pending_);
  open_.pop_back();
  text_ += '}';
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  BeforeValue();
  text_ += '[';
  open_.push_back({.is_object = false});
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  assert(!open_.empty() && !open_.back().is_object);
  open_.pop_back();
  text_ += ']';
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  assert(!open_.empty() && open_.back().is_object && !key_pending_);
  if (open_.back().has_items) text_ += ',';
  open_.back().has_items = true;
  AppendQuoted(name);
  text_ += ':';
  key_pending_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  BeforeValue();
  AppendQuoted(value);
  return *this;
}

JsonWriter& JsonWriter::Int(int64_t value) {
  BeforeValue();
  char digits[24];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  text_.append(digits, end);
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  text_.append(digits, end);
  if (value == 0 && std::signbit(value)) text_ += ".0";  // "-0" is read back as the integer 0
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  BeforeValue();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  BeforeValue();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::Value(const JsonValue& value) {
  switch (value.kind()) {
    case JsonValue::Kind::kNull:
      return Null();
    case JsonValue::Kind::kBool:
      return Bool(value.as_bool());
    case JsonValue::Kind::kInt:
      return Int(value.as_int());
    case JsonValue::Kind::kDouble:
      return Double(value.as_double());
    case JsonValue::Kind::kString:
      return String(value.as_string());
    case JsonValue::Kind::kArray:
      BeginArray();
      for (const JsonValue& item : value.as_array()) Value(item);
      return EndArray();
    case JsonValue::Kind::kObject:
      BeginObject();
      for (const JsonMember& member : value.as_object()) Key(member.name).Value(member.value);
      return EndObject();
  }
  return *this;
}

std::string JsonWriter::Take() {
  assert(open_.empty());
  return std::exchange(text_, std::string());
}

void JsonWriter::AppendQuoted(std::string_view value) {
  text_ += '"';
  size_t i = 0;
  while (i < value.size()) {
    size_t run = i;
    while (run < value.size() && kPlain[static_cast<unsigned char>(value[run])]) ++run;
    text_.append(value.substr(i, run - i));
    i = run;
    if (i == value.size()) break;
    if (static_cast<unsigned char>(value[i]) < 0x80) {
      AppendEscapedAscii(value[i++], text_);
      continue;
    }
    const CodePoint point = DecodeUtf8(value.substr(i));
    if (point.bytes == 0) {
      text_ += "\\ufffd";
      ++i;
    } else if (point.value == 0x2028 || point.value == 0x2029) {
      AppendUnicodeEscape(point.value, text_);
      i += point.bytes;
    } else {
      text_.append(value.substr(i, point.bytes));
      i += point.bytes;
    }
  }
  text_ += '"';
}

}  // namespace emptor::catalog
