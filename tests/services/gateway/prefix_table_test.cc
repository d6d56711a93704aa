// Blocks of prompts, and who holds them.
#include "services/gateway/balancing/prefix_table.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

TEST(PromptBlocksTest, EqualNamesAreEqualPrefixes) {
  const std::string system(100, 's');
  const auto a = PromptBlocks(system + std::string(100, 'a'), 50, 100);
  const auto b = PromptBlocks(system + std::string(120, 'b'), 50, 100);
  ASSERT_EQ(a.size(), 4u);
  ASSERT_EQ(b.size(), 4u);  // 20 bytes at the end have no name
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
  EXPECT_NE(a[2], b[2]);
  EXPECT_NE(a[0], a[1]);  // the same bytes elsewhere are another prefix
  EXPECT_NE(a[3], b[3]);
  EXPECT_EQ(PromptBlocks(system, 50, 1).size(), 1u);
  EXPECT_TRUE(PromptBlocks("short", 50, 100).empty());
}

TEST(PrefixTableTest, CountsTheBlocksAtTheBeginning) {
  PrefixTable table(2, 100);
  const std::vector<uint64_t> first = {1, 2, 3}, longer = {1, 2, 3, 4}, other = {9, 2, 3};
  table.Add(0, first);
  EXPECT_EQ(table.Match(0, longer), 3u);
  EXPECT_EQ(table.Match(0, other), 0u);
  EXPECT_EQ(table.Match(1, first), 0u);
  table.Forget(0);
  EXPECT_EQ(table.Match(0, first), 0u);
}

TEST(PrefixTableTest, ForgetsWhatWasUsedLongAgoAndEndsBeforeBeginnings) {
  PrefixTable table(1, 4);
  const std::vector<uint64_t> a = {1, 2, 3}, b = {4, 5};
  table.Add(0, a);
  table.Add(0, b);
  EXPECT_EQ(table.Match(0, a), 2u);
  EXPECT_EQ(table.Match(0, b), 2u);
}

}  // namespace
}  // namespace emptor::services
