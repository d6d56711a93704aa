// The page of a category, written by the service: its products with price, stock and picture, page
// by page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "services/api/category_index.h"
#include "services/api/comparison.h"
#include "services/api/page_parts.h"

namespace emptor::services {

/// Products of one page.
inline constexpr size_t kCategoryPageSize = 24;

struct ListedProduct {
  ShownProduct shown;
  size_t variants = 0;  // of its item group in this category; 0 and 1: none to choose from
};

struct CategoryPage {
  std::string_view html;  // category.html
  std::string_view slug;
  const CategoryIndex* index = nullptr;  // borrowed; never null
  std::vector<ListedProduct> products = {};
  size_t number = 1;  // of this page
  size_t total = 0;   // products on all pages
};

/// Pages of a list of so many products, at least 1.
constexpr size_t PagesOf(size_t total) {
  return total == 0 ? 1 : (total + kCategoryPageSize - 1) / kCategoryPageSize;
}

/// REQUIRES: the index has the slug. Pure.
std::string CategoryPageHtml(const PageContext& page, const CategoryPage& category);

/// Says that there is no such category or page, and leads to those that there are. Pure.
std::string UnknownCategoryHtml(const PageContext& page, std::string_view html,
                                const CategoryIndex& index);

}  // namespace emptor::services
