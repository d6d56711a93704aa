// How products are called in one answer: short, and distinct where their short names are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::services {

/// A long title without what comes after its first part: shops put every property there.
std::string ShortName(const std::string& title);

/// For each product what sets it apart from the others whose short name is equal: the values of its
/// variant, the part of its title that the others lack, an attribute that all of them state
/// differently, or its model number. Empty where the name is the only one, or where nothing does.
/// One product that is there twice is no other. With `shown_bytes`, names are equal when so much of
/// their beginning is: a card does not show more. Pure.
std::vector<std::string> SetApart(std::span<const catalog::Product* const> products,
                                  size_t shown_bytes = SIZE_MAX);

/// A number without a unit that says nothing to a shopper: "16384" of "internal memory". Counts and
/// years ("number of pages", "2026") are none, nor is one whose name has the unit ("weight (g)").
/// Pure.
bool IsRawNumber(const catalog::Attribute& attribute);

}  // namespace emptor::services
