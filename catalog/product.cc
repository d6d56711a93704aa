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

template <typename Enum, size_t n>
std::optional<Enum> FindName(const std::array<std::string_view, n>& names, std::string_view text) {
  const auto name = std::find(names.begin(), names.end(), text);
  if (name == names.end()) return std::nullopt;
  return static_cast<Enum>(name - names.begin());
}

bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool SaleHolds(const Product& product, int64_t now_unix) {
  if (!product.sale_price_effective) return true;
  const TimeRange& range = *product.sale_price_effective;
  return (!range.start || *range.start <= now_unix) && (!range.end || now_unix < *range.end);
}

}  // namespace

PayablePrice ComputePayablePrice(const Product& product, int64_t now_unix) {
  if (!product.price || !product.sale_price || !SaleHolds(product, now_unix)) {
    return {.price = product.price, .was_price = std::nullopt};
  }
  const Money& list = *product.price;
  const Money& sale = *product.sale_price;
  if (sale.currency != list.currency || sale.amount >= list.amount) {
    return {.price = list, .was_price = std::nullopt};
  }
  return {.price = sale, .was_price = list};
}

std::string_view ToString(Availability availability) {
  return kAvailabilityNames.at(static_cast<size_t>(availability));
}

std::string_view ToString(Condition condition) {
  return kConditionNames.at(static_cast<size_t>(condition));
}

std::optional<Availability> ParseAvailability(std::string_view text) {
  return FindName<Availability>(kAvailabilityNames, text);
}

std::optional<Condition> ParseCondition(std::string_view text) {
  return FindName<Condition>(kConditionNames, text);
}

bool IsValidId(std::string_view id) {
  if (id.empty() || id.size() > 64 || !IsAlphanumeric(id[0])) return false;
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

}  // namespace emptor::catalog
