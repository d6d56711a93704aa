// Page-aligned memory for weights, KV blocks and scratch.
#pragma once

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// Zeroed anonymous memory, advised for huge pages; pages that are never touched cost nothing.
/// Movable, not copyable. Thread-safety: that of a plain array.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  ~AlignedBuffer();
  AlignedBuffer(AlignedBuffer&& other) noexcept;
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept;
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;

  /// Errors: kResourceExhausted when the system refuses. Zero bytes give an empty buffer.
  static absl::StatusOr<AlignedBuffer> Allocate(size_t bytes);

  /// Returns the whole pages among these bytes to the system; they read as zeros from then on. Does
  /// nothing to bytes that begin outside of the buffer.
  void Discard(std::span<const std::byte> bytes);

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace emptor::engine
