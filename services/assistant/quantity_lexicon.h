// data/lexicon/quantities.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kQuantityLexicon;

}  // namespace emptor::services
