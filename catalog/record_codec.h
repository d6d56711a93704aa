// Bytes of a stored product or document. docs/formats/catalog_store.md draws them.
// One record has one encoding, so equal records have equal bytes and equal hashes.
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

/// Takes what Encode gives, now or in version 1 (then a review is read as untrusted), and nothing
/// else: any other bytes are kDataLoss, never a crash.
absl::StatusOr<Product> DecodeProduct(std::string_view bytes);
absl::StatusOr<Document> DecodeDocument(std::string_view bytes);

}  // namespace emptor::catalog
