// Private to catalog: reads the parts of a record from JSON, for product_json.cc. Reading continues
// after an error; the reader keeps the first one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/encoding/json.h"
#include "catalog/product.h"
#include "catalog/repair.h"

namespace emptor::catalog {

/// Converts values and keeps the first error; `field` names the place for its message.
/// Thread-safety: none.
class FieldReader {
 public:
  /// With `tolerated`, a bad value of a list becomes a problem there and the other values are read.
  explicit FieldReader(std::vector<FieldProblem>* tolerated = nullptr) : tolerated_(tolerated) {}

  const absl::Status& status() const { return status_; }

  void Fail(std::string_view field, std::string_view what);
  /// Returns `holds`; if false, the error is "expected ..., found ...".
  bool Expect(bool holds, std::string_view field, std::string_view expected,
              const JsonValue& found);
  /// True when the fault became a problem and reading continues without the value.
  bool Tolerate(std::string_view field, std::string_view what);
  void UnknownField(std::string_view parent, std::string_view name);
  /// An error "missing" for each of `names` that the object lacks.
  void Require(std::string_view parent, std::initializer_list<std::string_view> names,
               const JsonValue& object);

  std::string String(std::string_view field, const JsonValue& value);
  int64_t Integer(std::string_view field, const JsonValue& value);
  std::vector<std::string> Strings(std::string_view field, const JsonValue& value);
  std::vector<uint32_t> Places(std::string_view field, const JsonValue& value);
  template <typename Enum>
  Enum Name(std::string_view field, const JsonValue& value,
            std::optional<Enum> (*parse)(std::string_view)) {
    const std::string text = String(field, value);
    const std::optional<Enum> parsed = parse(text);
    if (!parsed) UnknownValue(field, text);
    return parsed.value_or(Enum{});
  }

 private:
  void UnknownValue(std::string_view field, std::string_view value);

  absl::Status status_;
  std::vector<FieldProblem>* tolerated_;
};

/// The forms of docs/formats/catalog_jsonl.md.
Money ReadMoney(FieldReader& reader, const std::string& field, const JsonValue& value);
TimeRange ReadTimeRange(FieldReader& reader, const std::string& field, const JsonValue& value);
Rating ReadRating(FieldReader& reader, const JsonValue& value);
std::vector<Attribute> ReadNamedTexts(FieldReader& reader, std::string_view field,
                                      const JsonValue& value);
std::vector<RegionalPrice> ReadRegionalPrices(FieldReader& reader, const JsonValue& value);
std::vector<Shipping> ReadShipping(FieldReader& reader, const JsonValue& value);
std::vector<LocationStock> ReadStock(FieldReader& reader, const JsonValue& value);

}  // namespace emptor::catalog
