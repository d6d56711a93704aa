// The words of a question: which of them name a product, and which an attribute does not answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The question without the words that name the product: "how strong is the steam boost" of "the
/// Corvey Mist steam iron, how strong is the steam boost". A run of the title's words names it
/// where the title's first word, a model number, or three words are in it. Pure.
FoldedMessage WithoutName(const FoldedMessage& question, const catalog::Product& product);

/// The telling words of a question in `language` that neither the key, nor what the lexicon says of
/// it, nor its values hold: "wall" and "mount" of "does it come with a wall mount in the box", for
/// the package type "Box". Pure.
std::vector<std::string> UnansweredWords(const FoldedMessage& question, const SchemaKey& key,
                                         const std::string& values, std::string_view language);

}  // namespace emptor::services
