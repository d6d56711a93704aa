// Writing: the members in the order of the format's description.
#include "catalog/product_json.h"
#include "catalog/timestamp.h"

namespace emptor::catalog {
namespace {

void WriteOptional(JsonWriter& writer, std::string_view name, std::string_view value) {
  if (!value.empty()) writer.Member(name, value);
}

void WriteOptional(JsonWriter& writer, std::string_view name, const std::optional<Money>& money) {
  if (!money) return;
  writer.Key(name);
  WriteMoney(*money, writer);
}

void WriteOptional(JsonWriter& writer, std::string_view name,
                   const std::vector<std::string>& values) {
  if (values.empty()) return;
  writer.Key(name).BeginArray();
  for (const std::string& value : values) writer.String(value);
  writer.EndArray();
}

void WriteSaleDates(const TimeRange& range, JsonWriter& writer) {
  writer.Key("sale_price_effective_date").BeginObject();
  if (range.start) writer.Member("start", FormatRfc3339(*range.start));
  if (range.end) writer.Member("end", FormatRfc3339(*range.end));
  writer.EndObject();
}

}  // namespace

void WriteMoney(const Money& money, JsonWriter& writer) {
  writer.BeginObject();
  writer.Member("amount", money.amount).Member("currency", money.currency);
  writer.EndObject();
}

void WriteProductMembers(const Product& product, const PayablePrice* shown, JsonWriter& writer) {
  writer.Member("id", product.id).Member("title", product.title);
  WriteOptional(writer, "description", product.description);
  WriteOptional(writer, "brand", product.brand);
  WriteOptional(writer, "gtin", product.gtin);
  WriteOptional(writer, "mpn", product.mpn);
  WriteOptional(writer, "categories", product.categories);
  WriteOptional(writer, "price", shown != nullptr ? shown->price : product.price);
  if (shown != nullptr) WriteOptional(writer, "was_price", shown->was_price);
  WriteOptional(writer, "sale_price", product.sale_price);
  if (product.sale_price_effective) WriteSaleDates(*product.sale_price_effective, writer);
  writer.Member("availability", ToString(product.availability));
  writer.Member("condition", ToString(product.condition));
  WriteOptional(writer, "link", product.link);
  WriteOptional(writer, "image_link", product.image_link);
  WriteOptional(writer, "additional_image_links", product.additional_image_links);
  if (product.rating) {
    writer.Key("rating").BeginObject().Member("value", product.rating->value);
    writer.Member("count", product.rating->count).EndObject();
  }
  if (!product.attributes.empty()) {
    writer.Key("attributes").BeginObject();
    for (const Attribute& attribute : product.attributes) {
      writer.Member(attribute.name, attribute.value);
    }
    writer.EndObject();
  }
  WriteOptional(writer, "item_group_id", product.item_group_id);
  WriteOptional(writer, "locale", product.locale);
  WriteOptional(writer, "updated_at", product.updated_at);
}

void WriteDocumentMembers(const Document& document, JsonWriter& writer) {
  writer.Member("id", document.id).Member("kind", document.kind);
  writer.Member("title", document.title).Member("text", document.text);
  WriteOptional(writer, "link", document.link);
  WriteOptional(writer, "locale", document.locale);
  writer.Member("version", document.version);
  WriteOptional(writer, "updated_at", document.updated_at);
}

std::string ToJson(const Product& product) {
  JsonWriter writer;
  writer.BeginObject();
  WriteProductMembers(product, nullptr, writer);
  writer.EndObject();
  return writer.Take();
}

std::string ToJson(const Document& document) {
  JsonWriter writer;
  writer.BeginObject();
  WriteDocumentMembers(document, writer);
  writer.EndObject();
  return writer.Take();
}

}  // namespace emptor::catalog
