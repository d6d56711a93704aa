// Hashes of the canonical encoding.
#include "catalog/content_hash.h"

#include "catalog/encoding/hash64.h"
#include "catalog/record_codec.h"

namespace emptor::catalog {

uint64_t ContentHash(const Product& product) { return Hash64(EncodeProduct(product)); }

uint64_t ContentHash(const Document& document) { return Hash64(EncodeDocument(document)); }

uint64_t IndexTextHash(const Product& product) {
  Product text;
  text.title = product.title;
  text.description = product.description;
  text.brand = product.brand;
  text.gtin = product.gtin;
  text.mpn = product.mpn;
  text.categories = product.categories;
  text.attributes = product.attributes;
  text.options = product.options;
  text.locale = product.locale;
  return Hash64(EncodeProduct(text));
}

}  // namespace emptor::catalog
