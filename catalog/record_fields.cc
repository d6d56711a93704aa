// The parts of a record, from JSON.
#include "catalog/record_fields.h"

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

int64_t ReadTime(FieldReader& reader, const std::string& field, const JsonValue& value) {
  const std::string text = reader.String(field, value);
  const std::optional<int64_t> seconds = ParseRfc3339(text);
  if (!seconds) {
    reader.Fail(field,
                fmt::format("expected an RFC 3339 time, found \"{}\"", Utf8Prefix(text, 64)));
  }
  return seconds.value_or(0);
}

// An array of objects, each read by `read(object)`.
template <typename T, typename Read>
std::vector<T> ReadObjects(FieldReader& reader, std::string_view field, const JsonValue& value,
                           Read read) {
  std::vector<T> items;
  if (!reader.Expect(value.is_array(), field, "an array of objects", value)) return items;
  items.reserve(value.as_array().size());
  for (const JsonValue& item : value.as_array()) {
    if (!reader.Expect(item.is_object(), field, "an array of objects", item)) return items;
    items.push_back(read(item));
  }
  return items;
}

// A number or boolean as a merchant would write it.
std::optional<std::string> TextOfScalar(const JsonValue& value) {
  if (value.is_bool()) return value.as_bool() ? "yes" : "no";
  if (value.is_int()) return fmt::format("{}", value.as_int());
  if (value.is_number()) return fmt::format("{}", value.as_double());
  return std::nullopt;
}

RegionalPrice ReadRegionalPrice(FieldReader& reader, const JsonValue& value) {
  RegionalPrice price;
  const std::string parent = "regional_prices.";
  for (const auto& [name, member] : value.as_object()) {
    if (name == "region") {
      price.region = reader.String(parent + name, member);
    } else if (name == "price") {
      price.price = ReadMoney(reader, parent + name, member);
    } else if (name == "sale_price") {
      price.sale_price = ReadMoney(reader, parent + name, member);
    } else if (name == "sale_price_effective_date") {
      price.sale_price_effective = ReadTimeRange(reader, parent + name, member);
    } else {
      reader.UnknownField(parent, name);
    }
  }
  reader.Require(parent, {"price"}, value);
  return price;
}

Shipping ReadOneShipping(FieldReader& reader, const JsonValue& value) {
  Shipping shipping;
  const std::string parent = "shipping.";
  for (const auto& [name, member] : value.as_object()) {
    if (name == "region") {
      shipping.region = reader.String(parent + name, member);
    } else if (name == "service") {
      shipping.service = reader.String(parent + name, member);
    } else if (name == "price") {
      shipping.price = ReadMoney(reader, parent + name, member);
    } else if (name == "min_days") {
      shipping.min_days = reader.Integer(parent + name, member);
    } else if (name == "max_days") {
      shipping.max_days = reader.Integer(parent + name, member);
    } else {
      reader.UnknownField(parent, name);
    }
  }
  reader.Require(parent, {"price"}, value);
  return shipping;
}

LocationStock ReadLocationStock(FieldReader& reader, const JsonValue& value) {
  LocationStock stock;
  const std::string parent = "stock.";
  for (const auto& [name, member] : value.as_object()) {
    if (name == "location") {
      stock.location = reader.String(parent + name, member);
    } else if (name == "availability") {
      stock.availability = reader.Name(parent + name, member, ParseAvailability);
    } else if (name == "quantity") {
      stock.quantity = reader.Integer(parent + name, member);
    } else {
      reader.UnknownField(parent, name);
    }
  }
  reader.Require(parent, {"location"}, value);
  return stock;
}

}  // namespace

void FieldReader::Fail(std::string_view field, std::string_view what) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
}

bool FieldReader::Expect(bool holds, std::string_view field, std::string_view expected,
                         const JsonValue& found) {
  if (!holds) {
    Fail(field, fmt::format("expected {}, found {}", expected, DescribeKind(found.kind())));
  }
  return holds;
}

bool FieldReader::Tolerate(std::string_view field, std::string_view what) {
  if (tolerated_ == nullptr) return false;
  tolerated_->push_back({std::string(field), std::string(what)});
  return true;
}

void FieldReader::UnknownField(std::string_view parent, std::string_view name) {
  Fail(fmt::format("{}{}", parent, Utf8Prefix(name, 64)), "unknown field");
}

void FieldReader::UnknownValue(std::string_view field, std::string_view value) {
  Fail(field, fmt::format("unknown value \"{}\"", Utf8Prefix(value, 64)));
}

void FieldReader::Require(std::string_view parent, std::initializer_list<std::string_view> names,
                          const JsonValue& object) {
  for (const std::string_view name : names) {
    if (object.Find(name) == nullptr) Fail(fmt::format("{}{}", parent, name), "missing");
  }
}

std::string FieldReader::String(std::string_view field, const JsonValue& value) {
  return Expect(value.is_string(), field, "a string", value) ? value.as_string() : std::string();
}

int64_t FieldReader::Integer(std::string_view field, const JsonValue& value) {
  return Expect(value.is_int(), field, "an integer", value) ? value.as_int() : 0;
}

std::vector<std::string> FieldReader::Strings(std::string_view field, const JsonValue& value) {
  std::vector<std::string> strings;
  if (!Expect(value.is_array(), field, "an array of strings", value)) return strings;
  for (const JsonValue& item : value.as_array()) {
    const bool is_left_out =
        !item.is_string() && Tolerate(field, fmt::format("expected a string, found {}: left out",
                                                         DescribeKind(item.kind())));
    if (!is_left_out) strings.push_back(String(field, item));
  }
  return strings;
}

std::vector<uint32_t> FieldReader::Places(std::string_view field, const JsonValue& value) {
  std::vector<uint32_t> places;
  if (!Expect(value.is_array(), field, "an array of numbers", value)) return places;
  for (const JsonValue& item : value.as_array()) {
    const int64_t place = Integer(field, item);
    if (place < 0 || place > UINT32_MAX) Fail(field, "expected places in the text, ascending");
    places.push_back(static_cast<uint32_t>(place));
  }
  return places;
}

Money ReadMoney(FieldReader& reader, const std::string& field, const JsonValue& value) {
  Money money;
  if (!reader.Expect(value.is_object(), field, "an object {amount, currency}", value)) return money;
  for (const auto& [name, member] : value.as_object()) {
    if (name == "amount") {
      money.amount = reader.Integer(field + ".amount", member);
    } else if (name == "currency") {
      money.currency = reader.String(field + ".currency", member);
    } else {
      reader.UnknownField(field + ".", name);
    }
  }
  reader.Require(field + ".", {"amount", "currency"}, value);
  return money;
}

TimeRange ReadTimeRange(FieldReader& reader, const std::string& field, const JsonValue& value) {
  TimeRange range;
  if (!reader.Expect(value.is_object(), field, "an object {start, end}", value)) return range;
  for (const auto& [name, member] : value.as_object()) {
    if (name == "start") {
      range.start = ReadTime(reader, field + ".start", member);
    } else if (name == "end") {
      range.end = ReadTime(reader, field + ".end", member);
    } else {
      reader.UnknownField(field + ".", name);
    }
  }
  return range;
}

Rating ReadRating(FieldReader& reader, const JsonValue& value) {
  Rating rating;
  if (!reader.Expect(value.is_object(), "rating", "an object {value, count}", value)) return rating;
  for (const auto& [name, member] : value.as_object()) {
    if (name == "value") {
      if (reader.Expect(member.is_number(), "rating.value", "a number", member)) {
        rating.value = member.as_double();
      }
    } else if (name == "count") {
      rating.count = reader.Integer("rating.count", member);
    } else {
      reader.UnknownField("rating.", name);
    }
  }
  reader.Require("rating.", {"value"}, value);
  return rating;
}

std::vector<Attribute> ReadNamedTexts(FieldReader& reader, std::string_view field,
                                      const JsonValue& value) {
  std::vector<Attribute> texts;
  if (!reader.Expect(value.is_object(), field, "an object of strings", value)) return texts;
  texts.reserve(value.as_object().size());
  for (const auto& [name, member] : value.as_object()) {
    if (member.is_string()) {
      texts.push_back({name, member.as_string()});
      continue;
    }
    const std::string place = fmt::format("{}.{}", field, Utf8Prefix(name, 64));
    const std::optional<std::string> text = TextOfScalar(member);
    const std::string problem =
        fmt::format("expected a string, found {}{}", DescribeKind(member.kind()),
                    text ? ": read as text" : ": left out");
    if (!reader.Tolerate(place, problem)) {
      reader.Expect(false, place, "a string", member);
      return texts;
    }
    if (text) texts.push_back({name, *text});
  }
  return texts;
}

std::vector<RegionalPrice> ReadRegionalPrices(FieldReader& reader, const JsonValue& value) {
  return ReadObjects<RegionalPrice>(reader, "regional_prices", value, [&](const JsonValue& item) {
    return ReadRegionalPrice(reader, item);
  });
}

std::vector<Shipping> ReadShipping(FieldReader& reader, const JsonValue& value) {
  return ReadObjects<Shipping>(reader, "shipping", value, [&](const JsonValue& item) {
    return ReadOneShipping(reader, item);
  });
}

std::vector<LocationStock> ReadStock(FieldReader& reader, const JsonValue& value) {
  return ReadObjects<LocationStock>(reader, "stock", value, [&](const JsonValue& item) {
    return ReadLocationStock(reader, item);
  });
}

}  // namespace emptor::catalog
