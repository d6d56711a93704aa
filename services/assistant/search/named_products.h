// Products that a message names by the words of their titles.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_catalog.h"
#include "services/grounding/source.h"

namespace emptor::services {

/// Words of a text, lower-case, without function words.
std::set<std::string> ContentWords(std::string_view text);

/// Letters and digits: "r90". Pure.
bool IsModelCode(const std::string& word);

/// "The AVM one", "der Samsung": one product of the brand. Pure.
bool NamesOneOf(const FoldedMessage& message, const std::string& brand);

/// Keeps only the products that the question names, if it names one (two, for a comparison) clearly
/// better than the others: a model that sees one product cannot confuse it with another. Returns
/// whether it did. Pure.
bool FocusOnNamed(const Understanding& understanding, const std::string& question,
                  std::vector<Source>& products);

/// "How big is the water tank", of a coffee machine in focus: an attribute of its type is asked
/// for, and no water tank by its name. `table` of the type, may be null. Pure.
bool AsksOfFocus(const Understanding& understanding, const TypeTable* table);

}  // namespace emptor::services
