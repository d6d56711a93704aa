// Products, vectors and random data for the tests of retrieval/.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::retrieval::testing {

/// A record with the embedding of its text.
inline IndexedProduct Indexed(const Embedder& embedder, catalog::Product product) {
  IndexedProduct record{std::move(product), {}};
  record.vector.resize(static_cast<size_t>(embedder.dimension()));
  const std::string text = EmbeddingText(record.product);
  [[maybe_unused]] const absl::Status status = embedder.EmbedInto({&text, 1}, record.vector);
  return record;
}

/// "p7": appended, since g++ 12 warns falsely of `"p" + std::to_string(7)` at -O3.
inline std::string Numbered(std::string_view prefix, size_t number) {
  std::string name(prefix);
  name += std::to_string(number);
  return name;
}

inline catalog::Product MakeProduct(std::string id, std::string title, std::string brand = "",
                                    std::string category = "",
                                    std::optional<int64_t> cents = std::nullopt) {
  catalog::Product product;
  product.id = std::move(id);
  product.title = std::move(title);
  product.brand = std::move(brand);
  if (!category.empty()) product.categories.push_back(std::move(category));
  if (cents) product.price = catalog::Money{*cents, "USD"};
  return product;
}

inline std::vector<std::string> Ids(const SearchResult& result) {
  std::vector<std::string> ids;
  for (const Hit& hit : result.hits) ids.push_back(hit.id);
  return ids;
}

inline void NormalizeRow(float* row, size_t dimension) {
  double squares = 0;
  for (size_t i = 0; i < dimension; ++i) squares += double{row[i]} * row[i];
  for (size_t i = 0; i < dimension; ++i) row[i] = static_cast<float>(row[i] / std::sqrt(squares));
}

/// `count` unit vectors around `clusters` centres: [count, dimension] f32.
inline std::vector<float> ClusteredVectors(size_t count, size_t dimension, size_t clusters,
                                           uint32_t seed, uint32_t centre_seed = 7) {
  std::mt19937 centre_random(centre_seed);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> centres(clusters * dimension);
  for (float& value : centres) value = normal(centre_random);
  std::vector<float> rows(count * dimension);
  for (size_t i = 0; i < count; ++i) {
    const size_t cluster = random() % clusters;
    for (size_t j = 0; j < dimension; ++j) {
      rows[i * dimension + j] = centres[cluster * dimension + j] + 0.7f * normal(random);
    }
    NormalizeRow(&rows[i * dimension], dimension);
  }
  return rows;
}

/// In double precision. REQUIRES: equal lengths.
inline double InnerProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

}  // namespace emptor::retrieval::testing
