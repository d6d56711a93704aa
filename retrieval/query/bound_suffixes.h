// The words behind a number that make it a bound: "or more", "is enough", "以上".
#pragma once

#include <span>
#include <string_view>

#include "retrieval/query/comparators.h"

namespace emptor::retrieval {

/// Words of a comparison and what they mean.
struct ComparatorWords {
  std::string_view words;  // separated by blanks
  Bound bound;
  bool of_money = true, of_size = true;  // valid with an amount of money, with a quantity
  const char* attribute = "";            // that the words imply: "weight"
};

/// All suffixes, in no order. Pure.
std::span<const ComparatorWords> BoundSuffixes();

}  // namespace emptor::retrieval
