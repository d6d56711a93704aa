// data/lexicon/ranks.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kRankLexicon;

}  // namespace emptor::services
