// Whether a product meets an amount that a question names: "is it under 5 kg", "does it hold 2
// liters", "will it fit a 60 cm gap", "is it ok for a 3 year old", "does it work on 110 V".
#pragma once

#include <optional>
#include <string>

#include "catalog/product.h"
#include "services/assistant/schema/shop_units.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What an attribute says of the amount.
struct AmountVerdict {
  std::string key;            // the attribute
  std::optional<bool> holds;  // nothing: the value is to be stated, without yes or no
};

/// The verdict for the one amount of the question, `text` as it was written; `question` is the same
/// without the product's name. The words around it say how it is meant (data/lexicon/limits.txt).
/// Nothing: it names no amount or several, or no attribute states such a quantity. `units` may be
/// null. Pure.
std::optional<AmountVerdict> JudgeAmount(const std::string& text, const FoldedMessage& question,
                                         const catalog::Product& product, const ShopUnits* units);

}  // namespace emptor::services
