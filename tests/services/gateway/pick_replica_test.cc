// The choice of a replica, in tables.
#include "services/gateway/balancing/pick_replica.h"

#include <gtest/gtest.h>

#include <vector>

namespace emptor::services {
namespace {

ReplicaView Loaded(double cost, int outstanding = 1) {
  return {.outstanding = outstanding, .outstanding_cost = cost};
}

TEST(PickReplicaTest, TakesTheLeastLoadByCostAndCapacity) {
  const PickRequest request{.prompt_tokens = 100, .expected_tokens = 50};
  const struct {
    const char* name;
    std::vector<ReplicaView> replicas;
    std::optional<size_t> want;
  } cases[] = {
      {"least cost, not fewest requests", {Loaded(900, 1), Loaded(300, 5)}, 1},
      {"by capacity", {Loaded(300), {.capacity = 4, .outstanding_cost = 900}}, 1},
      {"none is there", {}, std::nullopt},
      {"down", {{.availability = Availability::kDown}, Loaded(900)}, 1},
      {"all down", {{.availability = Availability::kDown}}, std::nullopt},
      {"excluded", {{.excluded = true}, Loaded(900)}, 1},
      {"no room", {{.outstanding = 8, .max_outstanding = 8}, Loaded(900)}, 1},
      {"a trial comes first", {Loaded(0, 0), {.availability = Availability::kTrial}}, 1},
      {"an excluded trial does not",
       {Loaded(0, 0), {.availability = Availability::kTrial, .excluded = true}},
       0},
      {"this zone", {{.same_zone = false}, Loaded(100), Loaded(120)}, 1},
      {"another zone when this one is overloaded",
       {{.same_zone = false}, {.same_zone = false}, Loaded(2000)},
       0},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(PickReplica({}, request, each.replicas, {}), each.want) << each.name;
  }
}

TEST(PickReplicaTest, KeepsAConversationAtItsReplicaWithinTheBound) {
  const PickRequest request{.prompt_tokens = 1000, .expected_tokens = 100};
  std::vector<ReplicaView> replicas = {Loaded(0, 0), Loaded(1000), Loaded(1000), Loaded(1000)};
  replicas[3].cached_tokens = 900;
  EXPECT_EQ(PickReplica({}, request, replicas, {}), 3u);
  replicas[3].outstanding_cost = 5000;  // bound: 1.25 * 1750 + 1100
  EXPECT_EQ(PickReplica({}, request, replicas, {}), 0u);
  replicas[3].outstanding_cost = 1000;
  replicas[2].cached_tokens = 950;
  EXPECT_EQ(PickReplica({}, request, replicas, {}), 2u);  // it holds more
  EXPECT_EQ(PickReplica({.affinity = false}, request, replicas, {}), 0u);
}

TEST(PickReplicaTest, ASessionStaysAndAReplicaThatLeavesMovesItsOwnOnly) {
  std::vector<ReplicaView> replicas(5);
  std::vector<size_t> before;
  for (uint64_t session = 1; session <= 500; ++session) {
    const PickRequest request{.prompt_tokens = 10, .session = session * 7919};
    before.push_back(PickReplica({}, request, replicas, {}).value());
    EXPECT_EQ(PickReplica({}, request, replicas, {}), before.back());
  }
  std::vector<int> counts(5);
  for (const size_t i : before) ++counts[i];
  for (const int count : counts) EXPECT_NEAR(count, 100, 40);
  replicas[2].availability = Availability::kDown;
  for (uint64_t session = 1; session <= 500; ++session) {
    const PickRequest request{.prompt_tokens = 10, .session = session * 7919};
    const size_t now = PickReplica({}, request, replicas, {}).value();
    if (before[session - 1] != 2) {
      EXPECT_EQ(now, before[session - 1]);
    }
  }
}

TEST(PickReplicaTest, GroupsGetTheirShareAndTheRestWhenOneIsGone) {
  std::vector<ReplicaView> replicas(4);
  replicas[3].group = 1;
  const std::vector<double> weights = {95, 5};
  int canary = 0;
  for (int i = 0; i < 1000; ++i) {
    const PickRequest request{.random = {i / 1000.0, 0, 0}};
    canary += PickReplica({}, request, replicas, weights) == 3u ? 1 : 0;
  }
  EXPECT_EQ(canary, 50);
  const PickRequest of_canary{.random = {0.99, 0, 0}};
  replicas[3].availability = Availability::kDown;
  EXPECT_NE(PickReplica({}, of_canary, replicas, weights), 3u);
  const std::vector<double> none = {1, 0};
  replicas[3].availability = Availability::kUp;
  EXPECT_NE(PickReplica({}, of_canary, replicas, none), 3u);
}

TEST(PickReplicaTest, TwoChoicesAreTwoDifferentReplicas) {
  std::vector<ReplicaView> replicas = {Loaded(400), Loaded(300), Loaded(200), Loaded(100)};
  const PickPolicy policy{.choices = 2};
  EXPECT_EQ(PickReplica(policy, {.random = {0, 0, 0}}, replicas, {}), 1u);        // of 0 and 1
  EXPECT_EQ(PickReplica(policy, {.random = {0, 0.3, 0.4}}, replicas, {}), 2u);    // of 1 and 2
  EXPECT_EQ(PickReplica(policy, {.random = {0, 0.99, 0.99}}, replicas, {}), 3u);  // of 3 and 2
}

TEST(PickReplicaTest, RoundRobinTakesTurns) {
  std::vector<ReplicaView> replicas = {Loaded(400), Loaded(0), Loaded(0)};
  replicas[1].availability = Availability::kDown;
  const PickPolicy policy{.balancing = Balancing::kRoundRobin};
  std::vector<size_t> order;
  for (uint64_t turn = 0; turn < 4; ++turn) {
    order.push_back(PickReplica(policy, {.turn = turn}, replicas, {}).value());
  }
  EXPECT_EQ(order, (std::vector<size_t>{0, 2, 0, 2}));
}

}  // namespace
}  // namespace emptor::services
