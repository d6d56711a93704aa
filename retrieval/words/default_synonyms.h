// The text of default_synonyms.txt, built into the program.
#pragma once

#include <string_view>

namespace emptor::retrieval {

extern const std::string_view kDefaultSynonymsText;

}  // namespace emptor::retrieval
