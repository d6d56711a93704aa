// data/lexicon/needs.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kNeedLexicon;

}  // namespace emptor::services
