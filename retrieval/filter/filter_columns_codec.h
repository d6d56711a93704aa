// Filter columns as bytes, for the segment file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/filter/filter_columns.h"

namespace emptor::retrieval {

/// Stands before the columns; raise it with every change of what a row holds or how it is made.
inline constexpr uint32_t kFilterColumnsVersion = 5;

std::string EncodeFilterColumns(const FilterColumns& columns);

/// Errors: kDataLoss (another version, or bytes that are no columns).
absl::StatusOr<FilterColumns> DecodeFilterColumns(std::span<const uint8_t> bytes);

}  // namespace emptor::retrieval
