// Name, maker and the two descriptions.
#include "tests/support/bestbuy.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "catalog/validation.h"
#include "tests/support/dataset_text.h"

namespace emptor::testing {

using catalog::RecordLimits;

absl::StatusOr<std::vector<catalog::Product>> ReadBestBuyProducts() {
  std::vector<catalog::Product> products;
  std::unordered_map<std::string, int> uses;
  const absl::Status read =
      ForEachRow("bestbuy_retrotech/products.jsonl.zst", [&](const catalog::JsonValue& row) {
        catalog::Product product;
        product.id = TextMember(row, "upc", 32);
        const int use = ++uses[product.id];
        if (use > 1) product.id += "-" + std::to_string(use);
        product.title = TextMember(row, "name", RecordLimits::kTitle);
        product.brand = TextMember(row, "manufacturer", RecordLimits::kBrand);
        const std::string text = TextMember(row, "short_description", RecordLimits::kDescription) +
                                 " " + TextMember(row, "long_description", 1u << 20);
        product.description = CleanText(text, RecordLimits::kDescription);
        product.locale = "en";
        products.push_back(std::move(product));
      });
  if (!read.ok()) return read;
  return products;
}

}  // namespace emptor::testing
