// Messages as phones type them, in the words of the lexicons.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "retrieval/query/vocabulary.h"
#include "services/assistant/types/goods_names.h"

namespace emptor::services {

/// In how many records a folded word stands.
using RecordMentions = std::function<size_t(const std::string& word)>;

/// The message with short and colloquial spellings of its language written out
/// (data/lexicon/spellings.txt: "such nen" is "suche einen"), German "ue" as "ü" where that is a
/// word of the lexicons, and German compounds that no lexicon lists parted before the type or
/// behind the value that they hold: "Glaskrug" is "glas krug". A word of the records is no such
/// compound. Other text is kept as it is. `mentions` may be empty. Pure but for it.
std::string SpellOut(std::string_view message, std::string_view language,
                     const RecordMentions& mentions = {});

/// "I'm 6'3\"" and "6'3 tall" are the heights of people, "191 cm tall", and no inches of goods as
/// in "a 4'6 mattress". Pure.
void SpellHeights(std::string& message);

/// An English message with mistyped words as the lexicons or the shop's own names spell them:
/// "chargr" is "charger". A word that a record mentions, of any list or of the dictionary is kept,
/// as is one that could be several, and every word where no dictionary is installed. `own_names`
/// may be null. Pure but for the vocabulary.
std::string CorrectWords(std::string_view message, const retrieval::QueryVocabulary& vocabulary,
                         const GoodsNames* own_names);

}  // namespace emptor::services
