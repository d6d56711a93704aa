// What a message asks for that no record mentions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// "Do you sell car tires": the last word before a purpose ("for", "with") that is neither a word
/// of the question itself, nor mentioned by a record, nor an attribute or value. Empty: none. Pure.
std::string FindUnsoldName(const std::vector<retrieval::QueryToken>& tokens,
                           const retrieval::QueryVocabulary& vocabulary, const TypeSchema* schema,
                           std::string_view language);

/// "Garmin" of "do you have anything from garmin", where no record of the topic (`schema`) has it.
/// Empty: no maker is named so. Pure.
std::string FindUnsoldMaker(const FoldedMessage& message, const TypeSchema& schema);

/// "Asdkjh qwe zzxv", "asdfgh": several words of which none is known, or one of neighbours on a
/// keyboard. Pure.
bool IsGibberish(const std::vector<retrieval::QueryToken>& tokens,
                 const retrieval::QueryVocabulary& vocabulary);

}  // namespace emptor::services
