// JSON files of a model's directory.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "engine/json/json_tree.h"

namespace emptor::engine {

/// Reads a whole file of at most `limits.max_bytes`. Errors: as ReadFileImage and JsonTree::Parse,
/// the message begins with the path.
absl::StatusOr<JsonTree> ReadJsonFile(const std::string& path, const JsonLimits& limits);

}  // namespace emptor::engine
