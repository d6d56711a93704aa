// JSON-LD of products, breadcrumbs and lists.
#include "services/api/structured_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/money.h"
#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;

std::string_view StockType(catalog::Availability availability) {
  switch (availability) {
    case catalog::Availability::kInStock:
      return "https://schema.org/InStock";
    case catalog::Availability::kOutOfStock:
      return "https://schema.org/OutOfStock";
    case catalog::Availability::kPreorder:
      return "https://schema.org/PreOrder";
    case catalog::Availability::kBackorder:
      return "https://schema.org/BackOrder";
  }
  return {};
}

std::string_view ConditionType(catalog::Condition condition) {
  switch (condition) {
    case catalog::Condition::kNew:
      return "https://schema.org/NewCondition";
    case catalog::Condition::kRefurbished:
      return "https://schema.org/RefurbishedCondition";
    case catalog::Condition::kUsed:
      return "https://schema.org/UsedCondition";
  }
  return {};
}

void MemberUnlessEmpty(JsonWriter& writer, std::string_view name, std::string_view value) {
  if (!value.empty()) writer.Member(name, value);
}

/// The end of the sale whose price is payable now, if it has one.
std::optional<int64_t> SaleEnd(const ShownProduct& shown, int64_t now_unix) {
  const auto& range = shown.product.sale_price_effective;
  const bool is_sale = shown.price.was_price && shown.product.sale_price == shown.price.price;
  if (!is_sale || !range || !range->end || *range->end <= now_unix) return std::nullopt;
  return range->end;
}

void WriteOffer(const PageContext& page, const ShownProduct& shown, int64_t now_unix,
                JsonWriter& writer) {
  if (!shown.price.price) return;
  writer.Key("offers").BeginObject().Member("@type", "Offer");
  writer.Member("url", ProductUrl(page, shown.product.id));
  writer.Member("price", catalog::FormatDecimal(*shown.price.price));
  writer.Member("priceCurrency", shown.price.price->currency);
  writer.Member("availability", StockType(shown.product.availability));
  writer.Member("itemCondition", ConditionType(shown.product.condition));
  if (const auto end = SaleEnd(shown, now_unix)) {
    writer.Member("priceValidUntil", catalog::FormatRfc3339(*end).substr(0, 10));
  }
  if (shown.price.was_price) {
    writer.Key("priceSpecification").BeginObject().Member("@type", "UnitPriceSpecification");
    writer.Member("priceType", "https://schema.org/StrikethroughPrice");
    writer.Member("price", catalog::FormatDecimal(*shown.price.was_price));
    writer.Member("priceCurrency", shown.price.was_price->currency).EndObject();
  }
  writer.EndObject();
}

void WriteRating(const catalog::Product& product, JsonWriter& writer) {
  if (!product.rating || product.rating->count <= 0) return;
  writer.Key("aggregateRating").BeginObject().Member("@type", "AggregateRating");
  writer.Member("ratingValue", product.rating->value);
  writer.Member("ratingCount", product.rating->count);
  writer.Member("bestRating", 5).Member("worstRating", 0).EndObject();
}

/// What the record states; colour, size and material under schema.org's own names.
void WriteAttributes(const catalog::Product& product, JsonWriter& writer) {
  constexpr std::pair<std::string_view, std::string_view> kOwn[] = {
      {"color", "color"}, {"colour", "color"}, {"size", "size"}, {"material", "material"}};
  std::vector<std::string_view> written;
  const auto own_name = [&](const std::string& name) -> std::string_view {
    for (const auto& [attribute, property] : kOwn) {
      if (retrieval::FoldForComparison(name) == attribute) return property;
    }
    return {};
  };
  std::vector<const catalog::Attribute*> others;
  for (const auto* list : {&product.options, &product.attributes}) {
    for (const catalog::Attribute& attribute : *list) {
      const std::string_view own = own_name(attribute.name);
      if (own.empty()) {
        others.push_back(&attribute);
      } else if (std::find(written.begin(), written.end(), own) == written.end()) {
        writer.Member(own, attribute.value);
        written.push_back(own);
      }
    }
  }
  if (others.empty()) return;
  writer.Key("additionalProperty").BeginArray();
  for (const catalog::Attribute* attribute : others) {
    writer.BeginObject().Member("@type", "PropertyValue").Member("name", attribute->name);
    writer.Member("value", attribute->value).EndObject();
  }
  writer.EndArray();
}

void WriteListItem(JsonWriter& writer, size_t position, std::string_view name,
                   std::string_view address) {
  writer.BeginObject().Member("@type", "ListItem");
  writer.Member("position", static_cast<int64_t>(position)).Member("name", name);
  writer.Member("item", address).EndObject();
}

JsonWriter Begin(std::string_view type) {
  JsonWriter writer;
  writer.BeginObject().Member("@context", "https://schema.org").Member("@type", type);
  return writer;
}

}  // namespace

std::string ProductJsonLd(const PageContext& page, const ShownProduct& shown, int64_t now_unix) {
  const catalog::Product& product = shown.product;
  JsonWriter writer = Begin("Product");
  writer.Member("name", product.title).Member("sku", product.id);
  writer.Member("url", ProductUrl(page, product.id));
  MemberUnlessEmpty(writer, "description", product.description);
  if (const auto images = ImageUrls(page, product); !images.empty()) {
    writer.Key("image").BeginArray();
    for (const std::string& image : images) writer.String(image);
    writer.EndArray();
  }
  if (!product.brand.empty()) {
    writer.Key("brand").BeginObject().Member("@type", "Brand");
    writer.Member("name", product.brand).EndObject();
  }
  MemberUnlessEmpty(writer, "gtin", product.gtin);
  MemberUnlessEmpty(writer, "mpn", product.mpn);
  if (!product.categories.empty()) writer.Member("category", product.categories.front());
  MemberUnlessEmpty(writer, "inProductGroupWithID", product.item_group_id);
  WriteAttributes(product, writer);
  WriteOffer(page, shown, now_unix, writer);
  WriteRating(product, writer);
  return writer.EndObject().Take();
}

std::string BreadcrumbJsonLd(const PageContext& page, std::span<const Crumb> crumbs,
                             const catalog::Product* product) {
  JsonWriter writer = Begin("BreadcrumbList");
  writer.Key("itemListElement").BeginArray();
  size_t position = 1;
  WriteListItem(writer, position, page.words.shop, std::string(page.base_url) + "/");
  for (const Crumb& crumb : crumbs) {
    WriteListItem(writer, ++position, crumb.name, CategoryUrl(page, crumb.slug));
  }
  if (product != nullptr) {
    WriteListItem(writer, ++position, product->title, ProductUrl(page, product->id));
  }
  return writer.EndArray().EndObject().Take();
}

std::string ItemListJsonLd(const PageContext& page, std::string_view name,
                           std::span<const ShownProduct> products, size_t first, size_t total) {
  JsonWriter writer = Begin("ItemList");
  writer.Member("name", name).Member("numberOfItems", static_cast<int64_t>(total));
  writer.Key("itemListElement").BeginArray();
  for (size_t i = 0; i < products.size(); ++i) {
    // A list of links: each page describes its product.
    writer.BeginObject().Member("@type", "ListItem");
    writer.Member("position", static_cast<int64_t>(first + i));
    writer.Member("url", ProductUrl(page, products[i].product.id)).EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

}  // namespace emptor::services
