// Cues: what the words around a request say about its kind (data/lexicon/cues.txt).
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

enum class Cue {
  kMore,
  kWhich,
  kWhole,
  kList,
  kRefine,
  kDetail,
  kPolicyFollow,
  kCompare,
  kStock,
  kPrice,
  kSameBrand,
  kYesNo,
  kWh,
  kSells,
  kPurpose,
  kCondition,
  kAccessory,
  kReviews,
  kSale,
  kBound,
  kRating,
  kListPrice,
  kTotal,
  kBack,
  kHowMany,
  kAbout,
  kNegation,
  kLift,
  kThese,
  kMustBe,
  kVariant,
  kAlso,
  kFitting,
  kRequest,
  kDeterminer,
  kNameEnd,
  kAnyBrand,
  kAnyColour,
  kAnyPrice,
  kAgain,
  kPlus,
  kSaving,
  kProperty,
  kComplaint,
  kOnly,
  kNotGoods,
  kDemonstrative,
  kPartOf,
  kOr,
  kInsteadOf,
  kPossessive,
  kMaker,
  kLike,
  kIndefinite,
  kUsed,
  kReject,
  kRestated,
  kEach,
  kThan,
  kLack,
  kEverything,
  kBoth,
  kAdds,
  kNotName,
  kFormName,
  kWhere,
  kOthers,
  kHas,
  kDefinite,
  kThatOne,
  kThanks,
  kHad,  // "we have a", "just bought a": what is named behind it is not looked for
  kLaughter,
  kAdvice,
  kCart,
  kThereIs,  // "is there a": of a shop, or of the product whose page is open
  // What points at products that were mentioned (dialogue/focus.h).
  kRefOne,
  kRefNone,
  kRefPage,
  kRefBefore,
  kRefThanOther,
  kRefOther,
  kRefOthers,
  kRefBeginning,
  kRefTwo,
  kRefThey,
  kRefAll,
  kRefSeveral,
  kRefMore,
  kRefWith,
  kDirection,  // "long" of "5 metres long"
  kJoin,       // "and", "with": between things that are compared
  kSame,       // "by the same": a value that another product has
  kCurrency,
  kPriceDifference,  // "how much more is": of two products
  kSide,             // "and", "from", "than": between the sides of a comparison
  kContraction,      // "del el": a word that parts sides, and the article that it holds
  kOneOfEach,        // "one of each": of the kinds that the conversation was about
  kWrapping,         // "gift wrapped": a service that adds to a price
  kPerItem,          // "an item": behind what a service costs
  kAbility,          // "能", "puede": asks what the product in question can do, without a pronoun
  kGift,             // somebody else is to be pleased
  kComesWith,        // asks what is in the box
  kWith,             // "with rain cover": what goods are to have besides
  kAnother,          // "is there also a": one besides what was shown
  kMustBuy,          // asks what has to be bought in addition: "yes" would deny that it is there
  kSomething,        // stands for goods that are not named
  kSelling           // "do you sell": what stands behind is goods, unless it is a policy
};
inline constexpr size_t kCueCount = static_cast<size_t>(Cue::kSelling) + 1;

/// True where the message holds a phrase of the cue; kDetail, kYesNo, kCondition, kComplaint
/// kAbility and kWith count at its beginning only, after filler words ("ok, and ..."). Pure.
bool HasCue(const FoldedMessage& message, Cue cue);

/// The cues of a message, all found in one pass: HasCue for each.
class SaidCues {
 public:
  explicit SaidCues(const FoldedMessage& message);
  bool Has(Cue cue) const { return has_.test(static_cast<size_t>(cue)); }

 private:
  std::bitset<kCueCount> has_;
};

/// The phrases of the cue, folded.
const std::vector<std::string>& CuePhrases(Cue cue);

/// The message without the words before it that mean nothing: "ok, and ...". Pure.
FoldedMessage AfterFillers(const FoldedMessage& message);

/// Where the longest phrase of the cue stands, at any place. Pure.
FoldedMessage::Span FindCue(const FoldedMessage& message, Cue cue);

/// True for a word that belongs to a cue, and so names no goods: "much" of "how much is".
bool IsCueWord(const std::string& word);

/// "Is it loud", "dishwasher safe?", "有吗": a yes or a no answers it. `message` as it was typed.
bool AsksYesOrNo(const std::string& message, const FoldedMessage& folded);

}  // namespace emptor::services
