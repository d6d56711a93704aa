// Reading checks the JSON's shape here and the values in validation.cc.
#include "catalog/product_json.h"

#include <utility>

#include "absl/status/status.h"
#include "catalog/timestamp.h"
#include "catalog/utf8.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

// Converts values and keeps the first error; `field` names the place for its message.
class FieldReader {
 public:
  absl::Status status() const { return status_; }

  void Fail(std::string_view field, std::string_view what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
  }
  // True when `holds`; else the error is "expected ..., found ...".
  bool Expect(bool holds, std::string_view field, std::string_view expected,
              const JsonValue& found) {
    if (!holds) {
      Fail(field, fmt::format("expected {}, found {}", expected, DescribeKind(found.kind())));
    }
    return holds;
  }
  void UnknownField(std::string_view parent, std::string_view name) {
    Fail(fmt::format("{}{}", parent, Utf8Prefix(name, 64)), "unknown field");
  }
  std::string String(std::string_view field, const JsonValue& value) {
    return Expect(value.is_string(), field, "a string", value) ? value.as_string() : std::string();
  }
  int64_t Integer(std::string_view field, const JsonValue& value) {
    return Expect(value.is_int(), field, "an integer", value) ? value.as_int() : 0;
  }
  std::vector<std::string> Strings(std::string_view field, const JsonValue& value) {
    std::vector<std::string> strings;
    if (!Expect(value.is_array(), field, "an array of strings", value)) return strings;
    for (const JsonValue& item : value.as_array()) strings.push_back(String(field, item));
    return strings;
  }
  template <typename Enum>
  Enum Name(std::string_view field, const JsonValue& value,
            std::optional<Enum> (*parse)(std::string_view)) {
    const std::string text = String(field, value);
    const std::optional<Enum> parsed = parse(text);
    if (!parsed) Fail(field, fmt::format("unknown value \"{}\"", Utf8Prefix(text, 64)));
    return parsed.value_or(Enum{});
  }

 private:
  absl::Status status_;
};

Money ReadMoney(FieldReader& reader, const std::string& field, const JsonValue& value) {
  Money money;
  if (!reader.Expect(value.is_object(), field, "an object {amount, currency}", value)) return money;
  for (const JsonMember& member : value.as_object()) {
    if (member.name == "amount") {
      money.amount = reader.Integer(field + ".amount", member.value);
    } else if (member.name == "currency") {
      money.currency = reader.String(field + ".currency", member.value);
    } else {
      reader.UnknownField(field + ".", member.name);
    }
  }
  if (value.Find("amount") == nullptr) reader.Fail(field + ".amount", "missing");
  if (value.Find("currency") == nullptr) reader.Fail(field + ".currency", "missing");
  return money;
}

int64_t ReadTime(FieldReader& reader, const std::string& field, const JsonValue& value) {
  const std::string text = reader.String(field, value);
  const std::optional<int64_t> seconds = ParseRfc3339(text);
  if (!seconds) {
    reader.Fail(field,
                fmt::format("expected an RFC 3339 time, found \"{}\"", Utf8Prefix(text, 64)));
  }
  return seconds.value_or(0);
}

TimeRange ReadTimeRange(FieldReader& reader, const JsonValue& value) {
  const std::string field = "sale_price_effective_date";
  TimeRange range;
  if (!reader.Expect(value.is_object(), field, "an object {start, end}", value)) return range;
  for (const JsonMember& member : value.as_object()) {
    if (member.name == "start") {
      range.start = ReadTime(reader, field + ".start", member.value);
    } else if (member.name == "end") {
      range.end = ReadTime(reader, field + ".end", member.value);
    } else {
      reader.UnknownField(field + ".", member.name);
    }
  }
  return range;
}

Rating ReadRating(FieldReader& reader, const JsonValue& value) {
  Rating rating;
  if (!reader.Expect(value.is_object(), "rating", "an object {value, count}", value)) return rating;
  for (const JsonMember& member : value.as_object()) {
    if (member.name == "value") {
      if (reader.Expect(member.value.is_number(), "rating.value", "a number", member.value)) {
        rating.value = member.value.as_double();
      }
    } else if (member.name == "count") {
      rating.count = reader.Integer("rating.count", member.value);
    } else {
      reader.UnknownField("rating.", member.name);
    }
  }
  if (value.Find("value") == nullptr) reader.Fail("rating.value", "missing");
  return rating;
}

std::vector<Attribute> ReadAttributes(FieldReader& reader, const JsonValue& value) {
  std::vector<Attribute> attributes;
  if (!reader.Expect(value.is_object(), "attributes", "an object of strings", value)) {
    return attributes;
  }
  attributes.reserve(value.as_object().size());
  for (const JsonMember& member : value.as_object()) {
    const bool is_string = member.value.is_string();
    if (!is_string) {
      reader.Expect(false, fmt::format("attributes.{}", Utf8Prefix(member.name, 64)), "a string",
                    member.value);
      return attributes;
    }
    attributes.push_back({member.name, member.value.as_string()});
  }
  return attributes;
}

void ReadProductKind(FieldReader& reader, const JsonValue& value) {
  const std::string kind = reader.String("kind", value);
  if (kind != "product") {
    reader.Fail("kind", fmt::format("expected product, found \"{}\"", Utf8Prefix(kind, 64)));
  }
}

// The table of fields: a name and how its value enters the product.
using ProductField = void (*)(FieldReader&, const JsonValue&, Product&);
using R = FieldReader&;
using J = const JsonValue&;
using P = Product&;
constexpr std::pair<std::string_view, ProductField> kProductFields[] = {
    {"id", [](R r, J v, P p) { p.id = r.String("id", v); }},
    {"kind", [](R r, J v, P) { ReadProductKind(r, v); }},
    {"title", [](R r, J v, P p) { p.title = r.String("title", v); }},
    {"description", [](R r, J v, P p) { p.description = r.String("description", v); }},
    {"brand", [](R r, J v, P p) { p.brand = r.String("brand", v); }},
    {"gtin", [](R r, J v, P p) { p.gtin = r.String("gtin", v); }},
    {"mpn", [](R r, J v, P p) { p.mpn = r.String("mpn", v); }},
    {"categories", [](R r, J v, P p) { p.categories = r.Strings("categories", v); }},
    {"price", [](R r, J v, P p) { p.price = ReadMoney(r, "price", v); }},
    {"sale_price", [](R r, J v, P p) { p.sale_price = ReadMoney(r, "sale_price", v); }},
    {"sale_price_effective_date",
     [](R r, J v, P p) { p.sale_price_effective = ReadTimeRange(r, v); }},
    {"availability",
     [](R r, J v, P p) { p.availability = r.Name("availability", v, ParseAvailability); }},
    {"condition", [](R r, J v, P p) { p.condition = r.Name("condition", v, ParseCondition); }},
    {"link", [](R r, J v, P p) { p.link = r.String("link", v); }},
    {"image_link", [](R r, J v, P p) { p.image_link = r.String("image_link", v); }},
    {"additional_image_links",
     [](R r, J v, P p) { p.additional_image_links = r.Strings("additional_image_links", v); }},
    {"rating", [](R r, J v, P p) { p.rating = ReadRating(r, v); }},
    {"attributes", [](R r, J v, P p) { p.attributes = ReadAttributes(r, v); }},
    {"item_group_id", [](R r, J v, P p) { p.item_group_id = r.String("item_group_id", v); }},
    {"locale", [](R r, J v, P p) { p.locale = r.String("locale", v); }},
    {"updated_at", [](R r, J v, P p) { p.updated_at = r.String("updated_at", v); }},
};

using DocumentField = void (*)(FieldReader&, const JsonValue&, Document&);
using D = Document&;
constexpr std::pair<std::string_view, DocumentField> kDocumentFields[] = {
    {"id", [](R r, J v, D d) { d.id = r.String("id", v); }},
    {"kind", [](R r, J v, D d) { d.kind = r.String("kind", v); }},
    {"title", [](R r, J v, D d) { d.title = r.String("title", v); }},
    {"text", [](R r, J v, D d) { d.text = r.String("text", v); }},
    {"link", [](R r, J v, D d) { d.link = r.String("link", v); }},
    {"locale", [](R r, J v, D d) { d.locale = r.String("locale", v); }},
    {"version", [](R r, J v, D d) { d.version = r.Integer("version", v); }},
    {"updated_at", [](R r, J v, D d) { d.updated_at = r.String("updated_at", v); }},
};

// Reads every member of `value` through its row of `fields`.
template <typename T, typename Fields>
absl::StatusOr<T> ReadObject(const JsonValue& value, const Fields& fields) {
  FieldReader reader;
  T record;
  if (!reader.Expect(value.is_object(), "record", "an object", value)) return reader.status();
  for (const JsonMember& member : value.as_object()) {
    bool known = false;
    for (const auto& [name, read] : fields) {
      if (name != member.name) continue;
      read(reader, member.value, record);
      known = true;
      break;
    }
    if (!known) reader.UnknownField("", member.name);
    if (!reader.status().ok()) return reader.status();
  }
  return record;
}

}  // namespace

absl::StatusOr<Product> ProductFieldsFromJson(const JsonValue& value) {
  return ReadObject<Product>(value, kProductFields);
}

absl::StatusOr<Product> ProductFromJson(const JsonValue& value) {
  absl::StatusOr<Product> product = ProductFieldsFromJson(value);
  if (!product.ok()) return product;
  const absl::Status valid = ValidateProduct(*product);
  if (!valid.ok()) return valid;
  return product;
}

absl::StatusOr<Document> DocumentFromJson(const JsonValue& value) {
  absl::StatusOr<Document> document = ReadObject<Document>(value, kDocumentFields);
  if (!document.ok()) return document;
  const absl::Status valid = ValidateDocument(*document);
  if (!valid.ok()) return valid;
  return document;
}

absl::StatusOr<Record> RecordFromJson(const JsonValue& value) {
  const JsonValue* kind = value.Find("kind");
  if (kind == nullptr || !kind->is_string() || kind->as_string() == "product") {
    absl::StatusOr<Product> product = ProductFromJson(value);
    if (!product.ok()) return product.status();
    return Record(*std::move(product));
  }
  absl::StatusOr<Document> document = DocumentFromJson(value);
  if (!document.ok()) return document.status();
  return Record(*std::move(document));
}

absl::StatusOr<RecordDeletion> DeletionFromJson(const JsonValue& value) {
  FieldReader reader;
  RecordDeletion deletion;
  if (!reader.Expect(value.is_object(), "record", "an object", value)) return reader.status();
  for (const JsonMember& member : value.as_object()) {
    if (member.name == "id") {
      deletion.id = reader.String("id", member.value);
    } else if (member.name == "kind") {
      deletion.is_document = reader.String("kind", member.value) != "product";
    } else if (member.name == "deleted") {
      const bool is_true = member.value.is_bool() && member.value.as_bool();
      reader.Expect(is_true, "deleted", "true", member.value);
    } else {
      reader.UnknownField("", member.name);
    }
  }
  if (!IsValidId(deletion.id)) reader.Fail("id", "missing or not a valid id");
  if (!reader.status().ok()) return reader.status();
  return deletion;
}

absl::StatusOr<JsonValue> ParseRecordJson(std::string_view json) {
  return ParseJson(json, {.max_bytes = kMaxRecordBytes, .max_depth = 8, .max_nodes = 2000});
}

absl::StatusOr<Product> ParseProduct(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseRecordJson(json);
  if (!value.ok()) return value.status();
  return ProductFromJson(*value);
}

absl::StatusOr<Document> ParseDocument(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseRecordJson(json);
  if (!value.ok()) return value.status();
  return DocumentFromJson(*value);
}

absl::StatusOr<Record> ParseRecord(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseRecordJson(json);
  if (!value.ok()) return value.status();
  return RecordFromJson(*value);
}

}  // namespace emptor::catalog
