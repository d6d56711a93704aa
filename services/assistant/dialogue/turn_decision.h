// What a message is within its conversation: decided in one place, from what was read of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace emptor::services {

/// What was read of a message and of the turns before it.
enum class TurnFact : uint8_t {
  // Of the conversation.
  kHasTopic,   // a search came before
  kHasList,    // it showed products
  kHasShown,   // the latest answer did
  kHasFocus,   // the latest answer showed one product, or ranked one first
  kRankedAll,  // the latest answer ranked everything that meets the conditions
  // What the message names.
  kRefers,         // products of earlier turns: "it", "these"
  kRefersSeveral,  // more than one
  kRefersToOne,    // "it"
  kNamesPlaces,    // "the second one"
  kRefersAcross,   // "that suitcase and the first tote"
  kHasType,        // named, or of the topic
  kNamesType,
  kNamesNewType,    // not that of the topic
  kAsksForFitting,  // goods for a product that was shown: "a case for it"
  kReturnsToTopic,  // "back to the laptops"
  kNamesCode,       // a model number
  kNamesKey,        // an attribute of the type
  kStatesChange,    // any condition, also one that is lifted
  kStatesFilter,    // a condition other than on attributes
  kStatesPrice,
  kStatesLook,     // a brand or a colour
  kSelects,        // a value of an attribute, or a word of the records
  kRestates,       // another value of what the search was limited by
  kChangesSearch,  // enough to change the search of the topic
  kLifts,          // an earlier condition no longer matters
  kLimitsRank,     // a condition on what is ranked: "the cheapest with wifi"
  kAsksRank,       // which one ranks first
  kIsSuperlative,
  kRanks,
  kCompares,    // "cheaper"
  kSetsBeside,  // "compare these"
  kAsksIfMore,  // "is the second one cheaper", of a list
  kCounts,      // "two of them, how much"
  kPutsInCart,  // "add it to my cart"
  // How it is said.
  kAsksForGoods,     // "show me ..."
  kSaysMore,         // "do you have", "any"
  kAsksForAnother,   // "is there also a white one"
  kSaysRefine,       // "instead", "rather"
  kSaysMustBe,       // "it has to be"
  kSaysThese,        // "of those"
  kSaysList,         // also "one", "it"
  kSaysWhole,        // "of all you have"
  kAsksForVariant,   // "does it come in", "geht das auch"
  kBeginsCondition,  // "with", "in", "under"
  kBeginsQuestion,   // "how", "is"
  kBeginsYesNo,      // "is", "does"
  kAsksYesNo,
  kAsksWhich,
  kAsksSameBrand,
  kAsksStock,
  kTurnsToOther,  // "what about a filter machine"
  kNamesNoOther,  // and no word of it is known
  kIsQuestion,    // ends with a question mark, or asks for a fact
  kIsFragment,    // a few words and a question mark
  kIsShort,
  kIsLong,
  kPointsAtLike,  // "something like that"
  kPricesType,    // "what does a king bed cost"
  kSaysOthers,    // "show me others"
  // Derived from the others by DecideTurn.
  kPointsElsewhere,  // not at the products that it refers to
  kAsksOfShown,
  kIsPureQuestion,
  kAsksRecord,
  kStillRefers,
  kSearchesNewType,
  kSearchesGoods,
  kAsksForType,
  kAsksWholeType,
  kRanksAgain,
};

/// A set of facts.
class TurnFacts {
 public:
  constexpr TurnFacts() = default;
  constexpr TurnFacts(std::initializer_list<TurnFact> facts) {
    for (const TurnFact each : facts) Add(each);
  }
  constexpr void Add(TurnFact fact) {
    const auto at = static_cast<size_t>(fact);
    bits_[at / kBits] |= uint64_t{1} << (at % kBits);
  }
  constexpr void AddIf(bool holds, TurnFact fact) {
    if (holds) Add(fact);
  }
  constexpr bool Has(TurnFact fact) const { return HasAll({fact}); }
  constexpr bool HasAll(TurnFacts other) const {
    return (bits_[0] & other.bits_[0]) == other.bits_[0] &&
           (bits_[1] & other.bits_[1]) == other.bits_[1];
  }
  constexpr bool HasAny(TurnFacts other) const {
    return ((bits_[0] & other.bits_[0]) | (bits_[1] & other.bits_[1])) != 0;
  }

 private:
  static constexpr size_t kBits = 64;
  std::array<uint64_t, 2> bits_ = {};
};

enum class TurnRole : uint8_t {
  kNewSearch,
  kRefine,      // the search before, with a change
  kSelect,      // those of the list that meet a condition, else those of the shop
  kRankList,    // the list by rank
  kRankAll,     // everything that meets the conditions by rank
  kAboutShown,  // the products that the message refers to
  kAboutFocus,  // the product in focus
  kAboutList,   // every product of the list
  kFitting,     // goods that fit a product that was shown
};

enum class Confidence : uint8_t {
  kSure,   // the message says so
  kGuess,  // a product that the message names comes before the one in focus
};

struct TurnDecision {
  TurnRole role = TurnRole::kNewSearch;
  Confidence confidence = Confidence::kSure;
  std::string_view rule = {};  // the name of the row that decided
};

/// The first row of the table whose facts hold. Pure.
TurnDecision DecideTurn(TurnFacts facts);

}  // namespace emptor::services
