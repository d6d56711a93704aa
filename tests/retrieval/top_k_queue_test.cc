// The heap of the best k, and the record bitmap.
#include "retrieval/top_k_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "retrieval/record_set.h"

namespace emptor::retrieval {
namespace {

TEST(TopKQueueTest, EqualsSortingEverything) {
  std::mt19937 random(1);
  for (const size_t k : {0u, 1u, 5u, 50u, 500u}) {
    std::vector<ScoredRecord> all;
    TopKQueue queue(k);
    for (uint32_t record = 0; record < 200; ++record) {
      all.push_back({record, static_cast<float>(random() % 20)});  // many ties
      queue.Push(all.back());
    }
    std::sort(all.begin(), all.end(), RanksBefore);
    all.resize(std::min(k, all.size()));
    EXPECT_EQ(queue.TakeSorted(), all);
  }
}

TEST(RecordSetTest, CountsAndVisitsMembersUpToAnOddEnd) {
  RecordSet set(130, true);
  EXPECT_EQ(set.count(), 130u);
  set.Erase(64);
  set.Erase(129);
  RecordSet other(130);
  for (const uint32_t record : {0u, 63u, 64u, 65u, 129u}) other.Insert(record);
  set.Intersect(other);
  std::vector<uint32_t> members;
  set.ForEach([&](uint32_t record) { members.push_back(record); });
  EXPECT_EQ(members, (std::vector<uint32_t>{0, 63, 65}));
  EXPECT_EQ(RecordSet(0, true).count(), 0u);
}

}  // namespace
}  // namespace emptor::retrieval
