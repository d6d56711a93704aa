// A description of a model's files for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/model/model_source.h"

namespace emptor::engine {

/// Names and values: file, architecture, shape, parameters, types, tokenizer, chat, capabilities.
/// Where the engine cannot run the file, the reason stands in place of the value.
std::vector<std::pair<std::string, std::string>> DescribeModel(const ModelSource& source);

}  // namespace emptor::engine
