// What the words of a sentence say: tables.
#include "services/grounding/sentence.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(SentenceTest, EndsAtFinalPunctuation) {
  for (const char* text : {"It is free.", "Yes!", "Free?", "\u514D\u8D39\u3002"}) {
    EXPECT_TRUE(EndsSentence(text)) << text;
  }
  for (const char* text : {"", "It is free", "1.7", "free,"}) {
    EXPECT_FALSE(EndsSentence(text)) << text;
  }
}

TEST(SentenceTest, KnowsCapitalsAcronymsAndPossessives) {
  EXPECT_TRUE(StartsWithCapital("Kettle"));
  EXPECT_FALSE(StartsWithCapital("kettle"));
  EXPECT_TRUE(IsAcronym("USB"));
  EXPECT_TRUE(IsAcronym("ABCDE"));
  EXPECT_FALSE(IsAcronym("ABCDEF"));
  EXPECT_FALSE(IsAcronym("Usb"));
  EXPECT_EQ(WithoutPossessive("kettle's"), "kettle");
  EXPECT_EQ(WithoutPossessive("kettles"), "kettles");
}

TEST(SentenceTest, DenialsNeedANegationAndAVerbOfKnowing) {
  for (const char* verb : {"say", "mention", "list", "find", "know"}) {
    EXPECT_TRUE(DeniesKnowledge({"the", "record", "does", "not", verb})) << verb;
    EXPECT_FALSE(DeniesKnowledge({"the", "records", verb})) << verb;
  }
  EXPECT_FALSE(DeniesKnowledge({"it", "does", "not", "boil"}));
  EXPECT_FALSE(DeniesKnowledge({}));
}

TEST(SentenceTest, OneWordOverAndOverIsARepetition) {
  EXPECT_TRUE(RepeatsItself({"a", "very", "very", "very", "very", "very", "very"}));
  EXPECT_FALSE(RepeatsItself({"a", "very", "very", "good", "kettle", "for", "tea"}));
  EXPECT_FALSE(RepeatsItself({}));
}

}  // namespace
}  // namespace emptor::services
