// Blocks found again by their tokens: sharing, salts, eviction, and a comparison with a plain list.
#include "engine/kv/prefix_cache.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

constexpr int kSize = 4;  // tokens in a block

std::vector<int32_t> Count(int n, int first = 0) {
  std::vector<int32_t> tokens(static_cast<size_t>(n));
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

class PrefixCacheTest : public ::testing::Test {
 protected:
  /// Computes what is missing of a prompt, as a sequence does; gives its table.
  BlockTable Compute(const std::vector<int32_t>& tokens, const std::string& salt = "") {
    std::vector<CachedBlock> match;
    const int blocks = static_cast<int>(tokens.size()) / kSize;
    cache_.MatchInto(salt, tokens, blocks, match);
    BlockTable table;
    PrefixId chain = PrefixId::kEmpty;
    for (const CachedBlock& cached : match) {
      table.Append(pool_.Share(cached.block));
      chain = cached.prefix;
    }
    for (int i = table.size(); i < blocks; ++i) {
      auto taken = pool_.Allocate(1);
      EXPECT_TRUE(taken.ok());
      table.Append(std::move(*taken));
      const auto part = std::span(tokens).subspan(static_cast<size_t>(i * kSize), kSize);
      chain = cache_.Insert(chain, salt, part, table.ids().back()).prefix;
    }
    return table;
  }
  std::vector<BlockId> Find(const std::vector<int32_t>& tokens, const std::string& salt = "",
                            int most = 100) {
    std::vector<CachedBlock> match;
    cache_.MatchInto(salt, tokens, most, match);
    std::vector<BlockId> ids;
    for (const CachedBlock& cached : match) ids.push_back(cached.block);
    return ids;
  }

  BlockPool pool_{8};
  PrefixCache cache_{pool_, kSize};
};

TEST_F(PrefixCacheTest, FindsFullBlocksWhileTheyAreInUseAndAfter) {
  const std::vector<int32_t> tokens = Count(11);
  EXPECT_TRUE(Find(tokens).empty());
  std::vector<BlockId> ids;
  {
    const BlockTable table = Compute(tokens);
    ids = table.ids();
    EXPECT_EQ(ids.size(), 2u);  // the last 3 tokens fill no block
    EXPECT_EQ(Find(tokens), ids);
  }
  EXPECT_EQ(pool_.free_count(), 8);
  EXPECT_EQ(Find(tokens), ids);
  EXPECT_EQ(Find(tokens, "", 1), std::vector<BlockId>{ids[0]});
  EXPECT_EQ(Find(Count(7)), std::vector<BlockId>{ids[0]});
}

TEST_F(PrefixCacheTest, TokensBehindThePromptAreNotLookedAt) {
  const std::vector<int32_t> tokens = Count(8);
  const BlockTable table = Compute(tokens);
  std::vector<CachedBlock> match;
  cache_.MatchInto("", std::span(tokens).first(7), 100, match);
  ASSERT_EQ(match.size(), 1u);
  EXPECT_EQ(match[0].block, table.ids()[0]);
}

TEST_F(PrefixCacheTest, ABlockIsFoundOnlyAfterTheSameBeginning) {
  Compute(Count(8));
  std::vector<int32_t> other = Count(8);
  other[0] = 77;
  EXPECT_TRUE(Find(other).empty());
  EXPECT_TRUE(Find(Count(4, 4)).empty());
}

TEST_F(PrefixCacheTest, SaltsNeverMeet) {
  Compute(Count(8), "a");
  EXPECT_TRUE(Find(Count(8)).empty());
  EXPECT_TRUE(Find(Count(8), "b").empty());
  EXPECT_EQ(Find(Count(8), "a").size(), 2u);
}

TEST_F(PrefixCacheTest, TheSameContentIsKeptOnce) {
  BlockTable first = Compute(Count(4));
  auto twice = pool_.Allocate(1);
  ASSERT_TRUE(twice.ok());
  const CachedBlock kept = cache_.Insert(PrefixId::kEmpty, "", Count(4), twice->front().id());
  EXPECT_EQ(kept.block, first.ids()[0]);
  twice->clear();
  first.Clear();
  EXPECT_EQ(cache_.size(), 1);
  EXPECT_EQ(pool_.free_count(), 8);
}

TEST_F(PrefixCacheTest, TheLeastRecentlyUsedGoesFirstAndEndsBeforeBeginnings) {
  Compute(Count(12));       // 3 blocks
  Compute(Count(12, 100));  // 3 more
  Find(Count(12));          // looking is not using
  {
    const BlockTable again = Compute(Count(4));  // uses the first block of the first chain
  }
  auto taken = pool_.Allocate(4);  // 2 blocks keep nothing, and 2 of the first chain's end
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(Find(Count(12)).size(), 1u);
  EXPECT_EQ(Find(Count(12, 100)).size(), 3u);
  auto more = pool_.Allocate(2);
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(Find(Count(12, 100)).size(), 1u);
  EXPECT_EQ(Find(Count(12)).size(), 1u);
}

TEST_F(PrefixCacheTest, HeldBlocksAreNeverTaken) {
  const BlockTable held = Compute(Count(16));
  Compute(Count(16, 100));
  auto taken = pool_.Allocate(4);
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(pool_.free_count(), 0);
  EXPECT_FALSE(pool_.Allocate(1).ok());
  EXPECT_EQ(Find(Count(16)), held.ids());
  EXPECT_TRUE(Find(Count(16, 100)).empty());
}

TEST_F(PrefixCacheTest, AnOldMatchIsCutWhereItWasEvictedAndGrowsAgain) {
  Compute(Count(12));
  std::vector<CachedBlock> match;
  cache_.MatchInto("", Count(12), 100, match);
  ASSERT_EQ(match.size(), 3u);
  {
    auto taken = pool_.Allocate(7);
    ASSERT_TRUE(taken.ok());
    cache_.MatchInto("", Count(12), 100, match);
    EXPECT_EQ(match.size(), 1u);
  }
  Compute(Count(12));
  cache_.MatchInto("", Count(12), 100, match);
  EXPECT_EQ(match.size(), 3u);
  cache_.MatchInto("", Count(12), 2, match);
  EXPECT_EQ(match.size(), 2u);
}

/// Random prompts over a tiny alphabet against a map from content to block: what is found is always
/// right, and what is in use is always found.
TEST(PrefixCachePropertyTest, FindsWhatAPlainMapFinds) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    BlockPool pool(30);
    PrefixCache cache(pool, 2);
    std::map<std::vector<int32_t>, BlockId> content;  // salt, tokens of the chain: block
    std::vector<BlockTable> tables;
    for (int round = 0; round < 200; ++round) {
      if (tables.size() > 4) tables.erase(tables.begin() + static_cast<int>(random() % 5));
      std::vector<int32_t> tokens(random() % 11);
      for (int32_t& token : tokens) token = static_cast<int32_t>(random() % 2);
      const std::string salt(random() % 2, 's');
      std::vector<int32_t> chain(1, static_cast<int32_t>(salt.size()));
      std::vector<CachedBlock> match;
      cache.MatchInto(salt, tokens, 100, match);
      BlockTable table;
      PrefixId prefix = PrefixId::kEmpty;
      for (const CachedBlock& cached : match) table.Append(pool.Share(cached.block));
      for (int i = 0; i < static_cast<int>(tokens.size()) / 2; ++i) {
        const auto part = std::span(tokens).subspan(static_cast<size_t>(i) * 2, 2);
        chain.insert(chain.end(), part.begin(), part.end());
        if (i < std::ssize(match)) {
          prefix = match[static_cast<size_t>(i)].prefix;
          ASSERT_EQ(content.at(chain), table.ids()[static_cast<size_t>(i)]);
          continue;
        }
        const auto known = content.find(chain);
        if (known != content.end()) {
          ASSERT_EQ(pool.ref_counts()[static_cast<size_t>(known->second)], 0);
        }
        auto taken = pool.Allocate(1);
        ASSERT_TRUE(taken.ok());
        const BlockId id = taken->front().id();
        std::erase_if(content, [id](const auto& item) { return item.second == id; });
        table.Append(std::move(*taken));
        const CachedBlock kept = cache.Insert(prefix, salt, part, id);
        ASSERT_EQ(kept.block, id);
        prefix = kept.prefix;
        content[chain] = id;
      }
      tables.push_back(std::move(table));
    }
    tables.clear();
    EXPECT_EQ(pool.free_count(), 30);
  }
}

}  // namespace
}  // namespace emptor::engine
