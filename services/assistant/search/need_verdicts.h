// Which of the shopper's needs products meet, and their order by it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/reading/asked_needs.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/product_search.h"

namespace emptor::services {

struct VerdictInput {
  const std::vector<AskedNeed>& needs;
  const TypeTable* table = nullptr;  // of the type that is searched; null: words are read in titles
  int64_t now_unix = 0;
  catalog::Market market = {};
  bool chooses = true;                     // false: judges alone, and keeps all in their order
  std::optional<int64_t> price_near = {};  // "around 900": what is alike otherwise, by its distance
};

/// The verdicts on each product: by its attributes and price, then its title, then its description.
/// An attribute that denies a need violates it, one that is missing does not state it. Pure.
std::vector<std::vector<NeedVerdict>> JudgeNeeds(const VerdictInput& input,
                                                 const std::vector<FoundProduct>& found);

/// Puts what violates least first, then what is in stock, then what states most, then what states
/// anything; else the order stays. What violates more than the first does is left out, and where
/// the first states all, what does not. Returns the verdicts on what is left, by id. Pure.
std::map<std::string, std::vector<NeedVerdict>> ChooseByNeeds(const VerdictInput& input,
                                                              std::vector<FoundProduct>& found);

/// What of the filter the first products do not all meet.
struct GivenUp {
  std::vector<retrieval::RelaxationStep> parts;
  retrieval::Filter left;            // the filter without it
  std::vector<std::string> lacking;  // words that none of the products says
  bool misses_words = false;         // the first product lacks a word
};

/// Of the first `count` of the products. Pure.
GivenUp GivenUpOf(const NeedReport& report, const retrieval::Filter& filter,
                  const std::vector<FoundProduct>& found, size_t count);

/// Where the price of `filter` was given up, and the first `count` products are within the price
/// that a search would widen it to: widened, not dropped. Pure.
void WidenPrice(const VerdictInput& input, const retrieval::Filter& filter,
                const std::vector<FoundProduct>& found, size_t count, GivenUp& given_up);

}  // namespace emptor::services
