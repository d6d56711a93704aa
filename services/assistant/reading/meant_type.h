// Whether a message is about other goods than its words name: by what it means.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/types/product_types.h"
#include "services/assistant/types/type_meanings.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The kinds of goods nearest to a message in meaning, the nearest first; empty: not known.
using MeantLookup = std::function<std::vector<MeantKind>(const std::string& message)>;

/// The kinds that the type is: its name, and its categories' last elements. Pure.
std::vector<std::string> KindsOf(const ProductType& type);

/// The kinds that stand out of `ranked`, as one type that is advised. Nothing where none does, or
/// where what the message names (`named`, may be nothing) is asked for by its name, or as near:
/// "something for drilling into brick walls" is not about the building bricks that it names, "a red
/// drill" about drills. Pure.
std::optional<ProductType> FindMeantType(const std::vector<MeantKind>& ranked,
                                         const FoldedMessage& message,
                                         const std::optional<ProductType>& named,
                                         const ShopProfile& profile);

}  // namespace emptor::services
