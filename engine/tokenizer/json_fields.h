// Reads the fields of a JSON file by name and keeps the first thing that is wrong with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/json/json_tree.h"

namespace emptor::engine {

/// A value and where it lies in its file: "model.vocab".
struct JsonField {
  std::string path;
  JsonView value;

  JsonField At(std::string_view name, JsonView member) const;
  JsonField At(size_t index, JsonView item) const;
};

/// Absent fields and null give the fallback; a field of another kind is an error, and gives it too.
/// Thread-safety: one user at a time.
class JsonFieldReader {
 public:
  /// `file` begins the messages.
  explicit JsonFieldReader(std::string file) : file_(std::move(file)) {}

  std::optional<JsonField> Find(const JsonField& object, std::string_view name);
  std::optional<JsonField> FindObject(const JsonField& object, std::string_view name);
  std::optional<JsonField> FindArray(const JsonField& object, std::string_view name);
  std::string_view Text(const JsonField& object, std::string_view name, std::string_view fallback);
  bool Bool(const JsonField& object, std::string_view name, bool fallback);
  int64_t Integer(const JsonField& object, std::string_view name, int64_t min, int64_t max,
                  int64_t fallback);

  /// The value itself as text, an integer of the range; the fallback when it is none.
  std::string_view TextOf(const JsonField& field);
  int64_t IntegerOf(const JsonField& field, int64_t min, int64_t max, int64_t fallback);

  /// Something is malformed: kInvalidArgument; or not supported: kUnimplemented.
  void Refuse(std::string_view path, std::string_view what);
  void Unsupported(std::string_view path, std::string_view what);

  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }

 private:
  void Expect(const JsonField& field, std::string_view kind);
  std::string Message(std::string_view path, std::string_view what) const;

  std::string file_;
  absl::Status status_;
};

}  // namespace emptor::engine
