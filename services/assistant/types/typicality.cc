// Cosines with a centroid.
#include "services/assistant/types/typicality.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace emptor::services {
namespace {

constexpr size_t kManyProducts = 5;          // of a type that has attributes of its own
constexpr size_t kDescribed = 6;             // attributes of a product from which they are learned
constexpr double kReferenceQuantile = 0.75;  // quantile of the cosines that counts as 1
constexpr double kTypical = 0.3;             // of what the type's bare name means
constexpr double kBest = 0.6;                // of what is shown first
constexpr double kStranger = 0.1;            // of what is not of it
constexpr size_t kSaysLittle = 3;  // attributes of one that may be of the type all the same
constexpr size_t kSaysMuch = 24;   // and of one that is of a kind of its own within it
constexpr double kFew = 0.25;      // of the products

/// Squared inverse document frequencies of the attributes.
class Weights {
 public:
  explicit Weights(const ProductKinds& kinds) : kinds_(kinds) {}

  double Of(const std::string& attribute) {
    const auto [found, is_new] = weights_.try_emplace(attribute, 0);
    if (is_new) {
      const auto count = static_cast<double>(std::max<size_t>(kinds_.CountOf(attribute), 1));
      const double idf = std::log(static_cast<double>(kinds_.product_count()) / count);
      found->second = idf * idf;
    }
    return found->second;
  }

 private:
  const ProductKinds& kinds_;
  std::unordered_map<std::string_view, double> weights_;
};

}  // namespace

std::vector<double> TypicalityOf(const std::vector<catalog::Product>& products,
                                 const ProductKinds& kinds) {
  Weights weights(kinds);
  std::unordered_map<std::string_view, double> mean;
  size_t described = 0;
  for (const catalog::Product& each : products) {
    if (each.attributes.size() < kDescribed) continue;
    ++described;
    for (const catalog::Attribute& attribute : each.attributes) mean[attribute.name] += 1;
  }
  if (described < kManyProducts) return {};
  std::vector<double> cosines, known;
  for (const catalog::Product& each : products) {
    double norm = 0, common = 0;
    for (const catalog::Attribute& attribute : each.attributes) {
      const double weight = weights.Of(attribute.name);
      const auto shared = mean.find(attribute.name);
      norm += weight;
      if (shared != mean.end()) common += weight * shared->second;
    }
    cosines.push_back(norm > 0 ? common / std::sqrt(norm) : 0);
    if (each.attributes.size() >= kDescribed) known.push_back(cosines.back());
  }
  const auto reference =
      known.begin() +
      static_cast<std::ptrdiff_t>(kReferenceQuantile * static_cast<double>(known.size() - 1));
  std::nth_element(known.begin(), reference, known.end());
  if (*reference <= 0) return {};
  for (double& each : cosines) each = std::min(each / *reference, 1.0);
  return cosines;
}

TypeSplit SplitByTypicality(const std::vector<catalog::Product>& products,
                            const ProductKinds& kinds) {
  const std::vector<double> typicality = TypicalityOf(products, kinds);
  TypeSplit split;
  if (typicality.empty()) return split;
  for (size_t i = 0; i < products.size(); ++i) {
    const size_t size = products[i].attributes.size();
    const bool says_little = size <= kSaysLittle || size > kSaysMuch;
    if (typicality[i] < kStranger && !says_little) split.strangers.insert(products[i].id);
    if (size == 0 || typicality[i] >= kTypical) split.typical.insert(products[i].id);
    if (size >= kDescribed && typicality[i] >= kBest) split.best.insert(products[i].id);
  }
  const bool are_few =
      static_cast<double>(split.strangers.size()) < kFew * static_cast<double>(products.size());
  if (!are_few) split.strangers.clear();
  return split;
}

}  // namespace emptor::services
