// A column mapping out of a YAML file: docs/feeds.md shows one.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/feed/feed_reader.h"

namespace emptor::services {

/// True for the name of a mapping file, which `--columns` accepts in place of a list: it ends with
/// .yaml, .yml or .json (which is YAML too).
bool IsMappingFile(std::string_view text);

/// Sets what the mapping says (catalog::ApplyMapping). `name` appears in messages. Errors:
/// kInvalidArgument, `mapping.yaml:7: what is wrong`.
absl::Status ApplyMappingYaml(std::string_view text, std::string_view name,
                              catalog::FeedOptions& options);

/// The same from a file. Errors: as ApplyMappingYaml, kNotFound.
absl::Status LoadMappingFile(const std::string& path, catalog::FeedOptions& options);

}  // namespace emptor::services
