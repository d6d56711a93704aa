// Values of attributes in five languages: "Baumwolle" is "cotton" (data/lexicon/values.txt).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A value that a message names, as English catalogs write it, folded.
struct NamedValue {
  std::string canonical;
  FoldedMessage::Span span;
};

/// The values of the lexicon that a message names in its language or in English; of overlapping
/// names the longest. Pure.
std::vector<NamedValue> FindNamedValues(const FoldedMessage& message, std::string_view language);

/// The English ways to say a value of the lexicon, folded, its own name first. Lifetime: of the
/// program.
const std::vector<std::string>& EnglishPhrasesOf(const std::string& canonical);

/// A value as people write it in `language`: "stainless steel" gives "Edelstahl" for "de". A list
/// ("red, blue") is translated where every part is known. Empty: not known, or English.
std::string TranslateValue(std::string_view value, std::string_view language);

}  // namespace emptor::services
