// Which goods a message looks for, of all that its words, its need and a search speak for.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/types/found_kinds.h"
#include "services/assistant/types/need_index.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/type_meanings.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What a search for a message finds (FindKinds); empty: not known.
using FoundLookup =
    std::function<std::vector<FoundKind>(const std::string& message, const std::string& language)>;

/// What speaks for a candidate.
enum class GoodsFeature {
  kRead,
  kReadByName,
  kReadInFull,
  kReadAsNeed,
  kReadAlone,
  kFoundFirst,
  kFoundPlace,
  kFoundScore,
  kFoundShare,
  kFoundHeads,
  kFoundNear,
  kNeedScore,
  kNeedShare,
  kNeedFirst,
  kMeantScore,
  kMeantShare,
  kMeantFirst,
  kSaid,
  kSaidInWords,
  kHeadSaid,
  kWordsSaid,
  kOwned,
  kSaidEarly,
  kAskedByName,
  kPurpose,
  kFirstOfAll,
  kFoundAndNeeded,
  kFoundAndSaid,
  kNeededNotSaid,
  kCount,
};

using GoodsFeatures = std::array<double, static_cast<size_t>(GoodsFeature::kCount)>;

struct GoodsCandidate {
  ProductType type;
  bool is_read = false;  // what the rules read
  GoodsFeatures features = {};
  double probability = 0;
};

struct GoodsReading {
  const FoldedMessage& message;
  const std::optional<ProductType>& read;  // by the rules
  const std::vector<NeededType>& needs;    // the best first, as all that follow
  const std::vector<MeantKind>& meant;
  const std::vector<FoundKind>& found;
  const ShopProfile& profile;
  std::function<bool(const ProductType&)> is_sold;
};

/// Every type of the shop that anything speaks for, with the probability that it is looked for, the
/// likeliest first. A conditional logit, learned by services/assistant/training (ADR 0021). Pure
/// but for `is_sold`.
std::vector<GoodsCandidate> RankGoods(const GoodsReading& reading);

/// What is looked for, where it is clearly other goods than the rules read. Goods that the message
/// does not name are advised. `ranked`: of RankGoods. Pure.
std::optional<ProductType> ChooseGoods(const GoodsReading& reading,
                                       const std::vector<GoodsCandidate>& ranked);

}  // namespace emptor::services
