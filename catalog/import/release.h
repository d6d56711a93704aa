// Releases from quarantine: the store remembers the text that was released.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "catalog/product_store.h"

namespace emptor::catalog {

/// Metadata that marks the current text of the record as harmless; written with the record.
MetadataEntry ReleaseMark(const Product& product);
MetadataEntry ReleaseMark(const Document& document);

/// All releases of the store. Errors: of the store.
absl::StatusOr<std::vector<MetadataEntry>> ReleaseMarks(const ProductStore& store);

/// True when this text of the record was released. Errors: of the store.
absl::StatusOr<bool> WasReleased(const ProductStore& store, const Product& product);
absl::StatusOr<bool> WasReleased(const ProductStore& store, const Document& document);

}  // namespace emptor::catalog
