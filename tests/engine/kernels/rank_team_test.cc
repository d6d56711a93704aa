// Ranks meet where they should, see each other's writes, and keep their threads.
#include "engine/kernels/rank_team.h"

#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(RankTeamTest, RunsEveryRankOnce) {
  for (const int ranks : {1, 2, 4}) {
    RankTeam team(ranks);
    EXPECT_EQ(team.ranks(), ranks);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> runs(static_cast<size_t>(ranks));
      team.Run([&](int rank) { ++runs[static_cast<size_t>(rank)]; });
      for (const int count : runs) ASSERT_EQ(count, 1);
    }
  }
}

TEST(RankTeamTest, BarriersOrderWhatRanksWrite) {
  RankTeam team(3);
  std::vector<int> parts(3);
  std::vector<int> sums(3);
  team.Run([&](int rank) {
    const auto own = static_cast<size_t>(rank);
    for (int round = 1; round <= 500; ++round) {
      parts[own] = round * (rank + 1);
      team.Barrier();
      sums[own] += parts[0] + parts[1] + parts[2];
      team.Barrier();  // no rank overwrites a part that another still reads
    }
  });
  for (const int sum : sums) EXPECT_EQ(sum, 6 * 500 * 501 / 2);
}

TEST(RankTeamTest, ARankKeepsItsThread) {
  RankTeam team(3);
  std::vector<std::thread::id> first(3), second(3);
  team.Run([&](int rank) { first[static_cast<size_t>(rank)] = std::this_thread::get_id(); });
  team.Run([&](int rank) { second[static_cast<size_t>(rank)] = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_EQ(first[0], std::this_thread::get_id());
}

TEST(RankTeamTest, PinnedOrNotItRuns) {
  // On a thread of its own: the caller is pinned too and stays so.
  std::thread caller([] {
    RankTeam team(2, /*pin=*/true);
    std::vector<int> runs(2);
    team.Run([&](int rank) { ++runs[static_cast<size_t>(rank)]; });
    EXPECT_EQ(runs, (std::vector<int>{1, 1}));
  });
  caller.join();
}

TEST(RankTeamTest, DiesWithoutHavingRun) {
  auto team = std::make_unique<RankTeam>(4);
  EXPECT_EQ(team->ranks(), 4);
  team.reset();  // joins threads that never worked
  EXPECT_EQ(team, nullptr);
}

}  // namespace
}  // namespace emptor::engine
