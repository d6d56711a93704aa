// Whether what a search without a type found is what the shopper asked for.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/grounding/source.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Title and values of a record, in which a property may stand.
std::string TextOf(const catalog::Product& product);

/// A search without a type finds what shares any word: the best hit must have half of the telling
/// words, or be near in meaning. Pure.
bool IsRelevant(const Understanding& understanding, const std::vector<FoundProduct>& found);

/// "Do you have the iphone 14": the name, where no title names it before what it is for; empty: one
/// does, or no name is asked for. Pure.
std::string UnsoldNameIn(const Understanding& understanding,
                         const std::vector<FoundProduct>& found);

/// Of goods that the message asks for by a noun that no lexicon has, those whose titles name it,
/// where any do: "a bottle for hiking" asks for no boots. Pure.
std::vector<FoundProduct> AskedGoodsOf(const Understanding& understanding,
                                       std::vector<FoundProduct> found);

/// "I want to buy a surfboard", of a shop that has fins for surfboards: the noun that a request
/// asks for and that none of the titles is named by; empty: one is, or no noun is asked for. Pure.
std::string UnsoldNounIn(const Understanding& understanding,
                         const std::vector<FoundProduct>& found);

/// The products of the kind that has most of the message's words in its titles and values, where
/// one kind has clearly more than any other; else all of them. Pure.
std::vector<FoundProduct> OfOneKind(const Understanding& understanding,
                                    std::vector<FoundProduct> found);

/// Which of the question's words the record holds, between commas. Pure.
std::string WordsFound(const Understanding& understanding, const catalog::Product& product);

/// Whether the titles of the first products of `sources` have a word of the message that those of
/// `others` lack. Pure.
bool TitlesHaveMore(const std::string& message, const std::vector<Source>& sources,
                    const std::vector<Source>& others);

/// The text of a search. "Bouilloire" finds the same records in the same order as "kettle": the
/// name of the type as records have it stands next to the shopper's words. Chinese records have
/// names of their own. Pure.
std::string TextInRecords(const Understanding& understanding);

}  // namespace emptor::services
