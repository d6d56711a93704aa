// The orders of sorted retrieval.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace emptor::retrieval {

enum class SortOrder : uint8_t {
  kRelevance,  // without words: records that can be bought first, then as kPopularity
  kPopularity,
  kRating,
  kPriceAscending,
  kPriceDescending,
  kNewest,
};

/// Wire names.
inline constexpr std::array<std::pair<std::string_view, SortOrder>, 6> kSortOrders = {
    {{"relevance", SortOrder::kRelevance},
     {"popularity", SortOrder::kPopularity},
     {"rating", SortOrder::kRating},
     {"price_asc", SortOrder::kPriceAscending},
     {"price_desc", SortOrder::kPriceDescending},
     {"newest", SortOrder::kNewest}}};

/// Nothing for an unknown name.
constexpr std::optional<SortOrder> ParseSortOrder(std::string_view text) {
  for (const auto& [name, order] : kSortOrders) {
    if (name == text) return order;
  }
  return std::nullopt;
}

}  // namespace emptor::retrieval
