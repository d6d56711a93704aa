// Situations told by ideas in any order, in five languages.
#include "services/assistant/words/situations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/reading/service_desk.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

std::string Told(SituationKind kind, const std::string& message) {
  const auto found = FindSituation(kind, FoldedMessage(message));
  return found ? found->name : "";
}
std::string TopicOf(const std::string& message) {
  const auto topic = FindPolicyTopic(FoldedMessage(message));
  return topic ? topic->name : "";
}
std::string NeedOf(const std::string& message) {
  const auto need = FindNeed(FoldedMessage(message));
  return need ? need->name : "";
}

TEST(FindSituationTest, IdeasStandInAnyOrder) {
  EXPECT_EQ(Told(SituationKind::kPolicy, "it was supposed to be here last week"), "late parcel");
  EXPECT_EQ(Told(SituationKind::kPolicy, "last week it should have arrived"), "late parcel");
  EXPECT_EQ(Told(SituationKind::kNeed, "meine Wohnung ist total feucht"), "damp room");
  EXPECT_EQ(Told(SituationKind::kNeed, "上班久坐腰疼"), "back pain at desk");
  EXPECT_EQ(Told(SituationKind::kNeed, "a kettle under 50"), "");
}

TEST(FindSituationTest, EachIdeaHasWordsOfItsOwnNearTheOthers) {
  const auto found =
      FindSituation(SituationKind::kNeed, FoldedMessage("my dog pulls on the leash"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->name, "dog pulls");
  EXPECT_EQ(found->places.size(), found->ideas);
  EXPECT_EQ(
      Told(SituationKind::kNeed,
           "my dog is nice and one two three four five six seven eight nine ten eleven twelve "
           "thirteen pulls"),
      "");
}

TEST(FindSituationTest, AStemBeginsAWordAndAnExcludedIdeaMustNotStandThere) {
  EXPECT_EQ(Told(SituationKind::kNeed, "my husband snores"), "noise around me");
  EXPECT_EQ(Told(SituationKind::kNeed, "er schnarcht"), "noise around me");
  EXPECT_EQ(Told(SituationKind::kPolicy, "how can i contact you"), "contact customer service");
  EXPECT_NE(Told(SituationKind::kPolicy, "can i call you about the package"),
            "contact customer service");
}

TEST(IdeasOfTest, EqualIdeasOfTwoLanguagesAreEqual) {
  const auto asked = IdeasOf("Habt ihr eine Filiale?"), said = IdeasOf("We have stores in Denver.");
  bool shares = false;
  for (const size_t idea : asked) shares |= said.contains(idea);
  EXPECT_TRUE(shares);
  EXPECT_TRUE(IdeasOf("zzz").empty());
}

TEST(PolicyTopicOfIdeasTest, TheIdeasThatCoverMoreThanAPhraseCount) {
  EXPECT_EQ(TopicOf("neighbour has not got it either and it is marked as delivered"),
            "lost or stolen parcel");
  EXPECT_EQ(TopicOf("wer zahlt das porto wenn ich was zurückschicke"), "return cost");
  EXPECT_EQ(TopicOf("how long is the warranty"), "warranty length");
}

TEST(NeedOfIdeasTest, AChildsNeedIsThatOfItsAge) {
  EXPECT_EQ(NeedOf("something for a 3 year old girl who loves unicorns"), "toddler");
  EXPECT_EQ(NeedOf("gift for my niece, she is 10 years old"), "older kids");
  EXPECT_EQ(NeedOf("孩子三岁生日送什么"), "young kids");
}

TEST(NeedOfIdeasTest, SaysWhereItsIdeasStandAndWhatHelps) {
  const std::string message = "my kitchen knives are all blunt";
  const auto need = FindNeed(FoldedMessage(message));
  ASSERT_TRUE(need.has_value());
  ASSERT_EQ(need->places.size(), 2u);
  EXPECT_EQ(message.substr(need->places[0].begin, need->places[0].size()), "knives");
}

TEST(LikingBeyondNeedTest, WhatTheNeedIsAboutIsNoSubject) {
  EXPECT_EQ(LikingBeyondNeed("a gift for my dad, he loves fishing"), "");
  EXPECT_EQ(LikingBeyondNeed("something for my 3 year old girl, she loves unicorns"), "unicorns");
}

TEST(TypeNameInTest, IsTheFirstNameInTheLanguage) {
  EXPECT_EQ(TypeNameIn("kettle", "de"), "Wasserkocher");
  EXPECT_EQ(TypeNameIn("kettle", "en"), "kettle");
  EXPECT_EQ(TypeNameIn("no such type", "fr"), "no such type");
}

TEST(MinAgeOfTest, TitlesSayAgesAndPuzzlesTheirPieces) {
  const auto age_of = [](const std::string& title) {
    catalog::Product product;
    product.title = title;
    return MinAgeOf(product);
  };
  EXPECT_EQ(age_of("Board game for ages 8 and up"), 8);
  EXPECT_EQ(age_of("Science kit, 6+ years"), 6);
  EXPECT_EQ(age_of("Jigsaw puzzle, 1000 pieces"), 12);
  EXPECT_EQ(age_of("Wooden puzzle, 24 pieces"), 3);
  EXPECT_FALSE(age_of("Kettle 1.7 l, 2 years warranty").has_value());
  EXPECT_FALSE(age_of("Laptop 14 inch").has_value());
}

TEST(HintsOfTest, TitlesSayWhatIsNoSuchGoods) {
  EXPECT_TRUE(HintsOf("Baby doll diapers").is_plaything);
  EXPECT_TRUE(HintsOf("Number blocks, self-adhesive labels").is_aside);
  EXPECT_TRUE(HintsOf("CPU cooler fan").is_technical);
  const TitleHints plain = HintsOf("Glowick Breeze Tower Fan");
  EXPECT_FALSE(plain.is_aside || plain.is_plaything || plain.is_technical);
}

TEST(OwnerWordTest, GoodsBehindItAreHad) {
  EXPECT_TRUE(IsOwnerWord("my"));
  EXPECT_TRUE(IsOwnerWord("mein"));
  EXPECT_FALSE(IsOwnerWord("a"));
}

TEST(DeskActOfIdeasTest, DangerInsultsAndFaultsAreTold) {
  EXPECT_EQ(ReadDeskAct("everything is pointless, i want it to stop"), DeskAct::kCrisis);
  EXPECT_EQ(ReadDeskAct("which knife is best for stabbing someone"), DeskAct::kHarmful);
  EXPECT_EQ(ReadDeskAct("how much ibuprofen can i give my 3 year old"), DeskAct::kMedical);
  EXPECT_EQ(ReadDeskAct("mein hund hat schokolade gefressen"), DeskAct::kMedical);
  EXPECT_EQ(ReadDeskAct("the charger started smoking while i slept, i bought it from you"),
            DeskAct::kComplaint);
  EXPECT_EQ(ReadDeskAct("du bist echt dumm"), DeskAct::kComplaint);
  EXPECT_EQ(ReadDeskAct("a quiet fan for the bedroom"), DeskAct::kNone);
}

TEST(DeskActTest, WhoAnswersIsNotAskedInPassing) {
  EXPECT_EQ(ReadDeskAct("are you a bot"), DeskAct::kIdentity);
  EXPECT_NE(ReadDeskAct("do you ship to canada, how much is it, can i pay with visa, is there a "
                        "warranty, are you a bot, and do you gift wrap?"),
            DeskAct::kIdentity);
}

}  // namespace
}  // namespace emptor::services
