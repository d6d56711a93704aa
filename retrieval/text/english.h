// Light English morphology: plural folding and spelling variants, for lower-case ASCII words.
#pragma once

#include <string>
#include <string_view>

namespace emptor::retrieval {

/// Turns plurals into singulars in place ("batteries" -> "battery", "shelves" -> "shelf",
/// "mice" -> "mouse") and British into American spelling ("colour" -> "color").
/// An S-stemmer after Harman 1991, "How effective is suffixing?", with a table of exceptions.
/// Words of other languages may be shortened too; index and query are treated alike, so they still
/// match. REQUIRES: `word` consists of a-z only.
void FoldEnglish(std::string& word);

/// True when `word` consists of a-z only and is not empty.
bool IsPlainWord(std::string_view word);

}  // namespace emptor::retrieval
