// Values that depend on others: prices and their currency, ratings, variants.
#include <algorithm>
#include <array>
#include <utility>

#include "catalog/feed/product_builder.h"
#include "catalog/feed/vocabulary.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {

void ProductBuilder::AddPrice(Money price) { exact_price_ = std::move(price); }

void ProductBuilder::RefusePrice(std::string_view feed_name, const absl::Status& why) {
  is_price_unusable_ = true;
  if (absl::IsFailedPrecondition(why)) lacks_currency_ = feed_name;
  problems_.insert(problems_.begin(), {std::string(feed_name), std::string(why.message())});
}

void ProductBuilder::AddSalePrice(Money price) { exact_sale_price_ = std::move(price); }

std::optional<Money> ProductBuilder::TakeAmount(const std::optional<Said>& said) {
  if (!said) return std::nullopt;
  auto amount = ParseAmount(said->value, style_);
  if (amount.ok()) return *std::move(amount);
  if (absl::IsFailedPrecondition(amount.status())) lacks_currency_ = said->feed_name;
  AddProblem(said->feed_name, std::string(amount.status().message()));
  return std::nullopt;
}

void ProductBuilder::FinishPrices() {
  product_.price = exact_price_;
  if (price_ && !exact_price_) {
    const auto price = ParseAmount(price_->value, style_);
    if (price.ok()) product_.price = *price;
    if (!price.ok()) RefusePrice(price_->feed_name, price.status());
  }
  const auto sale = exact_sale_price_ ? exact_sale_price_ : TakeAmount(sale_price_);
  if (sale_start_ || sale_end_) product_.sale_price_effective = TimeRange{sale_start_, sale_end_};
  const std::string name = sale_price_ ? sale_price_->feed_name : "sale_price";
  if (sale) {
    FinishSale(*sale, name);
  }
  if (!product_.sale_price) product_.sale_price_effective.reset();
}

void ProductBuilder::FinishSale(const Money& sale, const std::string& feed_name) {
  const auto& range = product_.sale_price_effective;
  const bool is_whole = !range || !range->start || !range->end || *range->start < *range->end;
  if (!sale_name_.empty() || !is_whole) {
    AddProblem(feed_name, "left out: its dates cannot be read");
  } else if (product_.price && product_.price->currency != sale.currency) {
    AddProblem(feed_name, fmt::format("left out: it is in {} and the price in {}", sale.currency,
                                      product_.price->currency));
  } else {
    product_.sale_price = sale;
  }
}

void ProductBuilder::FinishRating() {
  const auto refuse = [&](const Said& said, std::string_view expected) {
    AddProblem(said.feed_name, fmt::format("expected {}, found {}", expected, Quoted(said.value)));
  };
  std::optional<int64_t> count;
  if (rating_count_) {
    count = ParseCount(rating_count_->value);
    if (!count) refuse(*rating_count_, "a count");
  }
  if (rating_) {
    const auto value = ParseRatingValue(rating_->value, rating_best_);
    if (value) {
      product_.rating = Rating{*value, count.value_or(0)};
    } else {
      refuse(*rating_, fmt::format("a rating from 0 to {}", rating_best_));
    }
  } else if (count.value_or(0) > 0) {
    AddProblem(rating_count_->feed_name, "left out: there is no rating");
  }
}

void ProductBuilder::FinishGroup() {
  constexpr std::array<std::string_view, 4> kVarying = {"color", "size", "material", "pattern"};
  if (product_.item_group_id.empty() || !product_.options.empty()) return;
  for (const Attribute& attribute : product_.attributes) {
    if (std::find(kVarying.begin(), kVarying.end(), attribute.name) != kVarying.end()) {
      product_.options.push_back(attribute);
    }
  }
}

std::vector<std::string> ProductBuilder::StatedFields() const {
  std::vector<std::string> fields;
  const auto add = [&](bool is_stated, const char* name) {
    if (is_stated) fields.emplace_back(name);
  };
  const Product& p = product_;
  add(!p.title.empty(), "title");
  add(!p.description.empty(), "description");
  add(!p.brand.empty(), "brand");
  add(!p.gtin.empty(), "gtin");
  add(!p.mpn.empty(), "mpn");
  add(!p.categories.empty(), "categories");
  add(p.price.has_value(), "price");
  add(p.sale_price.has_value(), "sale_price");
  add(p.sale_price_effective.has_value(), "sale_price_effective_date");
  add(has_availability_ || has_quantity_, "availability");
  add(has_condition_, "condition");
  add(!p.link.empty(), "link");
  add(!p.image_link.empty(), "image_link");
  add(!p.additional_image_links.empty(), "additional_image_links");
  add(p.rating.has_value(), "rating");
  add(!p.attributes.empty(), "attributes");
  add(!p.item_group_id.empty(), "item_group_id");
  add(!p.options.empty(), "options");
  add(!p.regional_prices.empty(), "regional_prices");
  add(!p.shipping.empty(), "shipping");
  add(has_stock_, "stock");
  add(p.popularity.has_value(), "popularity");
  add(!p.locale.empty(), "locale");
  add(!p.updated_at.empty(), "updated_at");
  return fields;
}

FeedRow ProductBuilder::Finish(bool patch) {
  FeedRow row;
  row.id = product_.id;
  FinishPrices();
  FinishRegionalPrices();
  FinishRating();
  if (!levels_.empty()) Add({Field::kCategory, {}}, "categories", levels_);
  if (product_.id.empty()) {
    AddProblem("id", "missing");
  } else if (deleted_) {
    row.record = RecordDeletion{product_.id, false};
  } else if (is_price_unusable_ || (options_.strict && !problems_.empty())) {
    // The row is refused, for the reason in front.
  } else if (patch || options_.patches) {
    const auto unnamed = [&](const Attribute& attribute) {
      return options_.columns.empty() || attribute.name == "feed_id";
    };
    std::erase_if(product_.attributes, unnamed);
    row.record = ProductPatch{product_, StatedFields()};
  } else if (product_.title.empty()) {
    AddProblem("title", "missing");
  } else {
    if (product_.sale_price && !product_.price) {
      AddProblem(sale_price_ ? sale_price_->feed_name : "sale_price",
                 "left out: there is no price");
      product_.sale_price.reset();
      product_.sale_price_effective.reset();
    }
    FinishGroup();
    if (product_.locale.empty()) product_.locale = options_.locale;
    row.record = std::move(product_);
  }
  row.lacks_currency = std::move(lacks_currency_);
  row.problems = std::move(problems_);
  Reset();
  return row;
}

void ProductBuilder::Reset() {
  product_ = Product();
  price_ = sale_price_ = rating_ = rating_count_ = std::nullopt;
  exact_price_ = exact_sale_price_ = std::nullopt;
  sale_name_.clear();
  sale_start_ = sale_end_ = std::nullopt;
  regions_.clear();
  levels_.clear();
  is_price_unusable_ = false;
  lacks_currency_.clear();
  has_availability_ = has_quantity_ = has_condition_ = has_stock_ = deleted_ = too_many_images_ =
      false;
  rating_best_ = 5;
  problems_.clear();
  style_.currency = options_.currency;
}

}  // namespace emptor::catalog
