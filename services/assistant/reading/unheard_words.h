// What a shopper names and no record of the type knows: "right angle" of HDMI cables.
#pragma once

#include <string_view>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The demands of phrases that hold a word which neither titles nor values of the type have: the
/// words right before and behind the name of the type, and short parts of the message between
/// commas, "with" and "and". Parts that tell a story ("my son is 6") demand nothing. In other
/// languages than English only words that no lexicon has: records may say the others by another
/// word. `message` as written; `read`: what conditions have read of it, folded, struck out. Pure.
std::vector<WordCondition> FindUnheard(std::string_view message, const FoldedMessage& read,
                                       const std::vector<std::string>& type_words,
                                       const TypeSchema& schema, bool is_english);

}  // namespace emptor::services
