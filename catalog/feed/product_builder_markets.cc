// Values by market and place: prices of regions, stock of locations.
#include <algorithm>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "catalog/feed/product_builder.h"
#include "catalog/feed/vocabulary.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {

using View = std::string_view;

void ProductBuilder::AddRegionalPrice(View feed_name, const std::string& region, bool is_sale,
                                      View value, const std::string& currency) {
  if (!Clean(feed_name, value, true)) return;
  const auto known = std::find_if(regions_.begin(), regions_.end(), [&](const SaidOfRegion& said) {
    return said.region == region && said.currency == currency;
  });
  if (known == regions_.end() && regions_.size() == RecordLimits::kRegionalPrices) {
    return AddProblem(feed_name,
                      fmt::format("more than {} regional prices", RecordLimits::kRegionalPrices));
  }
  SaidOfRegion& said = known != regions_.end()
                           ? *known
                           : regions_.emplace_back(SaidOfRegion{region, currency, {}, {}});
  auto& target = is_sale ? said.sale_price : said.price;
  if (!target) target = Said{std::string(feed_name), text_};
}

// As FinishPrices: unreadable prices are left out, and a sale price needs its price.
void ProductBuilder::FinishRegionalPrices() {
  auto& prices = product_.regional_prices;
  for (const SaidOfRegion& said : regions_) {
    const std::string standard = style_.currency;
    if (!said.currency.empty()) style_.currency = said.currency;
    const auto price = TakeAmount(said.price);
    const auto sale = TakeAmount(said.sale_price);
    style_.currency = standard;
    if (!price) {
      if (sale) AddProblem(said.sale_price->feed_name, "left out: there is no price");
      continue;
    }
    const auto& feed_name = said.price->feed_name;
    const bool is_taken =
        std::any_of(prices.begin(), prices.end(), [&](const RegionalPrice& other) {
          return other.region == said.region && other.price.currency == price->currency;
        });
    const bool repeats =
        said.region.empty() && product_.price && product_.price->currency == price->currency;
    if (is_taken || repeats) {
      // The product's price repeated is no contradiction.
      if (is_taken || *price != *product_.price) {
        AddProblem(feed_name,
                   fmt::format("left out: there is another price in {}", price->currency));
      }
      continue;
    }
    RegionalPrice& regional = prices.emplace_back(RegionalPrice{said.region, *price});
    if (sale && sale->currency == price->currency) {
      regional.sale_price = sale;
    } else if (sale) {
      AddProblem(said.sale_price->feed_name,
                 fmt::format("left out: it is in {} and the price in {}", sale->currency,
                             price->currency));
    }
  }
}

void ProductBuilder::AddLocationStock(View feed_name, View location, View value) {
  if (!Clean(feed_name, value, true)) return;
  const std::string text = text_;
  LocationStock stock;
  const auto count = ParseCount(text.starts_with('-') ? View(text).substr(1) : View(text));
  if (count) {
    stock.quantity = text.starts_with('-') ? 0 : *count;
    stock.availability = *stock.quantity > 0 ? Availability::kInStock : Availability::kOutOfStock;
  } else if (const auto word = ReadAvailability(text)) {
    stock.availability = *word;
  } else if (IsNotStocked(text)) {
    has_stock_ = true;
    return;
  } else {
    return AddProblem(feed_name,
                      fmt::format("expected a count or an availability, found {}", Quoted(text)));
  }
  if (!Clean(feed_name, location, true)) return;
  SetText(stock.location, feed_name, RecordLimits::kName);
  auto& places = product_.stock;
  const bool is_taken = std::any_of(places.begin(), places.end(), [&](const LocationStock& other) {
    return other.location == stock.location;
  });
  if (is_taken || places.size() == RecordLimits::kStock) {
    return AddProblem(feed_name, is_taken ? "the location appears twice" : "too many locations");
  }
  has_stock_ = true;
  if (!stock.location.empty()) places.push_back(std::move(stock));
}

}  // namespace emptor::catalog
