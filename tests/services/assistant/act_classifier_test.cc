// The act classifier: agreement with its training, and what it decides that no phrase does.
#include "services/assistant/reading/act_classifier.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace emptor::services {
namespace {

constexpr double kRounding = 1e-3;

TEST(ActClassifierTest, AgreesWithItsTraining) {
  std::ifstream file(EMPTOR_SOURCE_DIR "/data/acts/reference.tsv");
  std::string message, act, probability;
  int lines = 0;
  while (std::getline(file, message, '\t') && std::getline(file, act, '\t') &&
         std::getline(file, probability)) {
    const ActGuess guess = GuessActs(message).front();
    EXPECT_EQ(guess.act, DeskActOf(act)) << message;
    EXPECT_NEAR(guess.probability, std::stod(probability), kRounding) << message;
    ++lines;
  }
  EXPECT_GT(lines, 40);
}

TEST(ActClassifierTest, ProbabilitiesAreOrderedAndSumToOne) {
  double sum = 0, before = 1;
  for (const ActGuess& each : GuessActs("could my neighbour take it in?")) {
    EXPECT_LE(each.probability, before);
    before = each.probability;
    sum += each.probability;
  }
  EXPECT_NEAR(sum, 1, kRounding);
}

TEST(ActClassifierTest, AMessageOfOtherWordsIsAboutGoods) {
  EXPECT_EQ(GuessActs("a red kettle under 50").front().act, DeskAct::kNone);
  EXPECT_EQ(GuessActs("").front().act, GuessActs("   ").front().act);
}

}  // namespace
}  // namespace emptor::services
