// What ingest_loop_child told, held against the store that it left.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "catalog/product_store.h"

namespace emptor::catalog::testing {

// The newest number that was acknowledged for each product.
using Acknowledged = std::map<std::string, int64_t>;

inline void ReadAcknowledged(const std::string& output, Acknowledged& acknowledged, int64_t& next) {
  // A last line without line feed was cut by the kill.
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  std::string word, status;
  int64_t number = 0;
  while (lines >> word >> number >> status) {
    if (word != "acknowledged") break;  // "stopped": what follows is told by nobody
    next = std::max(next, number + 1);
    if (status == "error") continue;  // may be there or not
    acknowledged["p" + std::to_string(number % 200)] = number;
  }
}

inline void CheckStore(const std::string& directory, const Acknowledged& acknowledged,
                       int64_t& next) {
  const auto store = ProductStore::Open(directory, {});
  ASSERT_TRUE(store.ok()) << store.status();
  for (const auto& [id, number] : acknowledged) {
    const auto product = (*store)->Find(id);
    ASSERT_TRUE(product.ok() && product->has_value()) << id;
    EXPECT_GE((*product)->price->amount, number) << id;
  }
  const absl::Status scanned =
      (*store)->ScanProducts([&](const Product& product, std::string_view stored_embedding) {
        const int64_t number = product.price->amount;
        EXPECT_EQ(product.title, "Version " + std::to_string(number));
        EXPECT_EQ(product.attributes.at(0).value, std::to_string(number));
        EXPECT_EQ(product.description.size(), static_cast<size_t>(number % 700));
        EXPECT_EQ(stored_embedding, product.title);
        next = std::max(next, number + 1);
        return true;
      });
  EXPECT_TRUE(scanned.ok()) << scanned;
}

}  // namespace emptor::catalog::testing
