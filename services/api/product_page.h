// The product page as the service writes it: the head that search engines and chats read, and the
// facts that its script replaces by the live record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "services/api/comparison.h"
#include "services/api/page_parts.h"

namespace emptor::services {

struct ProductPage {
  std::string_view html;                // product.html
  const ShownProduct* shown = nullptr;  // null: nothing is said of a product
  bool is_missing = false;              // there is no such product
  int64_t now_unix = 0;
};

/// Pure.
std::string ProductPageHtml(const PageContext& page, const ProductPage& product);

}  // namespace emptor::services
