// Filter columns as bytes, for the segment file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/filter/filter_columns.h"

namespace emptor::retrieval {

/// Version of the columns; part of the segment file's key. Raise it when a row's content or the way
/// it is derived changes.
inline constexpr uint32_t kFilterColumnsVersion = 5;

std::string EncodeFilterColumns(const FilterColumns& columns);

/// Errors: kDataLoss (another version, or malformed bytes).
absl::StatusOr<FilterColumns> DecodeFilterColumns(std::span<const uint8_t> bytes);

}  // namespace emptor::retrieval
