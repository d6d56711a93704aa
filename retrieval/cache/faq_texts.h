// The data files that are compiled into the program.
#pragma once

#include <string_view>

namespace emptor::retrieval {

extern const std::string_view kDefaultFaqTuning;  // data/faq/tuning.txt
extern const std::string_view kFaqFormsLexicon;   // data/lexicon/faq_forms.txt

}  // namespace emptor::retrieval
