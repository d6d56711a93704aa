// Memory that is given back.
#include "engine/tensor/aligned_buffer.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

constexpr size_t kPage = 4096;

TEST(AlignedBufferTest, DiscardsWholePagesAlone) {
  AlignedBuffer buffer = *AlignedBuffer::Allocate(6 * kPage);
  std::fill_n(buffer.data(), buffer.size(), std::byte{7});
  buffer.Discard(
      buffer.bytes().subspan(kPage / 2, 3 * kPage));  // pages 1 and 2 lie inside it whole
  for (size_t i = 0; i < buffer.size(); ++i) {
    const bool gone = i / kPage == 1 || i / kPage == 2;
    ASSERT_EQ(buffer.data()[i], gone ? std::byte{0} : std::byte{7}) << i;
  }
  buffer.Discard(buffer.bytes().subspan(kPage + 1, kPage));  // no whole page
  buffer.Discard({});
  EXPECT_EQ(buffer.data()[0], std::byte{7});
}

TEST(AlignedBufferTest, DiscardedBytesCanBeWrittenAgain) {
  AlignedBuffer buffer = *AlignedBuffer::Allocate(2 * kPage);
  buffer.Discard(buffer.bytes());
  buffer.data()[kPage] = std::byte{1};
  EXPECT_EQ(buffer.data()[kPage], std::byte{1});
}

TEST(AlignedBufferTest, LeavesWhatIsSomebodyElsesAlone) {
  AlignedBuffer buffer = *AlignedBuffer::Allocate(kPage), other = *AlignedBuffer::Allocate(kPage);
  other.data()[0] = std::byte{7};
  buffer.Discard(other.bytes());
  AlignedBuffer().Discard(other.bytes());
  EXPECT_EQ(other.data()[0], std::byte{7});
}

}  // namespace
}  // namespace emptor::engine
