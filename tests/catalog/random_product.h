// Generated records for property tests: every field absent, at its limits or of any script.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "catalog/product.h"

namespace emptor::testing {

/// Deterministic for a seed. Everything that it gives passes ValidateProduct / ValidateDocument.
class RecordGenerator {
 public:
  explicit RecordGenerator(uint64_t seed) : random_(seed) {}

  catalog::Product MakeProduct(const std::string& id);
  catalog::Document MakeDocument(const std::string& id);
  /// Well-formed UTF-8 of at most `max_bytes`, never blank, without control characters.
  std::string MakeText(size_t max_bytes);
  size_t Below(size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  bool OneIn(size_t n) { return Below(n) == 0; }

 private:
  catalog::Money MakeMoney(const std::string& currency);
  void AddPrices(catalog::Product& product);
  catalog::TimeRange MakeSaleDates();
  void AddMerchantFields(catalog::Product& product);
  std::mt19937_64 random_;
};

}  // namespace emptor::testing
