// The terms of spellings that shops and shoppers use.
#include "retrieval/text/analyzer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/test_name.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

const Analyzer& SharedAnalyzer() {
  static const Analyzer analyzer = *Analyzer::Create();
  return analyzer;
}

std::string Terms(std::string_view text, TextRole role = TextRole::kRecord) {
  std::string joined;
  for (const std::string& term : SharedAnalyzer().Analyze(text, role)) {
    joined += (joined.empty() ? "" : " ") + term;
  }
  return joined;
}

struct Case {
  std::string text;
  std::string terms;
};

std::string NameOf(const ::testing::TestParamInfo<Case>& tested) {
  return testing::CaseName(tested.index, tested.param.text);
}

class AnalyzerTableTest : public ::testing::TestWithParam<Case> {};

TEST_P(AnalyzerTableTest, GivesTheTerms) { EXPECT_EQ(Terms(GetParam().text), GetParam().terms); }

INSTANTIATE_TEST_SUITE_P(
    English, AnalyzerTableTest,
    ::testing::Values(Case{"", ""}, Case{"...", ""}, Case{"The KETTLES", "kettle"},
                      Case{"Wi-Fi router", "wifi wi fi router"},
                      Case{"Sony WH-1000XM5", "sony wh1000xm5 wh 1000xm5"},
                      Case{"WH1000XM5", "wh1000xm5"}, Case{"T-shirts", "tshirt shirt"},
                      Case{"USB\u2010C", "usbc usb"}, Case{"foo_bar", "foo_bar"},
                      Case{"iPhone15", "iphone15 iphone 15"}, Case{"iPhone 15", "iphone 15"},
                      Case{"kid's kids\u2019 don't", "kid kid dont"},
                      Case{"plug-and-play", "plugandplay plug play"},
                      Case{"2020-2021", "2020 2021"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Quantities, AnalyzerTableTest,
    ::testing::Values(Case{"27 inch", "27inch 27 inch"}, Case{"27-inch", "27inch 27 inch"},
                      Case{"27\"", "27inch 27 inch"}, Case{"27\u2033", "27inch 27 inch"},
                      Case{"27inches", "27inch 27 inch"}, Case{"27 in", "27inch 27 inch"},
                      Case{"2 in 1", "2 1"}, Case{"1,7 Liter", "1.7l 1.7"},
                      Case{"1.7l", "1.7l 1.7"}, Case{"1.70 litres", "1.7l 1.7"},
                      Case{"500GB", "500gb 500 gb"}, Case{"500 GB", "500gb 500 gb"},
                      Case{"1,000 W", "1000w 1000"}, Case{"1080p", "1080p"},
                      Case{"Bluetooth 5.0", "bluetooth 5"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    OtherLanguages, AnalyzerTableTest,
    ::testing::Values(Case{"Stra\u00DFe", "strasse"}, Case{"STRASSE", "strasse"},
                      Case{"caf\u00E9", "cafe"}, Case{"Caf\u0065\u0301", "cafe"},
                      Case{"l\u2019eau", "eau"}, Case{"K\u00FChlschrank", "kuhlschrank"},
                      Case{"sm\u00F8rrebr\u00F8d", "smorrebrod"}, Case{"\uFF35\uFF33\uFF22", "usb"},
                      Case{"\u0439\u043E\u0433\u0443\u0440\u0442",
                           "\u0439\u043E\u0433\u0443\u0440\u0442"}),
    NameOf);

TEST(AnalyzerTest, GivesChineseWordsAndBigramsSoThatASplitBrandIsFound) {
  const auto terms = SharedAnalyzer().Analyze("\u534E\u4E3A\u624B\u673A\u58F3", TextRole::kRecord);
  EXPECT_THAT(terms, Contains("\u534E\u4E3A"));  // Huawei, which the dictionary splits
  EXPECT_THAT(terms, Contains("\u624B\u673A"));
  EXPECT_THAT(terms, Contains("\u673A\u58F3"));
  EXPECT_EQ(std::count(terms.begin(), terms.end(), "\u624B\u673A"), 1);  // word and bigram, once
}

TEST(AnalyzerTest, GivesKatakanaBigramsThatKeepTheirMarks) {
  const auto terms =
      SharedAnalyzer().Analyze("\u30A4\u30E4\u30DB\u30F3 \u30AC\u30E9\u30B9", TextRole::kRecord);
  EXPECT_THAT(terms, Contains("\u30A4\u30E4"));
  EXPECT_THAT(terms, Contains("\u30E4\u30DB"));
  EXPECT_THAT(terms, Contains("\u30AC\u30E9"));  // not the unvoiced kana
}

TEST(AnalyzerTest, HalfWidthKanaEqualFullWidth) {
  EXPECT_EQ(Terms("\uFF76\uFF9E\uFF97\uFF7D"), Terms("\u30AC\u30E9\u30B9"));
}

TEST(AnalyzerTest, QueryLosesRequestWordsButNeverEverything) {
  EXPECT_EQ(Terms("show me the best headphones", TextRole::kQuery), "headphone");
  EXPECT_EQ(Terms("best", TextRole::kQuery), "best");
  EXPECT_EQ(Terms("the who", TextRole::kQuery), "the who");
  EXPECT_EQ(Terms("Best of Show"), "best show");
}

TEST(AnalyzerTest, SurvivesIllFormedUtf8) {
  EXPECT_EQ(Terms("\xff\xfe kettle \xc3"), "kettle");
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    for (const std::string& term : SharedAnalyzer().Analyze(bytes, TextRole::kQuery)) {
      EXPECT_FALSE(term.empty());
    }
  }
}

TEST(AnalyzerTest, LeavesOutTermsThatAreTooLong) {
  const std::string long_word(100000, 'x');
  EXPECT_EQ(Terms(long_word + " kettle"), "kettle");
}

TEST(AnalyzerTest, IsTheSameFromSeveralThreads) {
  const std::string text = "Wi-Fi 27-inch \u82F9\u679C\u624B\u673A\u58F3 caf\u00E9 iPhone15";
  const std::string expected = Terms(text);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) EXPECT_EQ(Terms(text), expected);
    });
  }
}

}  // namespace
}  // namespace emptor::retrieval
