// Writes a catalog of the test data to standard output as our JSON lines.
#include <cstdio>
#include <string_view>

#include "catalog/product_json.h"
#include "tests/support/bestbuy.h"
#include "tests/support/icecat.h"

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  if (name != "icecat" && name != "bestbuy") {
    std::fprintf(stderr, "usage: emptor_dataset_to_jsonl icecat|bestbuy\n");
    return 2;
  }
  const auto products = name == "icecat" ? emptor::testing::ReadIcecatProducts()
                                         : emptor::testing::ReadBestBuyProducts();
  if (!products.ok()) {
    std::fprintf(stderr, "%s\n", products.status().ToString().c_str());
    return 1;
  }
  for (const emptor::catalog::Product& product : *products) {
    std::puts(emptor::catalog::ToJson(product).c_str());
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
