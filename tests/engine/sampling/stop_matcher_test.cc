#include "engine/sampling/stop_matcher.h"

#include <random>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

struct Result {
  std::string text;
  bool stopped;
};

Result Feed(const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
  StopMatcher matcher(stops);
  Result result{"", false};
  for (const std::string& piece : pieces) result.text += matcher.Append(piece);
  result.text += matcher.Flush();
  result.stopped = matcher.stopped();
  return result;
}

TEST(StopMatcherTest, EndsBeforeTheStopString) {
  const Result result = Feed({"END"}, {"one END two"});
  EXPECT_EQ(result.text, "one ");
  EXPECT_TRUE(result.stopped);
}

TEST(StopMatcherTest, FindsAStopStringAcrossPieces) {
  const Result result = Feed({"\n\nUser:"}, {"yes\n", "\nUs", "er", ": no"});
  EXPECT_EQ(result.text, "yes");
  EXPECT_TRUE(result.stopped);
}

TEST(StopMatcherTest, HoldsBackOnlyWhatCouldBecomeAStop) {
  StopMatcher matcher({"END"});
  EXPECT_EQ(matcher.Append("aE"), "a");
  EXPECT_TRUE(matcher.holding());
  EXPECT_EQ(matcher.Append("Ex"), "EEx");
  EXPECT_FALSE(matcher.holding());
  EXPECT_EQ(matcher.Append("EN"), "");
  EXPECT_EQ(matcher.Flush(), "EN");
}

TEST(StopMatcherTest, OverlappingPrefixIsNotLost) {
  EXPECT_EQ(Feed({"aab"}, {"aa", "ab"}).text, "a");
}

TEST(StopMatcherTest, WithoutStopsEverythingPasses) { EXPECT_EQ(Feed({}, {"a", "b"}).text, "ab"); }

TEST(StopMatcherTest, TheCutOfThePiecesDoesNotMatter) {
  std::mt19937 random(3);
  const std::vector<std::string> stops = {"abca", "bc", "cab", "aaaa"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += static_cast<char>('a' + random() % 3);
    std::vector<std::string> pieces;
    for (size_t at = 0; at < text.size();) {
      const size_t n = 1 + random() % 4;
      pieces.push_back(text.substr(at, n));
      at += n;
    }
    const Result whole = Feed(stops, {text});
    const Result cut = Feed(stops, pieces);
    ASSERT_EQ(whole.text, cut.text) << text;
    ASSERT_EQ(whole.stopped, cut.stopped) << text;
  }
}

}  // namespace
}  // namespace emptor::engine
