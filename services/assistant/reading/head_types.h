// The noun with which a request begins: it says what is asked for, whatever other goods are named
// behind it. English alone.
#pragma once

#include <optional>
#include <string>

#include "services/assistant/reading/type_reading.h"

namespace emptor::services {

/// The noun phrase of "i need a new switch to use one keyboard": "switch". Not found: the message
/// begins with a verb, with "something" or with a word that is no noun. Pure.
FoldedMessage::Span FindHeadPhrase(const FoldedMessage& message);

struct HeadReading {
  bool decides = false;             // what stands behind the noun is not asked for
  std::optional<ProductType> type;  // of the noun; none: no type of that name is known
};

/// "Mosquito net" of "a net to keep mosquitoes away from the stroller", though `named` is the
/// stroller: a listed name that the noun makes with words around it, else the shop's own. Decides
/// nothing where the noun itself names `named`, or in the midst of a conversation without a
/// request. Pure but for the lookups of the reading.
HeadReading ReadHeadType(const TypeReading& reading, const std::optional<ProductType>& named);

}  // namespace emptor::services
