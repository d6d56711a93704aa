// data/lexicon/counts.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kCountLexicon;

}  // namespace emptor::services
