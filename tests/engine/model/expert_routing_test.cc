#include "engine/model/expert_routing.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(ExpertRoutingTest, SendsEachTokenToItsBestExperts) {
  const std::vector<float> scores = {0, 3, 1, 2,   // token 0: experts 1 and 3
                                     5, 4, 0, 0};  // token 1: experts 0 and 1
  const auto routes = RouteTokens(scores, 4, 2);
  ASSERT_EQ(routes.size(), 4u);
  ASSERT_EQ(routes[0].size(), 1u);
  ASSERT_EQ(routes[1].size(), 2u);
  EXPECT_TRUE(routes[2].empty());
  ASSERT_EQ(routes[3].size(), 1u);
  EXPECT_EQ(routes[1][0].token, 0);
  EXPECT_EQ(routes[1][1].token, 1);
  const float larger = 1 / (1 + std::exp(-1.0f));
  EXPECT_FLOAT_EQ(routes[1][0].weight, larger);
  EXPECT_FLOAT_EQ(routes[3][0].weight, 1 - larger);
  EXPECT_FLOAT_EQ(routes[0][0].weight, larger);
}

TEST(ExpertRoutingTest, TheEarlierOfEqualsIsTaken) {
  const auto routes = RouteTokens(std::vector<float>{1, 1, 1}, 3, 2);
  EXPECT_EQ(routes[0].size(), 1u);
  EXPECT_EQ(routes[1].size(), 1u);
  EXPECT_TRUE(routes[2].empty());
  EXPECT_FLOAT_EQ(routes[0][0].weight, 0.5f);
}

TEST(ExpertRoutingTest, NumbersThatAreNoneStillGoSomewhere) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto routes = RouteTokens(std::vector<float>{nan, nan, nan}, 3, 3);
  for (const auto& route : routes) EXPECT_EQ(route.size(), 1u);
}

TEST(ExpertRoutingTest, LargeScoresDoNotOverflow) {
  const auto routes = RouteTokens(std::vector<float>{3e38f, -3e38f}, 2, 2);
  EXPECT_EQ(routes[0][0].weight, 1);
  EXPECT_EQ(routes[1][0].weight, 0);
}

}  // namespace
}  // namespace emptor::engine
