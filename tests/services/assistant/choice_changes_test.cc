#include "services/assistant/reading/choice_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "take 2 the first one", "drop the mouse"; empty: it changes nothing.
std::string Read(const std::string& clause) {
  const auto change = ReadChoiceChange(clause);
  if (!change) return "";
  static const std::map<ChoiceChange::Kind, std::string> kNames = {
      {ChoiceChange::Kind::kTake, "take"},
      {ChoiceChange::Kind::kDrop, "drop"},
      {ChoiceChange::Kind::kSwap, "swap"},
      {ChoiceChange::Kind::kList, "list"}};
  std::string text = kNames.at(change->kind);
  for (const CountedGoods& each : change->goods) {
    if (change->kind == ChoiceChange::Kind::kTake) text += " " + std::to_string(each.count);
    text += each.text.empty() ? " -" : " " + each.text;
  }
  return text;
}

TEST(ChoiceChangesTest, PiecesAreCounted) {
  EXPECT_EQ(Read("make it 3"), "take 3 -");
  EXPECT_EQ(Read("hm make that two please"), "take 2 -");
  EXPECT_EQ(Read("two of the second one"), "take 2 the second one");
  EXPECT_EQ(Read("i'll take 2 of those and one of the other"), "take 2 those 1 the other");
  EXPECT_EQ(Read("ok 3x the vexmere"), "take 3 the vexmere");
  EXPECT_EQ(Read("2 of the first, 3 of the second and 4 of the third"),
            "take 2 the first 3 the second 4 the third");
  EXPECT_EQ(Read("also the dog bed, small"), "take 1 the dog bed, small");
  EXPECT_EQ(Read("drop the salt and pepper mill"), "drop the salt and pepper mill");
  EXPECT_EQ(Read("swap the salt and pepper mill for the kettle"),
            "swap the salt and pepper mill the kettle");
  EXPECT_EQ(Read("make it seven"), "take 7 -");
  EXPECT_EQ(Read("要4个"), "take 4 -");
  EXPECT_EQ(Read("改成一个"), "take 1 -");
  EXPECT_EQ(Read("make the kettle 2"), "take 2 the kettle");
  EXPECT_EQ(Read("4 stück davon bitte"), "take 4 -");
  EXPECT_EQ(Read("mets-en deux"), "take 2 -");
  EXPECT_EQ(Read("ponme dos"), "take 2 -");
  EXPECT_EQ(Read("要三个"), "take 3 -");
}

TEST(ChoiceChangesTest, NumbersOfOtherThingsCountNothing) {
  EXPECT_EQ(Read("a 4 slice toaster"), "");
  EXPECT_EQ(Read("under $30"), "");
  EXPECT_EQ(Read("une chaise de bureau grise aussi"), "");
  EXPECT_EQ(Read("take 2 of the 4 gb ones"), "take 2 the 4 gb ones");
}

TEST(ChoiceChangesTest, WhatACountBehindGoodsIsOf) {
  const auto taken = ReadCountedBehind("la corail", "mets-en deux");
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->goods.front().text, "la corail");
  EXPECT_EQ(taken->goods.front().count, 2);
  EXPECT_TRUE(ReadCountedBehind("60 l", "i want that one").has_value());
  EXPECT_EQ(ReadCountedBehind("the white and the pink", "i'll take both")->goods.size(), 2U);
  EXPECT_FALSE(ReadCountedBehind("is it loud", "make it 3").has_value());
  EXPECT_FALSE(ReadCountedBehind("a mouse", "2 of the first").has_value());
  EXPECT_FALSE(ReadCountedBehind("drop the first", "make it 2").has_value());
  EXPECT_FALSE(ReadCountedBehind("swap the first for the second", "make it 2").has_value());
}

TEST(ChoiceChangesTest, SeveralAreTakenAtOnce) {
  EXPECT_EQ(Read("i'll take both"), "take 1 both");
  EXPECT_EQ(Read("ok the first and the third"), "take 1 the first 1 the third");
  EXPECT_EQ(Read("i'll take the black one"), "") << "one choice is no change";
  EXPECT_EQ(Read("the first and the third"), "") << "they may be compared";
}

TEST(ChoiceChangesTest, GoodsAreTakenBack) {
  EXPECT_EQ(Read("i dont want the mouse anymore"), "drop the mouse");
  EXPECT_EQ(Read("drop the kettle"), "drop the kettle");
  EXPECT_EQ(Read("den toaster doch nicht"), "drop den toaster");
  EXPECT_EQ(Read("ich will den toaster nicht mehr"), "drop den toaster");
  EXPECT_EQ(Read("finalement sans le sac"), "drop le sac");
  EXPECT_EQ(Read("quita la tetera"), "drop la tetera");
  EXPECT_EQ(Read("不要鼠标了"), "drop 鼠标");
  EXPECT_EQ(Read("not the black one"), "drop the black one");
  EXPECT_EQ(Read("drop the mouse and the kettle"), "drop the mouse the kettle");
  EXPECT_EQ(Read("drop the first and make it 2"), "") << "two acts";
  // What is left open.
  EXPECT_EQ(Read("never mind"), "");
  EXPECT_EQ(Read("no thanks"), "");
}

TEST(ChoiceChangesTest, GoodsChangePlacesAndAreListed) {
  EXPECT_EQ(Read("swap the mouse for the cheaper one"), "swap the mouse the cheaper one");
  EXPECT_EQ(Read("tausch die maus gegen die schwarze"), "swap die maus die schwarze");
  EXPECT_EQ(Read("what do i have so far?"), "list");
  EXPECT_EQ(Read("was hab ich jetzt"), "list");
  EXPECT_EQ(Read("what do i have to pay for returns"), "");
}

TEST(ChoiceChangesTest, QuestionsChangeNothing) {
  EXPECT_EQ(Read("how much are two of the first"), "");
  EXPECT_EQ(Read("is it in stock"), "");
  EXPECT_EQ(Read("and a memory card for it"), "");
  EXPECT_EQ(Read("und wieviel umdrehungen schleudern die beiden"), "");
  EXPECT_EQ(Read("what do both come to in total"), "");
  EXPECT_EQ(Read(std::string(2000, 'x')), "");
}

/// After two monitors, of which the second was chosen, and mice.
class ResolveChangeTest : public ::testing::Test {
 protected:
  ResolveChangeTest() {
    profile_.categories = {{"Monitors", 10}, {"Mice", 10}};
    Show("monitors", "monitor", {"m1", "m2"});
    turns_.back().chosen = {{"monitor", "m2"}};
    Show("mice", "mouse", {"mo1", "mo2"});
  }

  void Show(const std::string& question, const std::string& type, std::vector<std::string> ids) {
    ConversationTurn turn;
    turn.question = turn.search_text = question;
    turn.shown_products = turn.listed_products = std::move(ids);
    turn.type = FindProductType(type, "en", profile_);
    if (!turns_.empty()) turn.chosen = turns_.back().chosen;
    turns_.push_back(std::move(turn));
  }

  std::vector<std::string> Products(const std::string& clause) {
    const RecordLookup record_of = [](const std::string& id) {
      catalog::Product product;
      product.id = id;
      product.title = id.starts_with("mo") ? "Pixalor Mouse " + id : "Vexmere Monitor " + id;
      return std::optional(product);
    };
    auto change = ReadChoiceChange(clause);
    if (!change) return {"unread"};
    change = ResolveChange(*change, {language_, turns_, profile_, record_of});
    if (!change) return {};
    std::vector<std::string> ids;
    for (const CountedGoods& each : change->goods) AppendNew(each.products, ids);
    return ids;
  }

  ShopProfile profile_;
  std::vector<ConversationTurn> turns_;
  std::string language_ = "en";
};

TEST_F(ResolveChangeTest, OnlyWhatWasChosenIsTakenBack) {
  EXPECT_THAT(Products("drop the monitor"), ElementsAre("m2"));
  EXPECT_THAT(Products("i dont want the vexmere anymore"), ElementsAre("m2"));
  EXPECT_THAT(Products("drop the mouse"), IsEmpty());
  EXPECT_THAT(Products("drop the pixalor monitor"), IsEmpty()) << "another one was chosen";
  EXPECT_THAT(Products("no monitor then"), ElementsAre("m2"));
  EXPECT_THAT(Products("without vexmere speakers"), IsEmpty()) << "says what is wanted";
  EXPECT_THAT(Products("remove everything"), ElementsAre("m2"));
}

TEST_F(ResolveChangeTest, CountsAreOfPlacesAndOfWhatIsInFocus) {
  EXPECT_THAT(Products("2 of the second one"), ElementsAre("mo2"));
  EXPECT_THAT(Products("make it 3"), ElementsAre("m2")) << "the latest choice";
  EXPECT_THAT(Products("i'll take both"), ElementsAre("mo1", "mo2"));
  EXPECT_THAT(Products("ok 2 monitors"), ElementsAre("m2"));
  EXPECT_THAT(Products("ok 2 slots is fine"), IsEmpty());
  EXPECT_THAT(Products("like 20m x4"), IsEmpty());
  EXPECT_THAT(Products("also a 64 gb memory card under 30"), ElementsAre("unread"));
  turns_.back().winner = "mo1";
  EXPECT_THAT(Products("make it 3"), ElementsAre("mo1"));
  EXPECT_THAT(Products("3 of the mice"), ElementsAre("mo1"));
}

}  // namespace
}  // namespace emptor::services
