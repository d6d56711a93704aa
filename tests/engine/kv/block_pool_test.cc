#include "engine/kv/block_pool.h"

#include <algorithm>
#include <set>

#include "engine/kv/kv_cache.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(BlockPoolTest, TakesBackBlockWhenItsHandleDies) {
  BlockPool pool(3);
  {
    const auto blocks = pool.Allocate(2);
    ASSERT_TRUE(blocks.ok());
    EXPECT_EQ(pool.free_count(), 1);
  }
  EXPECT_EQ(pool.free_count(), 3);
}

TEST(BlockPoolTest, GivesAllOrNone) {
  BlockPool pool(3);
  const auto blocks = pool.Allocate(2);
  ASSERT_TRUE(blocks.ok());
  EXPECT_EQ(pool.Allocate(2).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(pool.free_count(), 1);
}

TEST(BlockPoolTest, NeverGivesABlockTwice) {
  BlockPool pool(8);
  auto first = pool.Allocate(5);
  auto second = pool.Allocate(3);
  ASSERT_TRUE(first.ok() && second.ok());
  std::set<BlockId> ids;
  for (const Block& block : *first) ids.insert(block.id());
  for (const Block& block : *second) ids.insert(block.id());
  EXPECT_EQ(ids.size(), 8u);
}

TEST(BlockPoolTest, MovedBlockIsFreedOnce) {
  BlockPool pool(2);
  {
    auto blocks = pool.Allocate(1);
    ASSERT_TRUE(blocks.ok());
    Block moved = std::move(blocks->front());
    blocks->clear();
    EXPECT_EQ(pool.free_count(), 1);
  }
  EXPECT_EQ(pool.free_count(), 2);
}

TEST(BlockPoolTest, SharedBlockIsFreeWhenItsLastReferenceIsGone) {
  BlockPool pool(2);
  auto blocks = pool.Allocate(1);
  ASSERT_TRUE(blocks.ok());
  const BlockId id = blocks->front().id();
  {
    const Block other = pool.Share(id);
    EXPECT_EQ(other.id(), id);
    EXPECT_EQ(pool.ref_counts()[static_cast<size_t>(id)], 2);
    blocks->clear();
    EXPECT_EQ(pool.free_count(), 1);
  }
  EXPECT_EQ(pool.free_count(), 2);
}

TEST(BlockPoolTest, KeptBlocksAreTakenLastAndTheOldestFirst) {
  BlockPool pool(4);
  std::vector<BlockId> evicted;
  pool.set_on_evict([&](BlockId id) { evicted.push_back(id); });
  auto blocks = pool.Allocate(3);
  ASSERT_TRUE(blocks.ok());
  std::vector<BlockId> ids;
  for (const Block& block : *blocks) {
    pool.Keep(block.id());
    ids.push_back(block.id());
  }
  while (!blocks->empty()) blocks->pop_back();  // ids[2] first
  EXPECT_EQ(pool.free_count(), 4);
  { const Block used_again = pool.Share(ids[2]); }
  auto first = pool.Allocate(2);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(evicted, std::vector<BlockId>{ids[1]});
  auto rest = pool.Allocate(2);
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(evicted, (std::vector<BlockId>{ids[1], ids[0], ids[2]}));
  first->clear();
  auto fresh = pool.Allocate(1);  // an evicted block keeps nothing any more
  EXPECT_EQ(evicted.size(), 3u);
  EXPECT_FALSE(pool.Allocate(2).ok());
}

TEST(BlockTableTest, KeepsTheOrderAndGivesAllBackOnClear) {
  BlockPool pool(4);
  BlockTable table;
  for (int i = 0; i < 2; ++i) {
    auto blocks = pool.Allocate(2);
    ASSERT_TRUE(blocks.ok());
    const BlockId last = blocks->back().id();
    table.Append(std::move(*blocks));
    EXPECT_EQ(table.ids().back(), last);
  }
  EXPECT_EQ(table.size(), 4);
  table.Clear();
  EXPECT_EQ(pool.free_count(), 4);
  EXPECT_EQ(table.size(), 0);
}

TEST(BlockTableTest, TruncateReturnsTheLastBlocksAndLeavesThoseThatAreShared) {
  BlockPool pool(4);
  BlockTable table, other;
  auto blocks = pool.Allocate(4);
  ASSERT_TRUE(blocks.ok());
  const BlockId first = blocks->front().id(), second = (*blocks)[1].id();
  table.Append(std::move(*blocks));
  other.Append(pool.Share(first));
  other.Append(pool.Share(second));
  table.Truncate(4);
  EXPECT_EQ(table.size(), 4);
  table.Truncate(1);
  EXPECT_EQ(table.ids(), std::vector<BlockId>{first});
  EXPECT_EQ(pool.free_count(), 2);
  EXPECT_EQ(pool.ref_counts()[static_cast<size_t>(first)], 2);
  EXPECT_EQ(pool.ref_counts()[static_cast<size_t>(second)], 1);
  auto again = pool.Allocate(1);
  ASSERT_TRUE(again.ok());
  table.Append(std::move(*again));
  EXPECT_EQ(table.size(), 2);
}

TEST(KvCacheTest, HeadsOfAllBlocksAndLayersLieApart) {
  for (const KvType type : {KvType::kF16, KvType::kInt8}) {
    const KvShape shape{.layers = 2, .kv_heads = 3, .head_dim = 8, .block_tokens = 4, .type = type};
    auto cache = KvCache::Create(shape, 5);
    ASSERT_TRUE(cache.ok());
    std::vector<const std::byte*> starts;
    for (int block = 0; block < 5; ++block) {
      for (int layer = 0; layer < 2; ++layer) {
        for (int head = 0; head < 3; ++head) {
          starts.push_back(cache->Keys(layer, BlockId{block}, head));
          starts.push_back(cache->Values(layer, BlockId{block}, head));
        }
      }
    }
    std::sort(starts.begin(), starts.end());
    const std::ptrdiff_t bytes = type == KvType::kF16 ? 4 * 8 * 2 : 4 * 4 + 4 * 8;
    for (size_t i = 1; i < starts.size(); ++i) EXPECT_EQ(starts[i] - starts[i - 1], bytes);
    EXPECT_EQ(shape.BlockBytes() * 5, starts.size() * static_cast<size_t>(bytes));
  }
}

TEST(KvCacheTest, CopyTakesAllOfOneBlockAndNothingElse) {
  const KvShape shape{.layers = 2, .kv_heads = 2, .head_dim = 4, .block_tokens = 2};
  auto cache = KvCache::Create(shape, 3);
  ASSERT_TRUE(cache.ok());
  const size_t size = shape.BlockBytes() / sizeof(Half);
  const auto at = [&](int block) {
    return reinterpret_cast<Half*>(cache->Keys(0, BlockId{block}, 0));
  };
  for (size_t i = 0; i < 3 * size; ++i) at(0)[i] = static_cast<Half>(i);
  cache->CopyBlock(BlockId{2}, BlockId{0});
  for (size_t i = 0; i < size; ++i) {
    EXPECT_EQ(at(0)[i], 2 * size + i);
    EXPECT_EQ(at(1)[i], size + i);
    EXPECT_EQ(at(2)[i], 2 * size + i);
  }
}

}  // namespace
}  // namespace emptor::engine
