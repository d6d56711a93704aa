// data/lexicon/exclusions.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kExclusionLexicon;

}  // namespace emptor::services
