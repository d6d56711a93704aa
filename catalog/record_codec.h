// Bytes of a stored product or document. Format: docs/formats/catalog_store.md. Each record has
// exactly one encoding, so equal records have equal bytes and hashes.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// Version of these bytes and of the key layout; sealed with the store. 2 added the last fields of
/// both records; bytes of version 1 are still read.
inline constexpr uint32_t kCatalogContentVersion = 2;

std::string EncodeProduct(const Product& product);
std::string EncodeDocument(const Document& document);

/// Decodes what Encode writes, in this version or in version 1 (whose reviews are read as
/// untrusted). Errors: kDataLoss for any other bytes.
absl::StatusOr<Product> DecodeProduct(std::string_view bytes);
absl::StatusOr<Document> DecodeDocument(std::string_view bytes);

}  // namespace emptor::catalog
