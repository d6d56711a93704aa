// Page-aligned memory on mmap.
#include "engine/tensor/aligned_buffer.h"

#include <sys/mman.h>

#include <cassert>
#include <functional>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

AlignedBuffer::~AlignedBuffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

absl::StatusOr<AlignedBuffer> AlignedBuffer::Allocate(size_t bytes) {
  AlignedBuffer buffer;
  if (bytes == 0) return buffer;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(fmt::format("memory: {} bytes are not to be had", bytes));
  }
  if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  buffer.data_ = static_cast<std::byte*>(memory);
  buffer.size_ = bytes;
  return buffer;
}

void AlignedBuffer::Discard(std::span<const std::byte> bytes) {
  const std::less<const std::byte*> before;
  if (before(bytes.data(), data_) || !before(bytes.data(), data_ + size_)) return;
  const auto offset = static_cast<size_t>(bytes.data() - data_);
  assert(offset + bytes.size() <= size_);
  const size_t begin = (offset + kPage - 1) / kPage * kPage;
  const size_t end = (offset + bytes.size()) / kPage * kPage;
  if (begin < end) madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace emptor::engine
