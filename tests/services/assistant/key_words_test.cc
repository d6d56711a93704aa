// What shoppers say for the words of attributes' names.
#include "services/assistant/schema/key_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/schema/key_ranking.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(KeyWordsTest, WordsOfDataSheetsAreKnownByWhatPeopleSay) {
  EXPECT_THAT(KeyWordsSaid(FoldedMessage("wie viel Strom braucht die im Jahr")),
              Contains("annual"));
  EXPECT_THAT(KeyWordsSaid(FoldedMessage("充一次电能用多久")), Contains("shaving"));
  EXPECT_THAT(KeyWordsSaid(FoldedMessage("is it red")), Not(Contains("annual")));
}

TEST(KeyWordsTest, WhatIsKnownIsStruckOut) {
  const FoldedMessage rest = WithoutKeyWords(
      FoldedMessage("a wool programme"), [](const std::string& word) { return word == "program"; });
  EXPECT_FALSE(rest.Has("programme"));
  EXPECT_TRUE(rest.Has("wool"));
}

TEST(KeyWordsTest, AnAttributeIsFoundInAnotherLanguageByTheWordsOfItsName) {
  catalog::Product shaver;
  shaver.id = "s1";
  shaver.title = "Torvane shaver";
  shaver.attributes = {{"shaving system technologies", "Lift"},
                       {"annual water consumption washing", "8850"},
                       {"power consumption (off)", "0.5"}};
  const TypeSchema schema = TypeSchema::Learn({&shaver});
  const auto keys = RankKeys(FoldedMessage("wie viel Wasser verbraucht sie im Jahr"), schema);
  ASSERT_FALSE(keys.empty());
  EXPECT_EQ(keys.front().key->name, "annual water consumption washing");
}

TEST(KeyWordsTest, WhatStandsBeforeABracketNamesTheKey) {
  catalog::Product printer;
  printer.id = "p1";
  printer.title = "Torvane printer";
  printer.attributes = {{"print speed (black) normal quality (a4 us letter)", "31"},
                        {"speed dial numbers of the built in phone", "20"}};
  const TypeSchema schema = TypeSchema::Learn({&printer});
  const auto keys = RankKeys(FoldedMessage("what's the print speed"), schema);
  ASSERT_FALSE(keys.empty());
  EXPECT_EQ(keys.front().key->name, "print speed (black) normal quality (a4 us letter)");
  EXPECT_TRUE(keys.front().is_named);
}

}  // namespace
}  // namespace emptor::services
