// Typed look-ups with messages that say where.
#include "engine/tokenizer/json_fields.h"

#include "fmt/format.h"

namespace emptor::engine {

JsonField JsonField::At(std::string_view name, JsonView member) const {
  return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), member};
}

JsonField JsonField::At(size_t index, JsonView item) const {
  return {fmt::format("{}[{}]", path, index), item};
}

std::optional<JsonField> JsonFieldReader::Find(const JsonField& object, std::string_view name) {
  const std::optional<JsonView> found = object.value.Find(name);
  if (!found || found->is_null()) return std::nullopt;
  return object.At(name, *found);
}

std::optional<JsonField> JsonFieldReader::FindObject(const JsonField& object,
                                                     std::string_view name) {
  std::optional<JsonField> found = Find(object, name);
  if (found && !found->value.is_object()) {
    Expect(*found, "an object");
    return std::nullopt;
  }
  return found;
}

std::optional<JsonField> JsonFieldReader::FindArray(const JsonField& object,
                                                    std::string_view name) {
  std::optional<JsonField> found = Find(object, name);
  if (found && !found->value.is_array()) {
    Expect(*found, "an array");
    return std::nullopt;
  }
  return found;
}

std::string_view JsonFieldReader::Text(const JsonField& object, std::string_view name,
                                       std::string_view fallback) {
  const std::optional<JsonField> found = Find(object, name);
  return found ? TextOf(*found) : fallback;
}

std::string_view JsonFieldReader::TextOf(const JsonField& field) {
  if (field.value.is_string()) return field.value.as_string();
  Expect(field, "a string");
  return "";
}

bool JsonFieldReader::Bool(const JsonField& object, std::string_view name, bool fallback) {
  const std::optional<JsonField> found = Find(object, name);
  if (!found) return fallback;
  if (found->value.is_bool()) return found->value.as_bool();
  Expect(*found, "a boolean");
  return fallback;
}

int64_t JsonFieldReader::Integer(const JsonField& object, std::string_view name, int64_t min,
                                 int64_t max, int64_t fallback) {
  const std::optional<JsonField> found = Find(object, name);
  return found ? IntegerOf(*found, min, max, fallback) : fallback;
}

int64_t JsonFieldReader::IntegerOf(const JsonField& field, int64_t min, int64_t max,
                                   int64_t fallback) {
  if (!field.value.is_int()) {
    Expect(field, "an integer");
    return fallback;
  }
  const int64_t value = field.value.as_int();
  if (value >= min && value <= max) return value;
  Refuse(field.path, fmt::format("expected {} to {}, found {}", min, max, value));
  return fallback;
}

void JsonFieldReader::Expect(const JsonField& field, std::string_view kind) {
  Refuse(field.path, fmt::format("expected {}, found {}", kind, DescribeKind(field.value.kind())));
}

std::string JsonFieldReader::Message(std::string_view path, std::string_view what) const {
  return fmt::format("{}: {}: {}", file_, path, what);
}

void JsonFieldReader::Refuse(std::string_view path, std::string_view what) {
  if (ok()) status_ = absl::InvalidArgumentError(Message(path, what));
}

void JsonFieldReader::Unsupported(std::string_view path, std::string_view what) {
  if (ok()) status_ = absl::UnimplementedError(Message(path, what));
}

}  // namespace emptor::engine
