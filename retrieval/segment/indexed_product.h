// A record to index: the product, the vector of its text, and that text.
#pragma once

#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// A product and the vector of its EmbeddingText, [dimension] f32. An empty vector means that the
/// searcher keeps its vector of this id, so that a new price costs no embedding.
struct IndexedProduct {
  catalog::Product product;
  std::vector<float> vector;
  /// True when IndexTextHash equals that of the searcher's record. Then the text is not analyzed
  /// again: price, stock, condition, rating and popularity are replaced in the inventory columns. A
  /// new id, or a record with another item group, is indexed as usual.
  bool same_text = false;
};

/// The text of a product that is embedded: title, brand, category, attributes and the beginning of
/// the description. Part of the index format: a change requires re-embedding.
std::string EmbeddingText(const catalog::Product& product);

/// FAQ entries and other documents are indexed as records with title and description.
catalog::Product AsSearchRecord(const catalog::Document& document);

}  // namespace emptor::retrieval
