// Parts of a message that point at one product by what sets it apart: "the black one".
#pragma once

#include <string>
#include <vector>

#include "services/assistant/schema/record_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct DescribedPart {
  std::string text;         // folded, without its article: "7kg"
  bool says_one = false;    // "the 7kg one": it can be nothing but a product
  bool is_purpose = false;  // "big enough for the laptop": it is not what is asked about
};

/// What stands behind definite articles; in Chinese, next to "那款". In the order of the message.
/// Pure.
std::vector<DescribedPart> FindDescribedParts(const FoldedMessage& message);

/// What a record has to meet to be described: quantities, values in any of their names, words.
/// `message` as it was typed; `type_words` describe nothing. Pure.
std::vector<WordCondition> DemandsOfPart(const DescribedPart& part, std::string_view message,
                                         std::string_view language,
                                         const std::vector<std::string>& type_words);

}  // namespace emptor::services
