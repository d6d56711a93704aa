// Bias and penalties, to the number.
#include "engine/sampling/logit_rules.h"

#include <gtest/gtest.h>

namespace emptor::engine {
namespace {

TEST(LogitRulesTest, PenalisesByPromptAndByCount) {
  const std::vector<int32_t> prompt = {0, 1, 1};
  LogitRules rules({.bias = {{3, 5.0f}, {99, 1.0f}},
                    .repetition_penalty = 2,
                    .presence_penalty = 0.5f,
                    .frequency_penalty = 0.25f},
                   prompt);
  rules.Accept(2);
  rules.Accept(2);
  rules.Accept(1);
  std::vector<float> logits = {4, -4, 4, -1, 7};
  rules.ApplyInto(logits);
  EXPECT_FLOAT_EQ(logits[0], 2);                     // of the prompt alone
  EXPECT_FLOAT_EQ(logits[1], -8 - 0.5f - 0.25f);     // negative logits grow by the factor
  EXPECT_FLOAT_EQ(logits[2], 2 - 0.5f - 2 * 0.25f);  // twice in the answer
  EXPECT_FLOAT_EQ(logits[3], 4);                     // biased
  EXPECT_FLOAT_EQ(logits[4], 7);
}

TEST(LogitRulesTest, ARepetitionPenaltyNeverRaisesALogit) {
  const std::vector<int32_t> prompt = {0, 1, 2};
  const LogitRules rules({.bias = {}, .repetition_penalty = 2}, prompt);
  std::vector<float> logits = {0.5f, 0, -0.5f};
  rules.ApplyInto(logits);
  EXPECT_EQ(logits, (std::vector<float>{0.25f, 0, -1}));
}

TEST(LogitRulesTest, PresenceAndFrequencyLeaveThePromptAlone) {
  LogitRules rules({.bias = {}, .presence_penalty = 1, .frequency_penalty = 1},
                   std::vector<int32_t>{0});
  std::vector<float> logits = {1, 1};
  rules.ApplyInto(logits);
  EXPECT_EQ(logits, (std::vector<float>{1, 1}));
}

}  // namespace
}  // namespace emptor::engine
