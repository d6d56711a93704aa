// Reading checks the JSON's shape here and in record_fields.cc, the values in validation.cc.
#include "catalog/product_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "catalog/encoding/utf8.h"
#include "catalog/record_fields.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

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
     [](R r, J v, P p) {
       p.sale_price_effective = ReadTimeRange(r, "sale_price_effective_date", v);
     }},
    {"availability",
     [](R r, J v, P p) { p.availability = r.Name("availability", v, ParseAvailability); }},
    {"condition", [](R r, J v, P p) { p.condition = r.Name("condition", v, ParseCondition); }},
    {"link", [](R r, J v, P p) { p.link = r.String("link", v); }},
    {"image_link", [](R r, J v, P p) { p.image_link = r.String("image_link", v); }},
    {"additional_image_links",
     [](R r, J v, P p) { p.additional_image_links = r.Strings("additional_image_links", v); }},
    {"rating", [](R r, J v, P p) { p.rating = ReadRating(r, v); }},
    {"attributes", [](R r, J v, P p) { p.attributes = ReadNamedTexts(r, "attributes", v); }},
    {"item_group_id", [](R r, J v, P p) { p.item_group_id = r.String("item_group_id", v); }},
    {"options", [](R r, J v, P p) { p.options = ReadNamedTexts(r, "options", v); }},
    {"regional_prices", [](R r, J v, P p) { p.regional_prices = ReadRegionalPrices(r, v); }},
    {"shipping", [](R r, J v, P p) { p.shipping = ReadShipping(r, v); }},
    {"stock", [](R r, J v, P p) { p.stock = ReadStock(r, v); }},
    {"popularity", [](R r, J v, P p) { p.popularity = r.Integer("popularity", v); }},
    {"trust", [](R r, J v, P p) { p.trust = r.Name("trust", v, ParseTrust); }},
    {"quarantine", [](R r, J v, P p) { p.quarantine = r.String("quarantine", v); }},
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
    {"product_id", [](R r, J v, D d) { d.product_id = r.String("product_id", v); }},
    {"trust", [](R r, J v, D d) { d.trust = r.Name("trust", v, ParseTrust); }},
    {"quarantine", [](R r, J v, D d) { d.quarantine = r.String("quarantine", v); }},
    {"pages", [](R r, J v, D d) { d.pages = r.Places("pages", v); }},
};

bool IsRequired(std::string_view name) {
  return name == "id" || name == "kind" || name == "title" || name == "text" || name == "price";
}

// An unreadable member must not turn the record into an offer or into trusted text.
void TakeSafeValue(std::string_view name, Product& product) {
  if (name == "availability") product.availability = Availability::kOutOfStock;
  if (name == "trust") product.trust = Trust::kUntrusted;
  if (name == "quarantine") product.quarantine = "quarantine: not readable";
}
void TakeSafeValue(std::string_view name, Document& document) {
  if (name == "trust") document.trust = Trust::kUntrusted;
  if (name == "quarantine") document.quarantine = "quarantine: not readable";
}
constexpr bool HasSafeValue(std::string_view name) {
  return name == "availability" || name == "trust" || name == "quarantine";
}

// `field: reason` in its parts.
FieldProblem ProblemOf(const absl::Status& status) {
  const std::string message(status.message());
  const size_t colon = message.find(": ");
  return {message.substr(0, colon), message.substr(colon + 2)};
}

// Reads one member through its row of `fields`.
template <typename T, typename Fields>
void ReadMember(FieldReader& reader, const JsonMember& member, const Fields& fields, T& record) {
  for (const auto& [name, read] : fields) {
    if (name == member.name) return read(reader, member.value, record);
  }
  reader.UnknownField("", member.name);
}

// Reads every member of `value`, all or none.
template <typename T, typename Fields>
absl::StatusOr<T> ReadObject(const JsonValue& value, const Fields& fields) {
  FieldReader reader;
  T record;
  if (!reader.Expect(value.is_object(), "record", "an object", value)) return reader.status();
  for (const JsonMember& member : value.as_object()) {
    ReadMember(reader, member, fields, record);
    if (!reader.status().ok()) return reader.status();
  }
  return record;
}

// Reads the members that can be read; a member that fails leaves nothing of its value behind.
template <typename T, typename Fields>
absl::StatusOr<T> ReadObjectLeniently(const JsonValue& value, const Fields& fields,
                                      LenientReading& lenient) {
  if (absl::StatusOr<T> whole = ReadObject<T>(value, fields); whole.ok()) return whole;
  FieldReader shape;
  T record;
  if (!shape.Expect(value.is_object(), "record", "an object", value)) return shape.status();
  for (const JsonMember& member : value.as_object()) {
    if (member.value.is_null()) continue;
    FieldReader reader(&lenient.problems);
    const bool is_known = std::any_of(std::begin(fields), std::end(fields), [&](const auto& field) {
      return field.first == member.name;
    });
    T attempt = is_known ? record : T();
    ReadMember(reader, member, fields, attempt);
    if (reader.status().ok()) {
      record = std::move(attempt);
      continue;
    }
    if (IsRequired(member.name)) return reader.status();
    lenient.problems.push_back(ProblemOf(reader.status()));
    if (HasSafeValue(member.name)) {
      TakeSafeValue(member.name, record);
    } else {
      lenient.left_out.push_back(member.name);
    }
  }
  return record;
}

// A description waits for the import, which makes it plain text and cuts it then.
absl::Status RepairAndValidate(Product& product, std::vector<FieldProblem>& problems) {
  if (product.description.size() <= RecordLimits::kDescription) {
    return RepairProduct(product, problems);
  }
  CleanedText cleaned = RemoveControlCharacters(product.description, LineBreaks::kAllowed);
  if (cleaned.has_lost) problems.push_back({"description", "control characters were removed"});
  product.description.clear();
  const absl::Status valid = RepairProduct(product, problems);
  product.description = std::move(cleaned.text);
  return valid;
}

}  // namespace

absl::StatusOr<Product> ProductFieldsFromJson(const JsonValue& value, LenientReading* lenient) {
  if (lenient == nullptr) return ReadObject<Product>(value, kProductFields);
  return ReadObjectLeniently<Product>(value, kProductFields, *lenient);
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
  if (document->kind == "review" && value.Find("trust") == nullptr) {
    document->trust = Trust::kUntrusted;
  }
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

absl::StatusOr<Record> ReadRecordLeniently(const JsonValue& value, LenientReading& lenient) {
  const JsonValue* kind = value.Find("kind");
  if (kind == nullptr || !kind->is_string() || kind->as_string() == "product") {
    auto product = ReadObjectLeniently<Product>(value, kProductFields, lenient);
    if (!product.ok()) return product.status();
    const absl::Status valid = RepairAndValidate(*product, lenient.problems);
    if (!valid.ok()) return valid;
    return Record(*std::move(product));
  }
  auto document = ReadObjectLeniently<Document>(value, kDocumentFields, lenient);
  if (!document.ok()) return document.status();
  if (document->kind == "review" && value.Find("trust") == nullptr) {
    document->trust = Trust::kUntrusted;
  }
  const absl::Status valid = RepairDocument(*document, lenient.problems);
  if (!valid.ok()) return valid;
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
  return ParseJson(json, {.max_bytes = kMaxRecordBytes, .max_depth = 8, .max_nodes = 6000});
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
