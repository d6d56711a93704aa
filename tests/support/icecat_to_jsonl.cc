// Writes the icecat_chorus catalog to standard output as our JSON lines.
#include <cstdio>

#include "catalog/product_json.h"
#include "tests/support/icecat.h"

int main() {
  const auto products = emptor::testing::ReadIcecatProducts();
  if (!products.ok()) {
    std::fprintf(stderr, "%s\n", products.status().ToString().c_str());
    return 1;
  }
  for (const emptor::catalog::Product& product : *products) {
    std::puts(emptor::catalog::ToJson(product).c_str());
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
