// Reads the members of a JSON object strictly: the first error is kept and names the field.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/encoding/json.h"

namespace emptor::services {

/// kInvalidArgument: "field: what is wrong".
absl::Status InvalidField(std::string_view field, std::string_view what);

/// A null member counts as absent; an absent member leaves `out` unchanged. After an error nothing
/// more is read. Lifetime: within the value's.
class ObjectReader {
 public:
  /// `where` is the prefix of the members' names: "filters.price".
  ObjectReader(const catalog::JsonValue& value, std::string where);

  /// Any other member is an error.
  void Allow(std::initializer_list<std::string_view> names) { Allow({}, names); }
  void Allow(std::span<const std::string_view> names, std::initializer_list<std::string_view> more);

  const catalog::JsonValue* Find(std::string_view name) const;
  void Text(std::string_view name, size_t max_bytes, std::string& out);
  void Integer(std::string_view name, int64_t low, int64_t high, std::optional<int64_t>& out);
  void Integer(std::string_view name, int low, int high, int& out);
  void Number(std::string_view name, double low, double high, float& out);
  void Number(std::string_view name, double low, double high, std::optional<double>& out);
  void Flag(std::string_view name, bool& out);
  /// At most 50 strings of 1 to 256 bytes.
  void Texts(std::string_view name, std::vector<std::string>& out);

  void Fail(std::string_view name, std::string_view what);
  /// kUnimplemented: the field is known, its value is not supported.
  void Refuse(std::string_view name, std::string_view what = "is not supported by this service");
  /// "expected KIND, found a number".
  void Expected(std::string_view name, std::string_view kind, const catalog::JsonValue& value);
  void Take(const absl::Status& status);
  /// The member's name with its prefix.
  std::string PathOf(std::string_view name) const;
  const absl::Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }

 private:
  const catalog::JsonValue& value_;
  const std::string where_;
  absl::Status status_;
};

}  // namespace emptor::services
