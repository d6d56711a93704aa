// The dispatcher in virtual time: promises over many seeds, and what balancing gains on traces.
#include "services/gateway/simulation/fleet_simulation.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace emptor::services {
namespace {

/// EMPTOR_SEED replays one seed; EMPTOR_SEEDS sets how many are run.
uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(FleetSimulationTest, PromisesHoldOverManySeeds) {
  const uint64_t only = NumberOf("EMPTOR_SEED", 0);
  const uint64_t first = only == 0 ? 1 : only;
  const uint64_t last = only == 0 ? NumberOf("EMPTOR_SEEDS", 1000) : only;
  uint64_t requests = 0, answered = 0, broken = 0, refused = 0, left = 0, retries = 0, hedges = 0;
  for (uint64_t seed = first; seed <= last; ++seed) {
    const FleetReport report = SimulateSeed(seed);
    ASSERT_EQ(report.violation, "") << "EMPTOR_SEED=" << seed;
    requests += report.requests;
    answered += report.answered;
    broken += report.broken;
    refused += report.refused;
    left += report.left;
    retries += report.counts.retries;
    hedges += report.counts.hedges;
  }
  RecordProperty("requests", std::to_string(requests));
  std::printf(
      "%lu requests: %lu answered, %lu refused, %lu broken, %lu left; %lu retries, %lu hedges\n",
      requests, answered, refused, broken, left, retries, hedges);
  EXPECT_EQ(answered + broken + refused + left, requests);
  if (only != 0) return;
  // The runs hold what they are about.
  EXPECT_GT(answered, requests / 2);
  EXPECT_GT(broken, 0u);
  EXPECT_GT(refused, 0u);
  EXPECT_GT(left, 0u);
  EXPECT_GT(retries, 0u);
  EXPECT_GT(hedges, 0u);
}

TEST(FleetSimulationTest, ASeedReplays) {
  for (const uint64_t seed : {3, 14, 159}) {
    const FleetReport one = SimulateSeed(seed), two = SimulateSeed(seed);
    EXPECT_EQ(one.trace_hash, two.trace_hash);
    EXPECT_EQ(one.ttft, two.ttft);
  }
  EXPECT_NE(SimulateSeed(3).trace_hash, SimulateSeed(4).trace_hash);
}

FleetOptions Fleet(std::initializer_list<double> factors) {
  FleetOptions options;
  for (const double factor : factors) {
    ReplicaSpeed speed;
    speed.factor = factor;
    options.speeds.push_back(speed);
    options.settings.push_back({.max_outstanding = 256});
  }
  return options;
}

TEST(FleetSimulationTest, LeastOutstandingSparesTheSlowReplica) {
  FleetOptions options = Fleet({1, 1, 4});
  const auto plan = PlanPoisson(6, 60, {.input_tokens = 400, .output_tokens = 100}, 5);
  const FleetReport least = SimulateFleet(plan, options);
  options.dispatch.pick.balancing = Balancing::kRoundRobin;
  const FleetReport turns = SimulateFleet(plan, options);
  EXPECT_EQ(least.answered, plan.size());
  EXPECT_EQ(turns.answered, plan.size());
  EXPECT_GT(least.served[2], 2 * least.served[0]);
  EXPECT_NEAR(double(turns.served[2]), double(turns.served[0]), 1);
  EXPECT_LT(least.TtftAt(0.99), turns.TtftAt(0.99));
}

TEST(FleetSimulationTest, OneOfThreeThatFailsAllCostsFewAttempts) {
  FleetOptions options = Fleet({1, 1, 1});
  options.faults.push_back(
      {.kind = ReplicaFault::Kind::kFailFast, .replica = 1, .begin = 0, .end = 1e9});
  const auto plan = PlanPoisson(10, 120, {.input_tokens = 100, .output_tokens = 30}, 7);
  const FleetReport report = SimulateFleet(plan, options);
  EXPECT_EQ(report.violation, "");
  EXPECT_EQ(report.answered, plan.size());
  EXPECT_LE(double(report.counts.attempts), 1.2 * double(plan.size()));
  for (size_t i = 0; i < 3; ++i) {
    options.faults.push_back(
        {.kind = ReplicaFault::Kind::kFailFast, .replica = i, .begin = 0, .end = 1e9});
  }
  const FleetReport all = SimulateFleet(plan, options);
  EXPECT_EQ(all.answered, 0u);
  EXPECT_LE(double(all.counts.attempts), 1.1 * double(plan.size()));
}

}  // namespace
}  // namespace emptor::services
