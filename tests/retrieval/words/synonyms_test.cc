// The synonyms file: syntax, errors, matches.
#include "retrieval/words/synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Matches(const Synonyms& synonyms, std::vector<std::string> words,
                                 Language language = Language::kEnglish) {
  std::vector<std::string> found;
  synonyms.ForEachMatch(words, language, [&](size_t first, size_t count, const std::string& other) {
    found.push_back(std::to_string(first) + "+" + std::to_string(count) + " " + other);
  });
  return found;
}

Synonyms Parsed(std::string_view text) {
  auto synonyms = Synonyms::Parse("s.txt", text);
  EXPECT_TRUE(synonyms.ok()) << synonyms.status();
  return *std::move(synonyms);
}

TEST(SynonymsTest, EquivalencesGoBothWaysArrowsOne) {
  const Synonyms synonyms =
      Parsed("# comment\n\ntv, Television\nnotebook => laptop, ultrabook\r\n");
  EXPECT_THAT(Matches(synonyms, {"tv"}), ElementsAre("0+1 television"));
  EXPECT_THAT(Matches(synonyms, {"big", "television"}), ElementsAre("1+1 tv"));
  EXPECT_THAT(Matches(synonyms, {"notebook"}), ElementsAre("0+1 laptop", "0+1 ultrabook"));
  EXPECT_THAT(Matches(synonyms, {"laptop"}), IsEmpty());
}

TEST(SynonymsTest, PhrasesMatchAsAWholeAndTheLongestWins) {
  const Synonyms synonyms = Parsed("hard drive, hdd\nhard => tough\n");
  EXPECT_THAT(Matches(synonyms, {"hard", "drive"}), ElementsAre("0+2 hdd"));
  EXPECT_THAT(Matches(synonyms, {"hard", "floor"}), ElementsAre("0+1 tough"));
  EXPECT_THAT(Matches(synonyms, {"hdd"}), ElementsAre("0+1 hard drive"));
}

TEST(SynonymsTest, PluralsMatchSingularsAndAccentsNothing) {
  const Synonyms synonyms = Parsed("sofa, couch\ntéléviseur => tv\n");
  EXPECT_THAT(Matches(synonyms, {"sofas"}), ElementsAre("0+1 couch"));
  EXPECT_THAT(Matches(synonyms, {"televiseur"}), ElementsAre("0+1 tv"));
}

TEST(SynonymsTest, SectionsHoldForTheirLanguage) {
  const Synonyms synonyms = Parsed("[de]\nhandy, smartphone\n[*]\nhdd, festplatte\n");
  EXPECT_THAT(Matches(synonyms, {"handy"}, Language::kEnglish), IsEmpty());
  EXPECT_THAT(Matches(synonyms, {"handy"}, Language::kGerman), ElementsAre("0+1 smartphone"));
  EXPECT_THAT(Matches(synonyms, {"hdd"}, Language::kFrench), ElementsAre("0+1 festplatte"));
}

TEST(SynonymsTest, RefusalsNameTheLine) {
  const auto message = [](std::string_view text) {
    const auto synonyms = Synonyms::Parse("s.txt", text);
    return synonyms.ok() ? std::string("accepted") : std::string(synonyms.status().message());
  };
  EXPECT_THAT(message("tv, television\nalone\n"), HasSubstr("s.txt:2: expected \"a, b\""));
  EXPECT_THAT(message("a,,b"), HasSubstr("s.txt:1: expected a word between commas"));
  EXPECT_THAT(message("a =>"), HasSubstr("expected a word"));
  EXPECT_THAT(message("a => b => c"), HasSubstr("s.txt:1: expected one \"=>\""));
  EXPECT_THAT(message("[xx]\n"), HasSubstr("s.txt:1: expected [en]"));
  EXPECT_THAT(message("a, b c d e f g h"), HasSubstr("at most 6 words"));
  EXPECT_THAT(message("a, \xff"), HasSubstr("UTF-8"));
  EXPECT_THAT(message("a, " + std::string(Synonyms::kMaxLineBytes, 'b')), HasSubstr("bytes"));
  std::string many = "a";
  for (int i = 0; i < 40; ++i) many += ", b" + std::to_string(i);
  EXPECT_THAT(message(many), HasSubstr("at most 32 phrases"));
}

TEST(SynonymsTest, TheShippedListIsValid) {
  EXPECT_GT(DefaultSynonyms().size(), 50u);
  EXPECT_THAT(Matches(DefaultSynonyms(), {"tv"}), ::testing::Contains("0+1 television"));
  Synonyms own = Parsed("tv => fernseher\n");
  own.Add(DefaultSynonyms());
  EXPECT_THAT(Matches(own, {"tv"}), ::testing::IsSupersetOf({"0+1 fernseher", "0+1 television"}));
}

}  // namespace
}  // namespace emptor::retrieval
