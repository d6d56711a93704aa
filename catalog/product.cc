// Wire names, ids and the price that is payable now.
#include "catalog/product.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace emptor::catalog {
namespace {

constexpr std::array<std::string_view, 4> kAvailabilityNames = {"in_stock", "out_of_stock",
                                                                "preorder", "backorder"};
constexpr std::array<std::string_view, 3> kConditionNames = {"new", "refurbished", "used"};
constexpr std::array<std::string_view, 2> kTrustNames = {"shop", "untrusted"};

template <typename Enum, size_t n>
std::optional<Enum> FindName(const std::array<std::string_view, n>& names, std::string_view text) {
  const auto name = std::find(names.begin(), names.end(), text);
  if (name == names.end()) return std::nullopt;
  return static_cast<Enum>(name - names.begin());
}

bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// One price of the record with its sale.
struct Offer {
  const Money& list;
  const std::optional<Money>& sale;
  const std::optional<TimeRange>& sale_dates;
};

Offer OfferOf(const RegionalPrice& price) {
  return {price.price, price.sale_price, price.sale_price_effective};
}

bool Holds(const std::optional<TimeRange>& range, int64_t now_unix) {
  if (!range) return true;
  return (!range->start || *range->start <= now_unix) && (!range->end || now_unix < *range->end);
}

PayablePrice PayableOf(const Offer& offer, int64_t now_unix) {
  const bool is_sale = offer.sale && offer.sale->currency == offer.list.currency &&
                       offer.sale->amount < offer.list.amount && Holds(offer.sale_dates, now_unix);
  if (!is_sale) return {.price = offer.list, .was_price = std::nullopt};
  return {.price = offer.sale, .was_price = offer.list};
}

// Ranks as the header says, the record's own price being 2; 0 is not for this market.
int FitOf(const RegionalPrice& price, const Market& market) {
  const bool wanted = market.currency.empty() || price.price.currency == market.currency;
  const bool everywhere = price.region.empty();
  if (!everywhere && price.region != market.region) return 0;
  if (!everywhere) return wanted ? 5 : 3;
  return wanted && !market.currency.empty() ? 4 : 1;
}

}  // namespace

PayablePrice ComputePayablePrice(const Product& product, int64_t now_unix, const Market& market) {
  constexpr int kFitOfOwnPrice = 2;
  int best_fit = 0;
  std::optional<Offer> best;
  if (product.price) {
    best_fit = kFitOfOwnPrice;
    best.emplace(Offer{*product.price, product.sale_price, product.sale_price_effective});
  }
  for (const RegionalPrice& price : product.regional_prices) {
    const int fit = FitOf(price, market);
    if (fit <= best_fit) continue;
    best_fit = fit;
    best.emplace(OfferOf(price));
  }
  return best ? PayableOf(*best, now_unix) : PayablePrice();
}

int PageOf(const Document& document, size_t offset) {
  const auto after = std::upper_bound(document.pages.begin(), document.pages.end(), offset);
  return static_cast<int>(after - document.pages.begin());
}

std::string RegionOfLocale(std::string_view locale) {
  size_t begin = locale.find('-');
  while (begin != std::string_view::npos) {
    const size_t end = locale.find('-', begin + 1);
    const std::string_view part = locale.substr(begin + 1, end - begin - 1);
    const bool letters = std::all_of(
        part.begin(), part.end(), [](char c) { return IsAlphanumeric(c) && (c < '0' || c > '9'); });
    if (part.size() == 1) break;  // an extension follows
    if (part.size() == 2 && letters) {
      std::string region(part);
      for (char& c : region) c = static_cast<char>(c & ~0x20);
      return region;
    }
    begin = end;
  }
  return {};
}

std::string_view ToString(Availability availability) {
  return kAvailabilityNames.at(static_cast<size_t>(availability));
}

std::string_view ToString(Condition condition) {
  return kConditionNames.at(static_cast<size_t>(condition));
}

std::string_view ToString(Trust trust) { return kTrustNames.at(static_cast<size_t>(trust)); }

std::optional<Availability> ParseAvailability(std::string_view text) {
  return FindName<Availability>(kAvailabilityNames, text);
}

std::optional<Condition> ParseCondition(std::string_view text) {
  return FindName<Condition>(kConditionNames, text);
}

std::optional<Trust> ParseTrust(std::string_view text) {
  return FindName<Trust>(kTrustNames, text);
}

bool IsValidId(std::string_view id) {
  if (id.empty() || id.size() > 64 || !IsAlphanumeric(id[0])) return false;
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

}  // namespace emptor::catalog
