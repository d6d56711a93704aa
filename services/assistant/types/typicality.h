// How typical each member of a type is of it, by the attributes that they state.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/product_kinds.h"

namespace emptor::services {

/// The cosine of each product with the mean of those that are described, an attribute weighted by
/// how rare it is in the shop (Rocchio 1971), as a share of that of the most typical quarter: 1 for
/// a notebook among laptops, 0.1 for a spare keyboard "for laptops", 0 where it states nothing. One
/// for each product; none where few are described. `kinds` is of the whole shop. Pure.
std::vector<double> TypicalityOf(const std::vector<catalog::Product>& products,
                                 const ProductKinds& kinds);

struct TypeSplit {
  /// Ids of what is not of the type at all. None where they are a large part of the products: the
  /// type is of several kinds.
  std::unordered_set<std::string> strangers;
  /// Ids of what is meant by the type's bare name: "laptop" is no thin client. A product that
  /// states nothing may be meant. Empty: all are.
  std::unordered_set<std::string> typical;
  /// Of these, what is described and as most of the type are: shown before what states nothing.
  std::unordered_set<std::string> best;
};

/// Pure.
TypeSplit SplitByTypicality(const std::vector<catalog::Product>& products,
                            const ProductKinds& kinds);

}  // namespace emptor::services
