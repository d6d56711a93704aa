// data/lexicon/kinds.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kKindLexicon;

}  // namespace emptor::services
