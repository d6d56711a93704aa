// What a message refers to, and what a conversation keeps after each kind of turn.
#include "services/assistant/dialogue/dialogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ConversationTurn Listed() {
  ConversationTurn turn;
  turn.search_text = "kettle";
  turn.filter.categories = {"Kitchen > Kettles"};
  turn.shown_products = {"A", "B", "C"};
  turn.cited_products = {"A", "B"};
  return NextTurn({}, TurnKind::kSearched, turn);
}

std::vector<std::string> Refer(const std::string& message, const ConversationTurn& last) {
  return FindReferences(retrieval::TokenizeQuery(message), {last});
}

TEST(DialogueTest, PlacesAreThoseOfTheList) {
  const ConversationTurn list = Listed();
  EXPECT_THAT(Refer("how big is the second one", list), ElementsAre("B"));
  EXPECT_THAT(Refer("compare the first two", list), ElementsAre("A", "B"));
  EXPECT_THAT(Refer("the first and third please", list), ElementsAre("A", "C"));
  EXPECT_THAT(Refer("the last one", list), ElementsAre("C"));
  EXPECT_THAT(Refer("number 3?", list), ElementsAre("C"));
  EXPECT_THAT(Refer("wie schwer ist der zweite?", list), ElementsAre("B"));
  EXPECT_THAT(Refer("les deux premiers", list), ElementsAre("A", "B"));
  EXPECT_THAT(Refer("第二个多少钱", list), ElementsAre("B"));
  EXPECT_THAT(Refer("the sixth one", list), IsEmpty()) << "there is none";
  EXPECT_THAT(Refer("which of these is lightest", list), ElementsAre("A", "B", "C"));
  EXPECT_THAT(Refer("is it loud", list), ElementsAre("A"));
  EXPECT_THAT(Refer("a toaster", list), IsEmpty());
}

TEST(DialogueTest, TheTwoAreThoseTheLatestAnswersWereAbout) {
  const ConversationTurn list = Listed();
  ConversationTurn one;
  one.shown_products = one.cited_products = {"B"};
  const ConversationTurn second = NextTurn({list}, TurnKind::kReferred, one);
  one.shown_products = one.cited_products = {"C"};
  const ConversationTurn third = NextTurn({list, second}, TurnKind::kReferred, one);
  const auto refer = [&](const std::string& message) {
    return FindReferences(retrieval::TokenizeQuery(message), {list, second, third});
  };
  EXPECT_THAT(refer("the cheaper of those two"), ElementsAre("B", "C"));
  EXPECT_THAT(refer("add both to my basket"), ElementsAre("B", "C"));
  EXPECT_THAT(refer("do either have a timer"), ElementsAre("B", "C"));
  EXPECT_THAT(refer("which of these is lightest"), ElementsAre("A", "B", "C"));
}

TEST(DialogueTest, TheFirstOnesAreTheFirstList) {
  ConversationTurn other;
  other.shown_products = other.cited_products = {"X", "Y"};
  const ConversationTurn later = NextTurn({Listed()}, TurnKind::kSearched, other);
  EXPECT_THAT(Refer("the first ones you showed me", later), ElementsAre("A", "B", "C"));
  EXPECT_THAT(Refer("the first one", later), ElementsAre("X"));
}

TEST(DialogueTest, APartOfAMessageNamesItsPlacesInTheListOfATurn) {
  const ConversationTurn list = Listed();
  EXPECT_THAT(FindInTurn(retrieval::TokenizeQuery("the third kettle"), list), ElementsAre("C"));
  EXPECT_THAT(FindInTurn(retrieval::TokenizeQuery("that kettle"), list), ElementsAre("A"));
  EXPECT_THAT(FindInTurn(retrieval::TokenizeQuery("the sixth kettle"), list), IsEmpty());
}

TEST(DialogueTest, PlacesAreReadWithoutAccentsAndInEveryInflection) {
  const ConversationTurn list = Listed();
  EXPECT_THAT(Refer("el ultimo cuanto cuesta", list), ElementsAre("C"));
  EXPECT_THAT(Refer("la deuxieme elle pese combien", list), ElementsAre("B"));
  EXPECT_THAT(Refer("was kostet ein dritter", list), IsEmpty()) << "one more";
  EXPECT_THAT(Refer("was wiegt vom zweiten der karton", list), ElementsAre("B"));
  EXPECT_THAT(Refer("el penultimo", list), ElementsAre("B"));
  EXPECT_THAT(Refer("前2个", list), ElementsAre("A", "B"));
  EXPECT_THAT(Refer("celui-ci il est lourd", list), ElementsAre("A"));
  EXPECT_THAT(Refer("这台多少钱", list), ElementsAre("A"));
}

TEST(DialogueTest, AQuestionAboutOneProductKeepsTheListAndTheTopic) {
  const ConversationTurn list = Listed();
  ConversationTurn detail;
  detail.search_text = "how big is the second one";
  detail.shown_products = detail.cited_products = {"B"};
  const ConversationTurn after = NextTurn({list}, TurnKind::kReferred, detail);
  EXPECT_EQ(after.search_text, "kettle");
  EXPECT_THAT(after.filter.categories, ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(after.listed_products, ElementsAre("A", "B", "C"));
  EXPECT_THAT(Refer("and the third one?", after), ElementsAre("C"));
  EXPECT_THAT(Refer("is it loud", after), ElementsAre("B"));
}

TEST(DialogueTest, AComparisonOfSomeKeepsTheListAndIsRemembered) {
  const ConversationTurn list = Listed();
  ConversationTurn two;
  two.shown_products = two.cited_products = {"A", "B"};
  const ConversationTurn after = NextTurn({list}, TurnKind::kReferred, two);
  EXPECT_THAT(after.listed_products, ElementsAre("A", "B", "C"));
  EXPECT_THAT(after.compared_products, ElementsAre("A", "B"));
  EXPECT_THAT(Refer("how many ports does the last one have", after), ElementsAre("C"));
  EXPECT_THAT(Refer("which of those is cheaper", after), ElementsAre("A", "B"));
  EXPECT_THAT(Refer("which of all these is cheaper", after), ElementsAre("A", "B", "C"));
  ConversationTurn one;
  one.shown_products = one.cited_products = {"B"};
  const ConversationTurn on_one = NextTurn({list, after}, TurnKind::kReferred, one);
  EXPECT_THAT(Refer("ist die andere reduziert", on_one), ElementsAre("A"));
  EXPECT_THAT(Refer("is it quieter than the other one", on_one), ElementsAre("B", "A"));
  EXPECT_THAT(Refer("compare it with the third one", on_one), ElementsAre("B", "C"));
}

TEST(DialogueTest, APlaceBeginsAPartAndIlYANamesNothing) {
  const ConversationTurn list = Listed();
  EXPECT_THAT(Refer("second kettle, how much", list), ElementsAre("B"));
  EXPECT_THAT(Refer("jk. second kettle price", list), ElementsAre("B"));
  EXPECT_THAT(Refer("second hand kettles", list), IsEmpty());
  EXPECT_THAT(Refer("il y a combien de ports sur le R90", list), IsEmpty());
}

TEST(DialogueTest, SmallTalkAndPoliciesKeepEverything) {
  const ConversationTurn list = Listed();
  const ConversationTurn after = NextTurn({list}, TurnKind::kNoProducts, {});
  EXPECT_EQ(after.search_text, "kettle");
  EXPECT_THAT(after.shown_products, ElementsAre("A", "B", "C"));
  EXPECT_THAT(Refer("the second one", after), ElementsAre("B"));
  ConversationTurn ranked = Listed();
  ranked.winner = "C";
  const ConversationTurn thanked = NextTurn({list, ranked}, TurnKind::kNoProducts, {});
  EXPECT_THAT(Refer("how heavy is it", thanked), ElementsAre("C")) << "the winner before";
}

TEST(DialogueTest, TheOtherOneIsWhatTheLastAnswerLeftOut) {
  ConversationTurn two;
  two.shown_products = {"A", "B"};
  two = NextTurn({}, TurnKind::kSearched, two);
  ConversationTurn detail;
  detail.shown_products = detail.cited_products = {"A"};
  const ConversationTurn after = NextTurn({two}, TurnKind::kReferred, detail);
  EXPECT_THAT(Refer("and the other one?", after), ElementsAre("B"));
}

TEST(DialogueTest, WhatIsChosenIsCountedReplacedAndBounded) {
  std::vector<ChosenProduct> chosen = WithChosen({}, {"kettle", "k1"}, false);
  chosen = WithChosen(std::move(chosen), {"mouse", "m1", 2}, false);
  chosen = WithChosen(std::move(chosen), {"kettle", "k2"}, false);
  EXPECT_EQ(chosen, (std::vector<ChosenProduct>{{"kettle", "k2"}, {"mouse", "m1", 2}}));
  chosen = WithChosen(std::move(chosen), {"mouse", "m1", 3}, true);
  chosen = WithChosen(std::move(chosen), {"kettle", "k3"}, true);
  EXPECT_EQ(chosen,
            (std::vector<ChosenProduct>{{"kettle", "k2"}, {"mouse", "m1", 3}, {"kettle", "k3"}}));
  for (int i = 0; i < 100; ++i) {
    chosen = WithChosen(std::move(chosen), {"topic", "p" + std::to_string(i)}, true);
  }
  EXPECT_EQ(chosen.size(), kMaxChosen);
  EXPECT_EQ(chosen.back().id, "p99");
}

}  // namespace
}  // namespace emptor::services
