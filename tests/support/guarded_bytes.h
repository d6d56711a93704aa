// Memory that shows reads and writes behind its end, also without a sanitizer.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

#include "gtest/gtest.h"

namespace emptor::testing {

/// Zeroed bytes with a page behind them that kills who touches it.
class GuardedBytes {
 public:
  explicit GuardedBytes(size_t size) : room_((size + kPage - 1) / kPage * kPage) {
    void* memory =
        mmap(nullptr, room_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    begin_ = static_cast<std::byte*>(memory);
    EXPECT_EQ(mprotect(begin_ + room_, kPage, PROT_NONE), 0);
    data_ = begin_ + room_ - size;
  }
  GuardedBytes(GuardedBytes&& other) noexcept
      : room_(other.room_), begin_(std::exchange(other.begin_, nullptr)), data_(other.data_) {}
  ~GuardedBytes() {
    if (begin_ != nullptr) munmap(begin_, room_ + kPage);
  }
  std::byte* data() const { return data_; }

 private:
  static constexpr size_t kPage = 4096;
  size_t room_;
  std::byte* begin_;
  std::byte* data_;
};

}  // namespace emptor::testing
