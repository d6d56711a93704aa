// The letters with case that the deepseek-llm pre-tokenizer keeps together.
#pragma once

#include <cstdint>

namespace emptor::engine {

/// A letter of a script with case, as the model's tokenizer lists them: Latin, Greek, Coptic,
/// Cyrillic, Armenian, Georgian capitals, Cherokee, Glagolitic, letter-like symbols, ligatures,
/// full-width letters, Deseret, Osage, Old Hungarian, Warang Citi, Adlam. Later additions to
/// Unicode are not in it. -1 is none.
bool IsCasedLetter(int32_t code_point);

}  // namespace emptor::engine
