// Groups and their members, and the bytes that hold them.
#include "retrieval/segment/item_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

ItemGroups FiveRecords() {
  ItemGroups groups;
  for (const char* id : {"hubs", "", "cables", "hubs", ""}) groups.Add(HashItemGroup(id));
  groups.Seal();
  return groups;
}

void ExpectFiveRecords(const ItemGroups& groups) {
  ASSERT_EQ(groups.record_count(), 5u);
  EXPECT_EQ(groups.group(1), 0u);
  EXPECT_EQ(groups.group(2), HashItemGroup("cables"));
  EXPECT_THAT(groups.members(HashItemGroup("hubs")), ElementsAre(0u, 3u));
  EXPECT_THAT(groups.members(HashItemGroup("cables")), ElementsAre(2u));
  EXPECT_THAT(groups.members(HashItemGroup("plugs")), IsEmpty());
}

TEST(ItemGroupsTest, NamesTheMembersOfAGroupInOrder) { ExpectFiveRecords(FiveRecords()); }

TEST(ItemGroupsTest, DecodesWhatItEncodes) {
  const std::string bytes = FiveRecords().Encode();
  const auto decoded = ItemGroups::Decode(BytesOf(bytes));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ExpectFiveRecords(*decoded);
}

TEST(ItemGroupsTest, RefusesBytesThatAreNoWholeGroups) {
  const std::string bytes = FiveRecords().Encode();
  for (const size_t size : {size_t{1}, bytes.size() - 1}) {
    EXPECT_EQ(ItemGroups::Decode(BytesOf(bytes.substr(0, size))).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
}

}  // namespace
}  // namespace emptor::retrieval
