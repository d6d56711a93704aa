// Reads properties by name; a variant inherits missing ones from its group.
#include "catalog/feed/json_ld_product.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "catalog/money.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;
using Nodes = std::vector<const JsonValue*>;

constexpr std::array<View, 5> kGtins = {"gtin", "gtin13", "gtin14", "gtin12", "gtin8"};

// The name of a type or word without the address of schema.org.
View LocalName(View name) {
  for (View address : {"http://schema.org/", "https://schema.org/", "schema:"}) {
    if (name.starts_with(address)) name.remove_prefix(address.size());
  }
  return name;
}

// The elements of an array; the value itself; nothing for an absent one.
Nodes ListOf(const JsonValue* value) {
  Nodes nodes;
  if (value == nullptr || value->is_null()) return nodes;
  if (!value->is_array()) return {value};
  for (const JsonValue& element : value->as_array()) nodes.push_back(&element);
  return nodes;
}

bool IsA(const JsonValue& node, View type) {
  const Nodes types = ListOf(node.Find("@type"));
  return std::any_of(types.begin(), types.end(), [&](const JsonValue* name) {
    return name->is_string() && LocalName(name->as_string()) == type;
  });
}

bool IsProduct(const JsonValue& node) {
  return IsA(node, "Product") || IsA(node, "ProductGroup") || IsA(node, "IndividualProduct") ||
         IsA(node, "ProductModel") || IsA(node, "SomeProducts");
}

// A value as text: of an object its name or value, of an array its first element.
std::string TextOf(const JsonValue* value, int depth = 0) {
  if (value == nullptr || depth > 3) return {};
  if (value->is_string()) return value->as_string();
  if (value->is_int()) return fmt::format("{}", value->as_int());
  if (value->is_number()) return fmt::format("{}", value->as_double());
  if (value->is_bool()) return value->as_bool() ? "true" : "false";
  if (value->is_array()) {
    return value->as_array().empty() ? std::string() : TextOf(&value->as_array()[0], depth + 1);
  }
  for (View name : {"name", "@value", "value", "url", "contentUrl", "@id"}) {
    if (const JsonValue* member = value->Find(name)) return TextOf(member, depth + 1);
  }
  return {};
}

std::string TextOf(const JsonValue& node, View name) { return TextOf(node.Find(name)); }

// Price, list price and currency of an offer.
struct Deal {
  const JsonValue* offer = nullptr;
  std::string currency;
  const JsonValue* price = nullptr;
  const JsonValue* list_price = nullptr;

  std::string Key() const { return TextOf(price) + " " + currency; }
};

Deal ReadDeal(const JsonValue& offer) {
  Deal deal{.offer = &offer,
            .currency = TextOf(offer, "priceCurrency"),
            .price = offer.Find("price"),
            .list_price = nullptr};
  for (const JsonValue* part : ListOf(offer.Find("priceSpecification"))) {
    const JsonValue* price = part->Find("price");
    const std::string type = TextOf(part->Find("priceType"));
    const bool is_list = type.ends_with("ListPrice") || type.ends_with("StrikethroughPrice");
    if (price == nullptr) continue;
    if (deal.currency.empty()) deal.currency = TextOf(*part, "priceCurrency");
    if (is_list) {
      deal.list_price = price;
    } else if (deal.price == nullptr) {
      deal.price = price;
    }
  }
  return deal;
}

// An aggregate gives the offers that it lists, else itself.
Nodes OffersOf(const JsonValue& product) {
  Nodes offers;
  for (const JsonValue* offer : ListOf(product.Find("offers"))) {
    const Nodes listed = ListOf(offer->Find("offers"));
    if (listed.empty()) {
      offers.push_back(offer);
    } else {
      offers.insert(offers.end(), listed.begin(), listed.end());
    }
  }
  return offers;
}

class NodeReader {
 public:
  explicit NodeReader(ProductBuilder& builder) : builder_(builder) {}

  // `offer`: the one that the row is made for; null: all of the product's.
  FeedRow Read(const JsonValue& product, const JsonValue* group, const JsonValue* offer) {
    AddId(product, group, offer);
    if (offer != nullptr) Add(Field::kTitle, *offer, "name");
    AddTexts(product, true);
    AddRating(product);
    const bool has_offers = offer != nullptr || !OffersOf(product).empty();
    if (has_offers) AddOffers(product, offer);
    if (group != nullptr) {
      AddVariantOptions(product, *group);
      AddTexts(*group, false);
      AddRating(*group);
      if (!has_offers) AddOffers(*group, nullptr);
    }
    AddGroupId(product, group, offer);
    return builder_.Finish();
  }

 private:
  void Add(Field field, const JsonValue& node, View name) {
    builder_.Add({field, {}}, name, TextOf(node, name));
  }
  void AddAttribute(const std::string& label, View name, const JsonValue* value) {
    for (const JsonValue* element : ListOf(value)) {
      std::string text = TextOf(element);
      const std::string unit = TextOf(*element, "unitText");
      if (!unit.empty()) text += " " + unit;
      builder_.Add({Field::kAttribute, label}, name, text);
    }
  }

  void AddId(const JsonValue& product, const JsonValue* group, const JsonValue* offer) {
    if (offer != nullptr) Add(Field::kId, *offer, "sku");
    for (View name : {"sku", "productID", "identifier"}) Add(Field::kId, product, name);
    if (group == nullptr) Add(Field::kId, product, "productGroupID");
    for (View name : kGtins) Add(Field::kId, product, name);
    for (View name : {"mpn", "@id", "url"}) Add(Field::kId, product, name);
  }

  void AddTexts(const JsonValue& node, bool is_own) {
    Add(Field::kTitle, node, "name");
    Add(Field::kDescription, node, "description");
    Add(Field::kBrand, node, "brand");
    Add(Field::kBrand, node, "manufacturer");
    if (is_own) {
      for (View name : kGtins) Add(Field::kGtin, node, name);
      Add(Field::kMpn, node, "mpn");
    }
    Add(Field::kLink, node, "url");
    Add(Field::kCondition, node, "itemCondition");
    Add(Field::kLocale, node, "inLanguage");
    Add(Field::kUpdatedAt, node, "dateModified");
    for (const JsonValue* category : ListOf(node.Find("category"))) {
      builder_.Add({Field::kCategory, {}}, "category", TextOf(category));
    }
    for (const JsonValue* image : ListOf(node.Find("image"))) {
      const JsonValue* address = image->Find("contentUrl");
      if (address == nullptr) address = image->Find("url");
      builder_.Add({Field::kImage, {}}, "image", TextOf(address == nullptr ? image : address));
    }
    for (View name : {"color", "size", "material", "pattern", "weight", "width", "height", "depth",
                      "model", "keywords"}) {
      AddAttribute(std::string(name), name, node.Find(name));
    }
    for (const JsonValue* property : ListOf(node.Find("additionalProperty"))) {
      const std::string label = TextOf(*property, "name");
      std::string value = TextOf(*property, "value");
      const std::string unit = TextOf(*property, "unitText");
      if (!unit.empty()) value += " " + unit;
      builder_.Add({Field::kAttribute, label}, "additionalProperty", value);
    }
  }

  void AddRating(const JsonValue& node) {
    const JsonValue* rating = node.Find("aggregateRating");
    if (rating == nullptr) return;
    const std::string best = TextOf(*rating, "bestRating");
    if (const auto scale = best.empty() ? std::nullopt : ParseCount(best); scale && *scale > 0) {
      builder_.set_rating_best(static_cast<double>(*scale));
    }
    Add(Field::kRatingValue, *rating, "ratingValue");
    const View count = rating->Find("reviewCount") != nullptr ? "reviewCount" : "ratingCount";
    Add(Field::kRatingCount, *rating, count);
  }

  void AddOffers(const JsonValue& product, const JsonValue* chosen) {
    const Nodes offers = chosen != nullptr ? Nodes{chosen} : OffersOf(product);
    if (offers.empty()) return;
    const JsonValue& offer = *offers[0];
    AddTerms(offer);
    const Deal deal = ReadDeal(offer);
    const bool same = std::all_of(offers.begin(), offers.end(), [&](const JsonValue* other) {
      return ReadDeal(*other).Key() == deal.Key();
    });
    if (!same) {
      return builder_.AddProblem("offers", "left out: the offers differ in price");
    }
    if (deal.price == nullptr && offer.Find("lowPrice") != nullptr) return AddRange(offer);
    AddDeal(deal);
  }

  void AddTerms(const JsonValue& offer) {
    Add(Field::kAvailability, offer, "availability");
    Add(Field::kCondition, offer, "itemCondition");
    Add(Field::kLink, offer, "url");
    if (const JsonValue* level = offer.Find("inventoryLevel")) {
      builder_.Add({Field::kQuantity, {}}, "inventoryLevel", TextOf(level));
    }
    for (const JsonValue* way : ListOf(offer.Find("shippingDetails"))) AddShipping(*way);
  }

  void AddShipping(const JsonValue& way) {
    const JsonValue* rate = way.Find("shippingRate");
    const JsonValue* where = way.Find("shippingDestination");
    if (rate == nullptr || where == nullptr || !where->is_object()) return;
    if (where->Find("addressRegion") != nullptr || where->Find("postalCode") != nullptr) return;
    const auto days = [&](View step, View bound) {
      const JsonValue* time = way.Find("deliveryTime");
      const JsonValue* part = time == nullptr ? nullptr : time->Find(step);
      return part == nullptr ? std::string() : TextOf(part->Find(bound));
    };
    builder_.AddShipping("shippingDetails", {.country = TextOf(where->Find("addressCountry")),
                                             .region = {},
                                             .service = TextOf(way.Find("shippingLabel")),
                                             .price = TextOf(rate->Find("value")) + " " +
                                                      TextOf(rate->Find("currency")),
                                             .min_handling = days("handlingTime", "minValue"),
                                             .max_handling = days("handlingTime", "maxValue"),
                                             .min_transit = days("transitTime", "minValue"),
                                             .max_transit = days("transitTime", "maxValue")});
  }

  void AddRange(const JsonValue& offer) {
    const Deal low{.offer = &offer,
                   .currency = TextOf(offer, "priceCurrency"),
                   .price = offer.Find("lowPrice"),
                   .list_price = nullptr};
    if (TextOf(low.price) == TextOf(offer, "highPrice")) return AddDeal(low);
    builder_.AddProblem("lowPrice",
                        fmt::format("a range is no price: {} to {}", Quoted(TextOf(low.price)),
                                    Quoted(TextOf(offer, "highPrice"))));
  }

  void AddDeal(const Deal& deal) {
    builder_.Add({Field::kCurrency, {}}, "priceCurrency", deal.currency);
    const auto list = ReadPrice("priceSpecification", deal.list_price);
    const auto price = ReadPrice("price", deal.price);
    if (list && price && list->amount > price->amount) {
      builder_.AddPrice(*list);
      builder_.AddSalePrice(*price);
    } else if (price) {
      builder_.AddPrice(*price);
    }
  }

  // A number's point is its decimal mark; a text is read as a merchant's.
  std::optional<Money> ReadPrice(View name, const JsonValue* value) {
    if (value == nullptr || value->is_null()) return std::nullopt;
    const AmountStyle style{builder_.currency(),
                            value->is_number() ? DecimalMark::kPoint : builder_.decimal_mark()};
    auto price = ParseAmount(TextOf(value), style);
    if (price.ok()) return *std::move(price);
    if (name == "price") {
      builder_.RefusePrice(name, price.status());
    } else {
      builder_.AddProblem(name, std::string(price.status().message()));
    }
    return std::nullopt;
  }

  // "variesBy": ["https://schema.org/color", "size"]
  void AddVariantOptions(const JsonValue& variant, const JsonValue& group) {
    for (const JsonValue* by : ListOf(group.Find("variesBy"))) {
      const std::string name(LocalName(by->is_string() ? by->as_string() : TextOf(by)));
      builder_.Add({Field::kOption, name}, name, TextOf(variant, name));
    }
  }

  void AddGroupId(const JsonValue& product, const JsonValue* group, const JsonValue* offer) {
    Add(Field::kItemGroup, product, "inProductGroupWithID");
    const JsonValue* parent = group != nullptr ? group : product.Find("isVariantOf");
    if (parent != nullptr) {
      for (View name : {"productGroupID", "sku", "@id", "name"}) {
        Add(Field::kItemGroup, *parent, name);
      }
    } else if (offer != nullptr) {
      for (View name : {"sku", "productID", "@id", "name"}) Add(Field::kItemGroup, product, name);
    }
  }

  ProductBuilder& builder_;
};

// The offers that are separate products: each has a SKU, and prices differ.
Nodes SeparateOffers(const JsonValue& product) {
  const Nodes offers = OffersOf(product);
  std::set<std::string> skus, prices;
  for (const JsonValue* offer : offers) {
    skus.insert(TextOf(*offer, "sku"));
    prices.insert(ReadDeal(*offer).Key());
  }
  const bool separate = skus.size() == offers.size() && !skus.contains("") && prices.size() > 1;
  return separate ? offers : Nodes();
}

}  // namespace

Nodes FindProductNodes(const JsonValue& document) {
  Nodes found;
  Nodes open = {&document};
  while (!open.empty()) {
    const JsonValue* node = open.back();
    open.pop_back();
    if (node->is_object() && IsProduct(*node)) {
      found.push_back(node);
      continue;
    }
    Nodes inside = node->is_array() ? ListOf(node) : Nodes();
    for (View name : {"@graph", "itemListElement", "dataFeedElement", "item", "mainEntity",
                      "mainEntityOfPage"}) {
      const Nodes more = ListOf(node->Find(name));
      inside.insert(inside.end(), more.begin(), more.end());
    }
    open.insert(open.end(), inside.rbegin(), inside.rend());
  }
  return found;
}

std::vector<FeedRow> ReadProductNode(const JsonValue& node, ProductBuilder& builder) {
  NodeReader reader(builder);
  std::vector<FeedRow> rows;
  Nodes variants;
  for (const JsonValue* variant : ListOf(node.Find("hasVariant"))) {
    if (variant->Find("name") != nullptr || variant->Find("offers") != nullptr ||
        variant->Find("sku") != nullptr) {
      variants.push_back(variant);  // else a reference to a node elsewhere
    }
  }
  for (const JsonValue* variant : variants) rows.push_back(reader.Read(*variant, &node, nullptr));
  if (variants.empty()) {
    const Nodes offers = SeparateOffers(node);
    for (const JsonValue* offer : offers) rows.push_back(reader.Read(node, nullptr, offer));
    if (offers.empty()) rows.push_back(reader.Read(node, nullptr, nullptr));
  }
  for (size_t i = 0; i + 1 < rows.size(); ++i) rows[i].more = true;
  return rows;
}

}  // namespace emptor::catalog
