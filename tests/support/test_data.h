// Finds and reads the data sets that tests measure on.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::testing {

/// Path of a file of the test data: under EMPTOR_TEST_DATA, by default ../shared/data beside the
/// source folder. It need not exist.
std::string TestDataPath(std::string_view relative);

/// The whole file; a name that ends in .zst is decompressed.
/// Errors: kNotFound (the file is absent: the test is skipped, for no other error), kUnavailable,
/// kDataLoss.
absl::StatusOr<std::string> ReadTestData(std::string_view relative);

}  // namespace emptor::testing
