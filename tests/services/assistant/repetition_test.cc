// Loops of every period are found, and nothing that a shop would write is taken for one.
#include "services/assistant/plan/repetition.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

bool Loops(std::string_view text) { return RepetitionDetector().Push(text); }

TEST(RepetitionDetectorTest, FindsALoopOfEveryPeriod) {
  for (size_t period = 1; period <= 32; ++period) {
    RepetitionDetector detector;
    std::string piece;
    for (size_t i = 0; i < period; ++i) piece += static_cast<char>('a' + i % 26);
    EXPECT_FALSE(detector.Push("The capacity of the kettle is ")) << period;
    size_t rounds = 0;
    while (rounds < 100 && !detector.Push(piece)) ++rounds;
    EXPECT_GE((rounds + 1) * period, 32u) << period;
    EXPECT_LE((rounds + 1) * period, 32u * 5) << period;
  }
}

TEST(RepetitionDetectorTest, FindsItHoweverTheTextIsCut) {
  const std::string text = "The \"ewrwu kreedswer" + std::string(60, 'x');
  EXPECT_TRUE(Loops(text));
  RepetitionDetector detector;
  bool found = false;
  for (const char c : text) found = detector.Push(std::string_view(&c, 1));
  EXPECT_TRUE(found);
}

TEST(RepetitionDetectorTest, StaysFound) {
  RepetitionDetector detector;
  EXPECT_TRUE(detector.Push(std::string(40, 'n')));
  EXPECT_TRUE(detector.Push(" and now something else"));
}

TEST(RepetitionDetectorTest, LetsListsTablesAndLinesPass) {
  EXPECT_FALSE(Loops("| a | b | c | d | e | f |\n|---|---|---|---|---|---|---|---|---|---|---|\n"));
  EXPECT_FALSE(Loops(std::string(200, '-') + std::string(200, ' ') + std::string(200, '\n')));
  EXPECT_FALSE(
      Loops("- [1:title] [1:price] [1]\n- [2:title] [2:price] [2]\n- [3:title] [3:price] "
            "[3]\n- [4:title] [4:price] [4]\n- [5:title] [5:price] [5]\n- [6:title] "
            "[6:price] [6]\n"));
  EXPECT_FALSE(Loops("ho ho ho, very very very good, 1000000000"));
}

}  // namespace
}  // namespace emptor::services
