// Any bytes as JSON and as a record: refused, or read such that writing and reading again is equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "catalog/encoding/json.h"
#include "catalog/product_json.h"
#include "catalog/validation.h"

namespace {

using emptor::catalog::Document;
using emptor::catalog::JsonWriter;
using emptor::catalog::Product;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckJson(std::string_view text) {
  const auto value = emptor::catalog::ParseJson(text);
  if (!value.ok()) return;
  JsonWriter once;
  once.Value(*value);
  const auto again = emptor::catalog::ParseJson(once.text(), {.max_bytes = 8u << 20});
  Require(again.ok());
  JsonWriter twice;
  Require(twice.Value(*again).text() == once.text());
}

void CheckRecord(std::string_view text) {
  const auto record = emptor::catalog::ParseRecord(text);
  if (!record.ok()) return;
  if (const Product* product = std::get_if<Product>(&*record)) {
    Require(emptor::catalog::ValidateProduct(*product).ok());
    const auto again = emptor::catalog::ParseProduct(ToJson(*product));
    Require(again.ok() && *again == *product);
  } else {
    const Document& document = std::get<Document>(*record);
    Require(emptor::catalog::ValidateDocument(document).ok());
    const auto again = emptor::catalog::ParseDocument(ToJson(document));
    Require(again.ok() && *again == document);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckJson(text);
  CheckRecord(text);
  return 0;
}
