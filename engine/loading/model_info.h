// A description of a model's files for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_source.h"

namespace emptor::engine {

/// Names and values: file, architecture, shape, parameters, types, tokenizer, chat, capabilities.
/// Where the engine cannot run the file, the reason stands in place of the value.
std::vector<std::pair<std::string, std::string>> DescribeModel(const ModelSource& source);

/// The same of what lies at `path`: a model, or a LoRA adapter (DescribeLora). With `adapter`, the
/// path of one, its lines follow and what adding it to this model's weights does. Errors: as
/// LoadModelSource, LoadLora and DescribeLora.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> DescribeFile(
    const std::string& path, const std::string& adapter);

}  // namespace emptor::engine
