// Packing and unpacking at every width.
#include "retrieval/lexical/bit_packing.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace emptor::retrieval {
namespace {

TEST(BitPackingTest, GivesBackEveryWidth) {
  std::mt19937 random(1);
  for (unsigned bits = 0; bits <= 32; ++bits) {
    NumberBlock numbers;
    for (uint32_t& number : numbers) {
      number = bits == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bits);
    }
    if (bits > 0) numbers[77] = UINT32_MAX >> (32 - bits);
    ASSERT_EQ(BitsNeeded(numbers), bits);
    std::vector<uint8_t> bytes(PackedBytes(bits) + 2, 0xA5);
    PackBlock(numbers, bits, bytes.data() + 1);  // alignment does not matter
    EXPECT_EQ(bytes.front(), 0xA5);
    EXPECT_EQ(bytes.back(), 0xA5);
    NumberBlock back;
    UnpackBlock(bytes.data() + 1, bits, back);
    EXPECT_EQ(back, numbers) << bits << " bits";
  }
}

TEST(BitPackingTest, PlacesLanesSideBySide) {
  NumberBlock numbers = {};
  numbers[5] = 3;  // lane 1, second row
  std::vector<uint8_t> bytes(PackedBytes(2));
  PackBlock(numbers, 2, bytes.data());
  EXPECT_EQ(bytes[4], 3 << 2);
}

TEST(BitPackingTest, SumsGapsFromTheRecordBefore) {
  NumberBlock numbers = {};
  numbers[2] = 10;
  SumGaps(UINT32_MAX, numbers);
  EXPECT_EQ(numbers[0], 0u);
  EXPECT_EQ(numbers[1], 1u);
  EXPECT_EQ(numbers[2], 12u);
  EXPECT_EQ(numbers[127], 137u);
}

}  // namespace
}  // namespace emptor::retrieval
