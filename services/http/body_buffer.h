// The bytes of a request body as they arrive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::services {

/// Grows by further blocks and never copies what it holds: bodies that arrive at once leave no
/// outgrown copies behind in the heap, which took twice their bytes. Thread-safety: none.
class BodyBuffer {
 public:
  /// `expected`: bytes that are to come, as far as that is known; 0: unknown. Nothing is allocated
  /// before bytes come.
  explicit BodyBuffer(size_t expected = 0) : expected_(expected) {}

  void Append(std::string_view bytes) {
    while (!bytes.empty()) {
      if (blocks_.empty() || blocks_.back().used == blocks_.back().size) AddBlock();
      Block& block = blocks_.back();
      const size_t taken = std::min(bytes.size(), block.size - block.used);
      std::copy_n(bytes.data(), taken, block.bytes.get() + block.used);
      block.used += taken;
      size_ += taken;
      bytes.remove_prefix(taken);
    }
  }
  size_t size() const { return size_; }
  /// Bytes of memory.
  size_t capacity() const { return capacity_; }
  /// All bytes; each block is freed when it was copied. Empty afterwards.
  std::string Take() {
    std::string all;
    all.reserve(size_);
    for (Block& block : blocks_) {
      all.append(block.bytes.get(), block.used);
      block.bytes.reset();
    }
    *this = BodyBuffer();
    return all;
  }

 private:
  static constexpr size_t kFirst = 16 * 1024, kLargest = 1024 * 1024;
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size = 0, used = 0;
  };
  /// As large as all before it, within the bounds, and no larger than what is to come.
  void AddBlock() {
    size_t size = std::clamp(size_, kFirst, kLargest);
    if (expected_ > size_) size = std::min(size, expected_ - size_);
    blocks_.push_back({std::unique_ptr<char[]>(new char[size]), size, 0});
    capacity_ += size;
  }

  size_t expected_;
  std::vector<Block> blocks_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace emptor::services
