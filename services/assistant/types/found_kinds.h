// What the products are that a search for the words of a message finds.
#pragma once

#include <string>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/goods_names.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// A product that was found.
struct FoundKind {
  std::string name;       // as KindOf has it; empty: nothing says what it is
  double score = 0;       // of the search, 0 to 1
  double similarity = 0;  // cosine of message and product; 0: not known
};

/// What a product is: the type of the lexicon that its title names last, else the last element of
/// its first category, else the name of the shop's goods that ends the head of its title; folded.
/// Empty: none of them says it. `own` may be null. Pure.
std::string KindOf(const catalog::Product& product, const GoodsNames* own);

/// The best ten products for a whole message, the best first. None where the search fails: the one
/// that follows says why. Thread-safety: any thread.
std::vector<FoundKind> FindKinds(const ShopReader& shop, const std::string& message,
                                 const std::string& locale, const GoodsNames* own);

}  // namespace emptor::services
