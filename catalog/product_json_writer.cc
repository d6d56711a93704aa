// Writing: the members in the order of the format's description.
#include "catalog/encoding/timestamp.h"
#include "catalog/product_json.h"

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

void WriteSaleDates(const std::optional<TimeRange>& range, JsonWriter& writer) {
  if (!range) return;
  writer.Key("sale_price_effective_date").BeginObject();
  if (range->start) writer.Member("start", FormatRfc3339(*range->start));
  if (range->end) writer.Member("end", FormatRfc3339(*range->end));
  writer.EndObject();
}

void WriteNamedTexts(std::string_view name, const std::vector<Attribute>& texts,
                     JsonWriter& writer) {
  if (texts.empty()) return;
  writer.Key(name).BeginObject();
  for (const Attribute& text : texts) writer.Member(text.name, text.value);
  writer.EndObject();
}

void WriteRegionalPrices(const std::vector<RegionalPrice>& prices, JsonWriter& writer) {
  if (prices.empty()) return;
  writer.Key("regional_prices").BeginArray();
  for (const RegionalPrice& price : prices) {
    writer.BeginObject();
    WriteOptional(writer, "region", price.region);
    writer.Key("price");
    WriteMoney(price.price, writer);
    WriteOptional(writer, "sale_price", price.sale_price);
    WriteSaleDates(price.sale_price_effective, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteShipping(const std::vector<Shipping>& ways, JsonWriter& writer) {
  if (ways.empty()) return;
  writer.Key("shipping").BeginArray();
  for (const Shipping& way : ways) {
    writer.BeginObject();
    WriteOptional(writer, "region", way.region);
    WriteOptional(writer, "service", way.service);
    writer.Key("price");
    WriteMoney(way.price, writer);
    if (way.min_days) writer.Member("min_days", *way.min_days);
    if (way.max_days) writer.Member("max_days", *way.max_days);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteStock(const std::vector<LocationStock>& locations, JsonWriter& writer) {
  if (locations.empty()) return;
  writer.Key("stock").BeginArray();
  for (const LocationStock& stock : locations) {
    writer.BeginObject().Member("location", stock.location);
    writer.Member("availability", ToString(stock.availability));
    if (stock.quantity) writer.Member("quantity", *stock.quantity);
    writer.EndObject();
  }
  writer.EndArray();
}

// Fields of the shop's files that replies to shoppers leave out.
void WriteInternalMembers(const Product& product, JsonWriter& writer) {
  if (product.popularity) writer.Member("popularity", *product.popularity);
  WriteOptional(writer, "quarantine", product.quarantine);
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
  WriteSaleDates(product.sale_price_effective, writer);
  writer.Member("availability", ToString(product.availability));
  writer.Member("condition", ToString(product.condition));
  WriteOptional(writer, "link", product.link);
  WriteOptional(writer, "image_link", product.image_link);
  WriteOptional(writer, "additional_image_links", product.additional_image_links);
  if (product.rating) {
    writer.Key("rating").BeginObject().Member("value", product.rating->value);
    writer.Member("count", product.rating->count).EndObject();
  }
  WriteNamedTexts("attributes", product.attributes, writer);
  WriteOptional(writer, "item_group_id", product.item_group_id);
  WriteNamedTexts("options", product.options, writer);
  WriteRegionalPrices(product.regional_prices, writer);
  WriteShipping(product.shipping, writer);
  WriteStock(product.stock, writer);
  if (product.trust != Trust::kShop) writer.Member("trust", ToString(product.trust));
  WriteOptional(writer, "locale", product.locale);
  WriteOptional(writer, "updated_at", product.updated_at);
  if (shown == nullptr) WriteInternalMembers(product, writer);
}

void WriteDocumentMembers(const Document& document, JsonWriter& writer) {
  writer.Member("id", document.id).Member("kind", document.kind);
  writer.Member("title", document.title).Member("text", document.text);
  WriteOptional(writer, "link", document.link);
  WriteOptional(writer, "locale", document.locale);
  writer.Member("version", document.version);
  WriteOptional(writer, "updated_at", document.updated_at);
  WriteOptional(writer, "product_id", document.product_id);
  if (document.trust != Trust::kShop) writer.Member("trust", ToString(document.trust));
  WriteOptional(writer, "quarantine", document.quarantine);
  if (document.pages.empty()) return;
  writer.Key("pages").BeginArray();
  for (const uint32_t place : document.pages) writer.Int(place);
  writer.EndArray();
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
