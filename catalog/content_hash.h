// Hashes by which an importer sees whether a record, or its searched text, changed.
#pragma once

#include <cstdint>

#include "catalog/product.h"

namespace emptor::catalog {

/// Hash of the whole record.
uint64_t ContentHash(const Product& product);
uint64_t ContentHash(const Document& document);

/// Hash of what search reads as text (title, description, brand, gtin, mpn, categories, attributes,
/// options, locale): equal when the embedding and the word index stay valid, as after a change of
/// price, stock, shipping, popularity, link or rating.
uint64_t IndexTextHash(const Product& product);

}  // namespace emptor::catalog
