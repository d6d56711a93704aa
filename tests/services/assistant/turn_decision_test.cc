// The table that decides what a message is within its conversation.
#include "services/assistant/dialogue/turn_decision.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using enum TurnFact;

struct Row {
  const char* said;
  TurnFacts facts;
  TurnRole role;
};

TEST(TurnDecisionTest, EachKindOfMessageHasItsRole) {
  const Row rows[] = {
      {"laptops", {kHasType, kNamesType, kNamesNewType}, TurnRole::kNewSearch},
      {"only black ones", {kHasTopic, kHasList, kStatesChange, kChangesSearch}, TurnRole::kRefine},
      {"which of these have wifi", {kHasTopic, kHasList, kAsksWhich, kSelects}, TurnRole::kSelect},
      {"the cheapest of these",
       {kHasList, kAsksRank, kIsSuperlative, kRanks, kSaysThese},
       TurnRole::kRankList},
      {"the lightest laptop",
       {kAsksRank, kIsSuperlative, kRanks, kHasType, kNamesType},
       TurnRole::kRankAll},
      {"how heavy is the second one",
       {kHasTopic, kRefers, kNamesPlaces, kBeginsQuestion},
       TurnRole::kAboutShown},
      {"in stock?",
       {kHasTopic, kHasList, kHasShown, kHasFocus, kIsShort, kIsQuestion},
       TurnRole::kAboutFocus},
      {"and 2 tb?",
       {kHasTopic, kHasList, kHasShown, kHasFocus, kIsShort, kIsQuestion, kIsFragment, kSelects,
        kStatesChange, kChangesSearch, kRestates},
       TurnRole::kRefine},
      {"is it 2 tb?",
       {kHasTopic, kHasList, kHasShown, kHasFocus, kIsShort, kIsQuestion, kRefers, kRefersToOne,
        kBeginsQuestion, kBeginsYesNo, kStatesChange, kRestates},
       TurnRole::kAboutShown},
      {"do you have that brand in white",
       {kHasTopic, kHasList, kHasShown, kRefers, kRefersToOne, kBeginsQuestion, kAsksSameBrand,
        kSaysMore, kStatesChange, kChangesSearch, kStatesFilter, kStatesLook},
       TurnRole::kRefine},
      {"a case for it",
       {kHasTopic, kHasShown, kRefers, kNamesType, kNamesNewType, kAsksForFitting},
       TurnRole::kFitting},
      {"add it to my cart",
       {kHasTopic, kHasList, kHasShown, kRefers, kRefersToOne, kPutsInCart, kStatesChange,
        kChangesSearch},
       TurnRole::kAboutShown},
      {"that tent and the first bag",
       {kHasTopic, kRefersAcross, kNamesType, kNamesNewType},
       TurnRole::kAboutShown},
  };
  for (const Row& each : rows) EXPECT_EQ(DecideTurn(each.facts).role, each.role) << each.said;
}

TEST(TurnDecisionTest, ConditionSaidOfItChangesTheSearch) {
  const TurnFacts said = {kHasTopic, kHasList, kHasShown, kHasFocus, kRefers, kStatesChange};
  TurnFacts asks = said;
  asks.Add(kBeginsQuestion);
  EXPECT_EQ(DecideTurn(asks).role, TurnRole::kAboutShown);  // "is it wireless"
  TurnFacts must = said;
  must.Add(kSaysMustBe);
  EXPECT_EQ(DecideTurn(must).role, TurnRole::kRefine);  // "it has to be wireless"
  asks.Add(kAsksForVariant);
  EXPECT_EQ(DecideTurn(asks).role, TurnRole::kRefine);  // "do you have it in red"
}

TEST(TurnDecisionTest, ReturnsToTopicWithItsConditions) {
  const TurnFacts back = {kHasTopic, kHasList, kNamesType, kReturnsToTopic};
  EXPECT_EQ(DecideTurn(back).role, TurnRole::kRefine);
  TurnFacts ranks = back;
  for (const TurnFact each : {kAsksRank, kIsSuperlative, kRanks, kHasType}) ranks.Add(each);
  EXPECT_EQ(DecideTurn(ranks).role, TurnRole::kRankList);
}

TEST(TurnDecisionTest, GuessesOnlyWhereNothingPointsAtTheFocus) {
  EXPECT_EQ(DecideTurn({kHasShown, kHasFocus, kIsShort, kIsQuestion}).confidence,
            Confidence::kGuess);
  EXPECT_EQ(DecideTurn({kHasShown, kCounts}).confidence, Confidence::kSure);
}

TEST(TurnDecisionTest, EveryDecisionNamesItsRow) {
  EXPECT_EQ(DecideTurn({}).rule, "new search");
  EXPECT_EQ(DecideTurn({kHasTopic, kLifts}).rule, "no longer matters");
}

}  // namespace
}  // namespace emptor::services
