// data/lexicon/spellings.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kSpellingLexicon;

}  // namespace emptor::services
