// Hashes that tell an importer what a changed record costs.
#pragma once

#include <cstdint>

#include "catalog/product.h"

namespace emptor::catalog {

/// Of the whole record: equal when nothing changed.
uint64_t ContentHash(const Product& product);
uint64_t ContentHash(const Document& document);

/// Of what search reads as text (title, description, brand, gtin, mpn, categories, attributes,
/// options, locale): equal when neither the embedding nor the word index needs to be made anew, for
/// example after a change of price, stock, shipping, popularity, link or rating.
uint64_t IndexTextHash(const Product& product);

}  // namespace emptor::catalog
