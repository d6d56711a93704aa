// Arrays across the bound from which on they lie on huge pages.
#include "retrieval/vector/huge_page_allocator.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace emptor::retrieval {
namespace {

using Bytes = std::vector<uint8_t, HugePageAllocator<uint8_t>>;

TEST(HugePageAllocatorTest, WhatGrowsAcrossTheBoundKeepsItsBytes) {
  Bytes bytes;
  for (size_t i = 0; i < (size_t{9} << 20); ++i) bytes.push_back(static_cast<uint8_t>(i * 31));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % (size_t{2} << 20), 0u);
  Bytes moved = std::move(bytes);
  const Bytes copy = moved;
  moved.resize(1000);
  moved.shrink_to_fit();  // small again
  for (size_t i = 0; i < copy.size(); i += 997) {
    ASSERT_EQ(copy[i], static_cast<uint8_t>(i * 31)) << i;
  }
  for (size_t i = 0; i < moved.size(); ++i) ASSERT_EQ(moved[i], copy[i]) << i;
}

TEST(HugePageAllocatorTest, RefusesWhatNoObjectCanBe) {
  HugePageAllocator<uint64_t> words;
  EXPECT_THROW(words.allocate(SIZE_MAX / 8), std::bad_alloc);
  EXPECT_THROW(words.allocate(SIZE_MAX / 4), std::bad_alloc);     // whose bytes wrap around
  EXPECT_THROW(words.allocate(PTRDIFF_MAX / 8), std::bad_alloc);  // whose whole pages do not fit
}

}  // namespace
}  // namespace emptor::retrieval
