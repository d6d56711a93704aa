// Arrivals and lengths: seeded, spread as they should be, and times as people type them.
#include "services/bench/load_plan.h"

#include <cmath>

#include "gtest/gtest.h"

namespace emptor::services {
namespace {

TEST(PlanPoissonTest, GapsAreExponentialAroundTheRate) {
  const auto plan = PlanPoisson(50, 400, {}, 7);
  const double n = static_cast<double>(plan.size());
  EXPECT_NEAR(n, 50 * 400, 4 * std::sqrt(50 * 400));
  double sum = 0, squares = 0, last = 0;
  for (const PlannedRequest& request : plan) {
    const double gap = request.at_seconds - last;
    ASSERT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
    last = request.at_seconds;
  }
  ASSERT_LT(last, 400);
  const double mean = sum / n;
  EXPECT_NEAR(mean, 1.0 / 50, 0.001);
  // An exponential distribution's deviation is its mean.
  EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1, 0.05);
}

TEST(PlanPoissonTest, EqualSeedsGiveEqualPlans) {
  const LengthOptions lengths{100, 50, 0.5};
  const auto a = PlanPoisson(5, 60, lengths, 3), b = PlanPoisson(5, 60, lengths, 3);
  const auto other = PlanPoisson(5, 60, lengths, 4);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].at_seconds, b[i].at_seconds);
    EXPECT_EQ(a[i].input_tokens, b[i].input_tokens);
    EXPECT_EQ(a[i].output_tokens, b[i].output_tokens);
    EXPECT_GE(a[i].input_tokens, 50);
    EXPECT_LE(a[i].input_tokens, 150);
  }
  EXPECT_NE(a[0].at_seconds, other[0].at_seconds);
}

TEST(PlanConversationTest, LengthsAreSkewedAroundTheMedian) {
  const auto plan = PlanConversation(4001, {100, 40, 0}, 1);
  ASSERT_EQ(plan.size(), 4001u);
  int above = 0, longest = 0;
  for (const PlannedRequest& request : plan) {
    above += request.input_tokens > 100 ? 1 : 0;
    longest = std::max(longest, request.input_tokens);
    EXPECT_GE(request.output_tokens, 1);
  }
  EXPECT_NEAR(above, 2000, 150);
  EXPECT_GT(longest, 500);
  EXPECT_LE(longest, 800);
}

TEST(PlanReplayTest, ScalesTimesAndLengthsAndStopsInTime) {
  const std::vector<PlannedRequest> trace = {
      {.at_seconds = 0, .input_tokens = 1000, .output_tokens = 0},
      {.at_seconds = 10, .input_tokens = 3, .output_tokens = 200, .prefix_blocks = {4}},
      {.at_seconds = 20, .input_tokens = 10, .output_tokens = 10}};
  const auto plan =
      PlanReplay(trace, {.speed = 2, .seconds = 8, .length_scale = 0.1, .most_input = 50});
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].input_tokens, 50);
  EXPECT_EQ(plan[0].output_tokens, 1);
  EXPECT_EQ(plan[1].at_seconds, 5);
  EXPECT_EQ(plan[1].input_tokens, 1);
  EXPECT_EQ(plan[1].output_tokens, 20);
  EXPECT_EQ(plan[1].prefix_blocks, std::vector<uint64_t>{4});
  EXPECT_EQ(PlanReplay(trace, {}).size(), 3u);
}

TEST(ParseSecondsTest, TakesTimesAsPeopleTypeThem) {
  EXPECT_EQ(*ParseSeconds("300ms"), 0.3);
  EXPECT_EQ(*ParseSeconds("1.5s"), 1.5);
  EXPECT_EQ(*ParseSeconds("15m"), 900);
  EXPECT_EQ(*ParseSeconds("2h"), 7200);
  EXPECT_EQ(*ParseSeconds("7"), 7);
  for (const char* wrong : {"", "ms", "-1s", "1d", "1 s", "nan", "inf", "1e999", "0x3"}) {
    const auto parsed = ParseSeconds(wrong);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << wrong;
  }
}

TEST(ParseSloTest, NamesWhatIsWrong) {
  const auto slo = ParseSlo("ttft=300ms,tpot=50ms,e2e=10s");
  ASSERT_TRUE(slo.ok());
  EXPECT_EQ(slo->ttft, 0.3);
  EXPECT_EQ(slo->tpot, 0.05);
  EXPECT_EQ(slo->e2e, 10);
  EXPECT_FALSE(ParseSlo("")->given());
  EXPECT_TRUE(std::isinf(ParseSlo("tpot=1s")->ttft));
  const std::pair<const char*, const char*> cases[] = {
      {"latency=1s", "latency=1s"}, {"ttft", "found \"ttft\""}, {"ttft=soon", "ttft: expected"}};
  for (const auto& [text, part] : cases) {
    const auto refused = ParseSlo(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(std::string(refused.status().message()).find(part), std::string::npos)
        << refused.status();
  }
}

}  // namespace
}  // namespace emptor::services
