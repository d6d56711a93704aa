// Grows a catalog: as many products as wanted that read like the ones given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/product.h"

namespace emptor::testing {

/// Each product recombines two real ones of the same category: words of both titles, values of both
/// attribute lists, sentences of both descriptions, and a model number of its own, so that words
/// are as frequent as in the real catalog and the vocabulary grows with its size as real ones do.
/// Thread-safety: one thread. Equal seeds grow equal catalogs.
class PassageGrower {
 public:
  /// REQUIRES: `seeds` is not empty.
  PassageGrower(std::vector<catalog::Product> seeds, uint64_t random_seed);

  /// The next product; ids ascend strictly.
  catalog::Product Next();

  /// One to four words that stand near each other in a real title, brand or attribute.
  std::string RandomQuery();

 private:
  const catalog::Product& Sibling(const catalog::Product& product);
  size_t Below(size_t bound) { return static_cast<size_t>(random_() % bound); }

  std::vector<catalog::Product> seeds_;
  std::unordered_map<std::string, std::vector<size_t>> by_category_;  // positions in seeds_
  std::mt19937_64 random_;
  uint64_t grown_ = 0;
};

}  // namespace emptor::testing
