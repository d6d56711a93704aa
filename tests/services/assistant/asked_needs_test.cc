// The needs of a message, in its own words, and what of it tells a story.
#include "services/assistant/reading/asked_needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/plan/shortcomings.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/unheard_words.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<AskedNeed>& needs) {
  std::vector<std::string> texts;
  for (const AskedNeed& each : needs) texts.push_back(each.text);
  return texts;
}

TEST(AskedNeedsTest, EachConditionIsANeedInTheShoppersWords) {
  Understanding understanding;
  understanding.message = "Zelt für 4 Personen, wasserdicht";
  understanding.language = "de";
  understanding.filter.attributes = {{"capacity", {"4 people", "6 people"}}};
  understanding.said_of = {{"capacity", "4 Personen"}};
  const WordCondition sealed{"wasserdicht", {{"wasserdicht"}, {"waterproof"}}};
  EXPECT_THAT(Texts(NeedsOf(understanding, understanding.filter, {sealed}, {}, nullptr)),
              ElementsAre("4 Personen", "wasserdicht"));
}

TEST(AskedNeedsTest, AWordThatAnotherNeedHoldsIsNoNeedOfItsOwn) {
  Understanding understanding;
  understanding.message = "suitcase with TSA lock";
  understanding.language = "en";
  understanding.filter.attributes = {{"lock", {"TSA combination"}}};
  understanding.said_of = {{"lock", "TSA lock"}};
  EXPECT_THAT(Texts(NeedsOf(understanding, understanding.filter, {DemandOf("tsa")}, {}, nullptr)),
              ElementsAre("TSA lock"));
}

TEST(AskedNeedsTest, AQuantityThatNothingHasIsToldThoughGreaterOnesAreShown) {
  Understanding understanding;
  understanding.message = "washing machine 8 kg";
  understanding.language = "en";
  understanding.filter.attributes = {{"drum capacity", {"9"}}};
  understanding.said_of = {{"drum capacity", "8 kg"}};
  understanding.missing = {{"8 kg", {}, StatedQuantity{"g", 8000, 8000}}};
  const auto needs = NeedsOf(understanding, understanding.filter, {}, {}, nullptr);
  EXPECT_THAT(Texts(needs), ElementsAre("", "8 kg"));
  EXPECT_TRUE(needs[1].is_absent);
}

TEST(AskedNeedsTest, ABoundThatComesFromAProductShownIsNotSaid) {
  Understanding understanding;
  understanding.message = "do you have it bigger";
  understanding.language = "en";
  understanding.comparison = Comparison{.aspect = Comparison::Aspect::kMeasure};
  retrieval::Filter filter;
  filter.ranges = {{.attribute = "capacity", .min = 65000}};
  const WordCondition litres{"65 litres", {}, StatedQuantity{"ml", 65000, 65000}};
  const auto needs = NeedsOf(understanding, filter, {litres}, std::nullopt, nullptr);
  ASSERT_EQ(needs.size(), 1u);
  EXPECT_EQ(needs[0].text, "");
}

TEST(AskedNeedsTest, WhatAFollowUpSaysWeighsMoreThanWhatItInherits) {
  Understanding understanding;
  understanding.language = "en";
  understanding.follows_up = true;
  understanding.said_words = {DemandOf("gold")};
  const auto needs = NeedsOf(understanding, {}, {DemandOf("gold"), DemandOf("slim")}, {}, nullptr);
  ASSERT_EQ(needs.size(), 2U);
  EXPECT_GT(needs[0].weight, needs[1].weight);
}

TEST(SaidWordsTest, WordsAreRepeatedAsTheyWereWritten) {
  EXPECT_EQ(AsWritten("Schreibtisch, höhenverstellbar!", "hohenverstellbar"), "höhenverstellbar");
  EXPECT_EQ(AsWritten("a TSA lock please", "tsa lock"), "TSA lock");
  EXPECT_EQ(AsWritten("something else", "tsa lock"), "tsa lock");
}

TEST(StoryWordsTest, WhatSomebodyLikesIsReadToTheEndOfItsClause) {
  EXPECT_EQ(FindLiking("present for my granddaughter, she loves PAW Patrol"), "paw patrol");
  EXPECT_EQ(FindLiking("Geschenk für meine Enkelin, sie liebt PAW Patrol, bis 30 Euro"),
            "paw patrol");
  EXPECT_EQ(FindLiking("my dad is into fishing and his birthday is soon"), "fishing");
  EXPECT_EQ(FindLiking("a gift for my wife"), "");
}

class UnheardWordsTest : public ::testing::Test {
 protected:
  UnheardWordsTest() {
    cable_.title = "HDMI cable 3 m, gold plated";
    schema_ = TypeSchema::Learn({&cable_});
  }

  std::vector<std::string> Read(const std::string& message, bool is_english = true) const {
    std::vector<std::string> texts;
    for (const auto& each : FindUnheard(message, FoldedMessage(message),
                                        {"hdmi cable", "hdmi kabel"}, schema_, is_english)) {
      texts.push_back(each.text);
    }
    return texts;
  }

  catalog::Product cable_;
  TypeSchema schema_;
};

TEST_F(UnheardWordsTest, InOtherLanguagesAWordOfALexiconMayBeThereByAnother) {
  EXPECT_THAT(Read("hdmi kabel mit zugentlastungskragen", false),
              ElementsAre("zugentlastungskragen"));
  EXPECT_THAT(Read("hdmi kabel mit baumwolle", false), ElementsAre());
}

TEST_F(UnheardWordsTest, APartWithAWordThatNoRecordHasIsTold) {
  EXPECT_THAT(Read("hdmi cable, nylon sleeve"), ElementsAre("nylon sleeve"));
  EXPECT_THAT(Read("braided hdmi cable with gold plated"), ElementsAre("braided"));
  EXPECT_THAT(Read("hdmi cable gold plated"), IsEmpty());
  EXPECT_THAT(Read("the list says 'hdmi cable, nylon sleeve'"), ElementsAre("nylon sleeve"));
}

TEST_F(UnheardWordsTest, OnlyAndTheNounsOfPropertiesDoNotHideAWord) {
  EXPECT_THAT(Read("only torvane"), ElementsAre("torvane"));
  EXPECT_THAT(Read("torvane only"), ElementsAre("torvane"));
  EXPECT_THAT(Read("crimson colour"), ElementsAre("crimson"));
  EXPECT_THAT(Read("gold colour"), IsEmpty());
}

TEST_F(UnheardWordsTest, AQuantityNextToAWordDoesNotHideIt) {
  EXPECT_THAT(Read("3 m braided hdmi cable"), ElementsAre("braided"));
  EXPECT_THAT(Read("3m braided hdmi cable"), ElementsAre("braided"));
}

TEST_F(UnheardWordsTest, StoriesAndCourtesyAreNoNeeds) {
  EXPECT_THAT(Read("hello, my old one broke yesterday, need a hdmi cable please"), IsEmpty());
  EXPECT_THAT(Read("hdmi cable, it is for my sister, she moved last week"), IsEmpty());
  EXPECT_THAT(Read("hiya, hdmi cable for the 1st time, he starts 8th grade"), IsEmpty());
}

TEST(ShortcomingsTest, WhatAllLackIsSaidOnceAndWhatDiffersAtTheProduct) {
  NeedReport report;
  report.needs.resize(3);
  report.needs[0].text = "waterproof";
  report.needs[1].text = "4 people";
  report.needs[2].text = "red";
  report.verdicts["a"] = {NeedVerdict::kMet, NeedVerdict::kViolated, NeedVerdict::kNotStated};
  report.verdicts["b"] = {NeedVerdict::kMet, NeedVerdict::kViolated, NeedVerdict::kMet};
  catalog::Product a, b;
  a.id = "a";
  b.id = "b";
  const Shortcomings found = ComputeShortcomings(report, {{a, 1}, {b, 1}}, 2, "en");
  EXPECT_THAT(found.met, ElementsAre("waterproof"));
  EXPECT_THAT(found.unmet, ElementsAre("4 people"));
  EXPECT_THAT(found.unstated, IsEmpty());
  EXPECT_THAT(found.remarks, ElementsAre("not stated: red", ""));
  EXPECT_THAT(TextOf(found, "en"), HasSubstr("Not met: 4 people."));
  EXPECT_THAT(TextOf(found, "de"), HasSubstr("Nicht erfüllt: 4 people."));
}

TEST(ShortcomingsTest, NothingIsSaidWhereAllIsMet) {
  NeedReport report;
  report.needs.resize(1);
  report.needs[0].text = "waterproof";
  report.verdicts["a"] = {NeedVerdict::kMet};
  catalog::Product a;
  a.id = "a";
  EXPECT_EQ(TextOf(ComputeShortcomings(report, {{a, 1}}, 1, "en"), "en"), "");
}

}  // namespace
}  // namespace emptor::services
