// Messages about the conversation: what they mean within it.
#include "services/assistant/dialogue/dialogue_moves.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

std::vector<ConversationTurn> After(std::initializer_list<std::string> questions) {
  std::vector<ConversationTurn> turns;
  for (const std::string& each : questions) {
    ConversationTurn turn;
    turn.question = each;
    turns.push_back(turn);
  }
  return turns;
}

std::string Moved(const std::string& message) {
  return MoveOn(message, After({"kettles"})).message;
}

TEST(DialogueMovesTest, WhatIsTooMuchAsksForLessOfIt) {
  EXPECT_EQ(Moved("too expensive"), "anything cheaper");
  EXPECT_EQ(Moved("hm that's a bit too expensive for me"), "anything cheaper");
  EXPECT_EQ(Moved("Too pricey!"), "anything cheaper");
  EXPECT_EQ(Moved("they are way too big"), "something smaller");
  EXPECT_EQ(Moved("zu teuer"), "etwas günstiger");
  EXPECT_EQ(Moved("Das ist mir viel zu teuer"), "etwas günstiger");
  EXPECT_EQ(Moved("c'est trop cher"), "moins cher");
  EXPECT_EQ(Moved("es muy caro"), "más barato");
  EXPECT_EQ(Moved("太贵了"), "更便宜的");
  EXPECT_TRUE(IsTooMuch("too expensive"));
  EXPECT_FALSE(IsTooMuch("more"));
}

TEST(DialogueMovesTest, MoreAsksForOthers) {
  for (const char* each : {"more", "more please", "show more", "ok next", "any more?"}) {
    EXPECT_EQ(Moved(each), "show me others") << each;
  }
  EXPECT_EQ(Moved("mehr bitte"), "noch andere");
  EXPECT_EQ(Moved("还有吗"), "换一批");
}

TEST(DialogueMovesTest, DoubtAndWhyAskTheQuestionBeforeAgain) {
  const auto turns = After({"kettles", "which would you take"});
  const MovedMessage why = MoveOn("why?", turns);
  EXPECT_TRUE(why.is_repeated);
  EXPECT_EQ(why.message, "which would you take");
  EXPECT_EQ(why.turns, 1u);
  const MovedMessage sure = MoveOn("are you sure", After({"kettles", "is it loud", "why?"}));
  EXPECT_EQ(sure.message, "is it loud");
  EXPECT_EQ(sure.turns, 2u);
  for (const char* each : {"warum der?", "pourquoi celui-là ?", "¿por qué?", "你确定吗"}) {
    EXPECT_TRUE(MoveOn(each, turns).is_repeated) << each;
  }
}

TEST(DialogueMovesTest, AMessageThatSaysMoreIsNoMove) {
  for (const char* each : {"why is it so loud", "more than 2 liters", "too big for my kitchen?",
                           "are you sure it fits", "is it expensive to run", "a kettle"}) {
    EXPECT_EQ(Moved(each), each);
  }
  EXPECT_EQ(MoveOn("more", {}).message, "more") << "nothing came before";
}

TEST(DialogueMovesTest, ACorrectionDeniesNothing) {
  EXPECT_EQ(WithoutCorrection("no, i meant the Black one"), "the Black one");
  EXPECT_EQ(WithoutCorrection("Nein, ich meinte den zweiten"), "den zweiten");
  EXPECT_EQ(WithoutCorrection("no me refiero a la segunda"), "la segunda");
  EXPECT_EQ(WithoutCorrection("我说的是第二个"), "第二个");
  EXPECT_EQ(WithoutCorrection("no wifi"), "no wifi");
  EXPECT_EQ(WithoutCorrection("i mean"), "i mean");
}

TEST(DialogueMovesTest, AClauseMayTakeWhatWasShown) {
  for (const char* each :
       {"passt", "ok passt", "sounds good", "i'll take it", "parfait", "me vale", "没问题"}) {
    EXPECT_TRUE(IsAcceptance(each)) << each;
  }
  for (const char* each : {"passt das in den Schrank", "too big", "not sure", "kettles"}) {
    EXPECT_FALSE(IsAcceptance(each)) << each;
  }
}

TEST(DialogueMovesTest, HesitationAsksNothing) {
  for (const char* each : {"hm", "hm ok", "hmm not sure", "let me think", "mal sehen",
                           "je ne sais pas", "no sé", "我再想想"}) {
    EXPECT_TRUE(IsUndecided(each)) << each;
  }
  for (const char* each : {"ok", "thanks", "hm too expensive", "not sure about the color"}) {
    EXPECT_FALSE(IsUndecided(each)) << each;
  }
}

}  // namespace
}  // namespace emptor::services
