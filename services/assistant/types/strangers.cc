// Attributes that are stated more often in a type than in the shop.
#include "services/assistant/types/strangers.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace emptor::services {
namespace {

constexpr size_t kManyProducts = 20;  // of a type that has attributes of its own
constexpr size_t kDescribed = 6;      // attributes of a product from which they are learned
constexpr size_t kSaysLittle = 3;     // attributes of one that may be of the type all the same
constexpr size_t kSaysMuch = 24;      // and of one that is of a kind of its own within it
constexpr double kUsual = 0.1;        // of the described products, that state an attribute
constexpr double kTells = 3;          // times as often as in the shop
constexpr double kFew = 0.25;         // of the products

}  // namespace

std::unordered_set<std::string> FindStrangers(const std::vector<catalog::Product>& products,
                                              const ProductKinds& kinds) {
  if (products.size() < kManyProducts) return {};
  std::unordered_map<std::string_view, size_t> stated;
  size_t described = 0;
  for (const catalog::Product& each : products) {
    if (each.attributes.size() < kDescribed) continue;
    ++described;
    for (const catalog::Attribute& attribute : each.attributes) ++stated[attribute.name];
  }
  std::unordered_set<std::string_view> telling;
  for (const auto& [key, count] : stated) {
    const double share = static_cast<double>(count) / static_cast<double>(described);
    const double in_shop = static_cast<double>(kinds.CountOf(std::string(key))) /
                           static_cast<double>(kinds.product_count());
    if (share >= kUsual && share >= kTells * in_shop) telling.insert(key);
  }
  if (telling.empty()) return {};
  std::unordered_set<std::string> strangers;
  for (const catalog::Product& each : products) {
    const size_t size = each.attributes.size();
    const bool is_alike =
        std::any_of(each.attributes.begin(), each.attributes.end(),
                    [&](const auto& attribute) { return telling.contains(attribute.name); });
    if (size > kSaysLittle && size <= kSaysMuch && !is_alike) strangers.insert(each.id);
  }
  const bool are_few =
      static_cast<double>(strangers.size()) < kFew * static_cast<double>(products.size());
  return are_few ? strangers : std::unordered_set<std::string>();
}

}  // namespace emptor::services
