// The table of decisions.
#include "services/assistant/dialogue/turn_decision.h"

#include <array>

namespace emptor::services {
namespace {

using enum TurnFact;
using enum TurnRole;

/// `fact` holds where all of `all` hold and none of `none`.
struct Implication {
  TurnFact fact;
  TurnFacts all, none = {};
};

constexpr std::array<Implication, 26> kImplications = {{
    {kPointsElsewhere, {kTurnsToOther, kRefersSeveral}},
    {kPointsElsewhere, {kNamesNewType, kSaysMore}},
    {kPointsElsewhere, {kNamesNewType}, {kBeginsQuestion}},
    {kPointsElsewhere, {kAsksSameBrand}, {kBeginsQuestion}},
    // "Do you have that brand in white".
    {kPointsElsewhere, {kAsksSameBrand, kSaysMore}},
    {kPointsElsewhere, {kPointsAtLike, kStatesChange}},
    {kPointsElsewhere, {kAsksForAnother}},
    {kPointsElsewhere, {kPointsAtLike, kSaysMore}},
    {kSearchesNewType, {kNamesNewType, kPricesType}},
    {kSearchesGoods, {kAsksForGoods, kStatesChange}},
    {kSearchesGoods, {kAsksForGoods, kNamesType}},
    {kPointsElsewhere, {kSearchesGoods}},
    {kAsksOfShown, {kBeginsQuestion}, {kBeginsCondition, kAsksForGoods}},
    {kAsksOfShown, {kAsksYesNo}, {kBeginsCondition, kAsksForGoods}},
    // "Welche Energieklasse hat er".
    {kAsksOfShown, {kAsksWhich, kRefersToOne, kNamesKey}, {kBeginsCondition, kAsksForGoods}},
    {kIsPureQuestion, {kBeginsQuestion}, {kSaysMore, kTurnsToOther}},
    {kAsksRecord, {kIsPureQuestion, kNamesKey}, {kSaysRefine}},
    {kAsksRecord, {kNamesCode, kAsksYesNo}},
    {kStillRefers, {kRefers}, {kNamesNewType}},
    {kStillRefers, {kRefers, kCompares}},
    // "How long does the battery last" asks the laptop.
    {kSearchesNewType, {kNamesNewType}, {kBeginsYesNo, kAsksRecord}},
    {kSearchesNewType, {kNamesNewType, kSaysMore}},
    {kSearchesNewType, {kNamesNewType, kSaysRefine}},
    {kAsksForType, {kNamesType, kSaysMore}},
    {kAsksWholeType, {kNamesType, kSaysWhole}},
    {kRanksAgain, {kRankedAll, kAsksRank, kIsSuperlative}, {kSaysThese, kNamesPlaces}},
}};

struct Rule {
  std::string_view name;
  TurnRole role;
  TurnFacts all, none = {};
  Confidence confidence = Confidence::kSure;
};

/// What keeps a message from changing the search of the topic.
constexpr TurnFacts kNoChange = {kNamesNewType, kIsLong, kAsksRecord};
/// What turns away from the product in focus.
constexpr TurnFacts kNotFocus = {kTurnsToOther, kNamesNewType,    kSaysMore,   kSaysRefine,
                                 kCompares,     kBeginsCondition, kStatesPrice};

constexpr TurnFacts With(TurnFacts facts, std::initializer_list<TurnFact> more) {
  for (const TurnFact each : more) facts.Add(each);
  return facts;
}

constexpr TurnFacts kNotList = {kNamesNewType, kAsksWholeType, kRanksAgain};

// The order matters: the first row that holds decides.
constexpr std::array kRules = {
    Rule{"several parts", kAboutShown, {kRefersAcross}},
    // What ranks.
    Rule{"ranks an earlier list", kRankList, {kAsksRank, kHasList, kReturnsToTopic}, {kSaysWhole}},
    Rule{"ranks these", kRankList, {kAsksRank, kHasList, kSaysThese}, kNotList},
    Rule{"ranks places", kRankList, {kAsksRank, kHasList, kNamesPlaces}, kNotList},
    Rule{"ranks what it refers to",
         kRankList,
         {kAsksRank, kHasList, kRefers},
         With(kNotList, {kLimitsRank, kSaysWhole})},
    Rule{"ranks the list",
         kRankList,
         {kAsksRank, kHasList, kSaysList},
         With(kNotList, {kLimitsRank, kSaysWhole})},
    Rule{"ranks without a noun",
         kRankList,
         {kAsksRank, kHasList},
         With(kNotList, {kLimitsRank, kNamesType, kSaysWhole})},
    Rule{"asks if it is more",
         kRankList,
         {kAsksIfMore, kHasList},
         With(kNotList, {kLimitsRank, kStatesChange, kRefersSeveral, kSaysMore})},
    Rule{"ranks the shop", kRankAll, {kAsksRank, kIsSuperlative, kHasType}},
    // "Qué hervidor tiene más potencia" is a superlative without its form.
    Rule{"ranks a type", kRankAll, {kAsksRank, kAsksWhich, kNamesType}},
    // "Mettez-le dans mon panier".
    Rule{"into the cart",
         kAboutFocus,
         {kPutsInCart, kHasShown, kHasFocus},
         {kRefers, kNamesType, kStatesChange, kNamesCode}},
    // "Cart" is no word of a record.
    Rule{"refers into the cart", kAboutShown, {kPutsInCart, kHasShown, kRefers}, {kNamesCode}},
    // Other goods for a product that was shown, and an earlier topic.
    Rule{"goods that fit", kFitting, {kAsksForFitting, kHasShown}},
    Rule{"earlier topic", kRefine, {kReturnsToTopic, kHasTopic}, {kNamesNewType, kNamesPlaces}},
    // The product in focus, several times.
    Rule{"counts the focus", kAboutFocus, {kCounts, kHasShown}, {kNamesType, kNamesPlaces}},
    Rule{"selects from the list",
         kSelect,
         {kAsksWhich, kSelects, kHasList, kHasTopic},
         {kRanks, kNamesNewType, kNamesPlaces, kCompares, kSetsBeside, kBeginsQuestion,
          kRefersToOne}},
    // Conditions that are said to be conditions, whatever "it" they are said of.
    Rule{"it must be",
         kRefine,
         {kSaysMustBe, kHasTopic, kStatesChange},
         {kNamesPlaces, kNamesNewType}},
    Rule{"another variant",
         kRefine,
         {kAsksForVariant, kHasTopic, kStatesChange},
         {kNamesPlaces, kNamesNewType, kAsksStock}},
    Rule{"others",
         kRefine,
         {kSaysOthers, kHasTopic, kHasList},
         {kNamesNewType, kNamesPlaces, kAsksRank, kAsksSameBrand, kIsLong, kNamesKey, kCompares}},
    Rule{"no longer matters", kRefine, {kLifts, kHasTopic}, {kNamesPlaces, kNamesNewType, kIsLong}},
    Rule{"another value",
         kRefine,
         {kRestates, kHasTopic, kIsShort},
         {kNamesPlaces, kNamesNewType, kRefers, kBeginsYesNo, kAsksRank, kCompares}},
    // Products that the message refers to.
    Rule{"places", kAboutShown, {kRefers, kNamesPlaces}, {kCompares, kPointsAtLike}},
    Rule{"asks of these", kAboutShown, {kRefers, kAsksOfShown}, {kCompares, kPointsElsewhere}},
    Rule{"changes nothing", kAboutShown, {kRefers}, {kCompares, kPointsElsewhere, kStatesChange}},
    Rule{"has no topic", kAboutShown, {kRefers}, {kCompares, kPointsElsewhere, kHasTopic}},
    // The product in focus.
    Rule{"short question",
         kAboutFocus,
         {kHasShown, kHasFocus, kIsShort, kIsQuestion},
         With(kNotFocus, {kStatesLook}),
         Confidence::kGuess},
    Rule{"stock",
         kAboutFocus,
         {kHasShown, kAsksStock, kIsShort},
         With(kNotFocus, {kNamesType}),
         Confidence::kGuess},
    // A change of the search.
    Rule{"comparison", kRefine, {kHasTopic, kCompares}, {kNamesNewType, kIsLong}},
    Rule{"change", kRefine, {kHasTopic, kChangesSearch}, With(kNoChange, {kIsPureQuestion})},
    Rule{"filter in a question", kRefine, {kHasTopic, kChangesSearch, kStatesFilter}, kNoChange},
    Rule{"word of change",
         kRefine,
         {kHasTopic, kSaysRefine},
         With(kNoChange, {kIsPureQuestion, kNamesType, kNamesNoOther})},
    // What is left of questions.
    Rule{"refers after all", kAboutShown, {kStillRefers}},
    Rule{"which of the list",
         kAboutList,
         {kHasList, kAsksWhich},
         {kCompares, kTurnsToOther, kSearchesNewType, kSearchesGoods, kNamesType}},
    Rule{"question",
         kAboutFocus,
         {kHasList, kBeginsQuestion},
         {kCompares, kTurnsToOther, kSearchesNewType, kSearchesGoods, kAsksForType},
         Confidence::kGuess},
    Rule{"fragment",
         kAboutFocus,
         {kHasList, kIsFragment},
         {kCompares, kTurnsToOther, kSearchesNewType, kSearchesGoods, kAsksForType},
         Confidence::kGuess},
};

}  // namespace

TurnDecision DecideTurn(TurnFacts facts) {
  for (const Implication& each : kImplications) {
    facts.AddIf(facts.HasAll(each.all) && !facts.HasAny(each.none), each.fact);
  }
  for (const Rule& each : kRules) {
    if (facts.HasAll(each.all) && !facts.HasAny(each.none)) {
      return {each.role, each.confidence, each.name};
    }
  }
  return {TurnRole::kNewSearch, Confidence::kSure, "new search"};
}

}  // namespace emptor::services
