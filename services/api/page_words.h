// The words of pages that the service writes itself: the category page, and the product page before
// its script has run.
#pragma once

#include <array>
#include <string_view>

namespace emptor::services {

struct PageWords {
  std::string_view language;  // "en", as in `lang`
  bool right_to_left = false;
  std::string_view assistant;     // the way to the chat page
  std::string_view back_to_chat;  // the same, of a product page
  std::string_view shop;          // the first breadcrumb
  std::string_view breadcrumbs;
  std::string_view categories;
  std::string_view products;  // before their number
  std::string_view variants;  // before their number
  std::string_view pages;
  std::string_view page;  // before "2 / 5"
  std::string_view previous;
  std::string_view next;
  std::string_view was;
  std::string_view no_price;
  std::string_view rated;                        // before "4.5 / 5"
  std::array<std::string_view, 4> availability;  // by catalog::Availability
  std::string_view nothing_here;
  std::string_view unknown_category;
  std::string_view unknown_category_help;
  std::string_view unknown_product;
  std::string_view unknown_product_help;
  std::string_view description;
};

/// The words in the language that an Accept-Language header likes best, English where it likes none
/// of them. Pure.
const PageWords& ChoosePageWords(std::string_view accept_language);

}  // namespace emptor::services
