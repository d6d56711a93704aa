// Values of which goods have one (data/lexicon/contrasts.txt): a "right-hand" mouse is none for
// left-handers, a case of nylon is not of leather.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What a record says of the kind of value that a question names.
struct Contrast {
  std::string key;                 // the attribute, or "title"
  std::optional<bool> holds = {};  // nothing: the question names several, one of which is stated
};

/// The question names a value, or a choice of values, of one kind and asks for nothing else; the
/// record states a value of that kind. Nothing where the record leaves it open. `beyond`: the
/// question without the product's name and type. Pure.
std::optional<Contrast> FindContrast(const FoldedMessage& beyond, const catalog::Product& product);

/// Words that the name of an attribute may have and a question about it need not: "supported".
bool IsSoftWord(const std::string& word);

/// What is done with a part of goods: to have the part does not say that it can be "changed".
const std::vector<std::string>& ActPhrases();

/// Words of a question in Chinese that name nothing: "吗", "能不能".
const std::vector<std::string>& EmptyPhrases();

}  // namespace emptor::services
