// A record as the index takes it: the product, the vector of its text, and that text.
#pragma once

#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// One record to index: the product and the vector of its EmbeddingText, [dimension] f32. An empty
/// vector stands for the one that the searcher holds for this id: a new price costs no embedding,
/// and nobody else needs to keep vectors.
struct IndexedProduct {
  catalog::Product product;
  std::vector<float> vector;
  /// Nothing that IndexTextHash reads differs from what the searcher holds. Then the words are not
  /// read again either: price, stock, condition, rating and popularity change where the record
  /// lies. An id that is not there is added as any other, and so is another group or first image.
  bool same_text = false;
};

/// The text that stands for a product in the embedding: title, brand, category, attributes and the
/// beginning of the description. Part of the index format: a change needs a re-embedding.
std::string EmbeddingText(const catalog::Product& product);

/// FAQ and other documents are searched the same way: as records with title and description.
catalog::Product AsSearchRecord(const catalog::Document& document);

}  // namespace emptor::retrieval
