// The files of data/phrases as constants.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kPhrasesEn, kPhrasesDe, kPhrasesFr, kPhrasesEs, kPhrasesZh;

}  // namespace emptor::services
