// Goods that a message needs and does not name: by what other shoppers said of such needs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/types/need_index.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/type_meanings.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The types that help with what a message describes (NeedIndex::Rank); empty: not known.
using NeedLookup = std::function<std::vector<NeededType>(const std::string& message)>;

struct NeedReading {
  const std::vector<NeededType>& ranked;
  const std::vector<MeantKind>& meant;  // kinds of this shop's goods, by the same message
  const FoldedMessage& message;
  const std::optional<ProductType>& named;  // by the message
  const ShopProfile& profile;
  std::function<bool(const ProductType&)> is_sold;
  bool has_topic = false;  // something was shown: a need of other goods must be clear
  bool is_english = true;  // as titles and most embedders are: else `meant` tells little
};

/// Those that stand out, as one type that is advised; where the shop sells none of them, the first.
/// Nothing where none does, and where what the message names is asked for by its name or as near:
/// "my laptop overheats on my knees" asks for no laptop. Pure.
std::optional<ProductType> FindNeededType(const NeedReading& reading);

}  // namespace emptor::services
