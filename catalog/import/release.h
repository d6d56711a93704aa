// Records that somebody let out of quarantine: the store remembers of which text that was said.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "catalog/product_store.h"

namespace emptor::catalog {

/// The note that this very text of the record is harmless; to be written with the record.
MetadataEntry ReleaseMark(const Product& product);
MetadataEntry ReleaseMark(const Document& document);

/// All that the store holds. Errors: of the store.
absl::StatusOr<std::vector<MetadataEntry>> ReleaseMarks(const ProductStore& store);

/// True when the store holds the note of this record with this text. Errors: of the store.
absl::StatusOr<bool> WasReleased(const ProductStore& store, const Product& product);
absl::StatusOr<bool> WasReleased(const ProductStore& store, const Document& document);

}  // namespace emptor::catalog
