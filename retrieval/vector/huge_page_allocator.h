// Memory of large arrays that are read here and there: on huge pages, where the system has them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace emptor::retrieval {

/// An allocator for std::vector. A walk through a quarter of a gigabyte touches more pages of 4 kB
/// than a processor remembers; scans are a quarter faster for it. Small arrays are as usual.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename U>
  HugePageAllocator(const HugePageAllocator<U>&) {}  // NOLINT: what allocators are

  T* allocate(size_t count) {
    if (count > kLargest / sizeof(T)) throw std::bad_array_new_length();
    const size_t bytes = count * sizeof(T);
    if (bytes < kFrom) return static_cast<T*>(::operator new(bytes));
    const size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = std::aligned_alloc(kHugePage, whole);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, whole, MADV_HUGEPAGE);  // where it is refused, pages are small
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) {
    if (count * sizeof(T) < kFrom) return ::operator delete(memory);
    std::free(memory);
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr size_t kHugePage = size_t{2} << 20;
  static constexpr size_t kFrom = 2 * kHugePage;
  static constexpr size_t kLargest =
      PTRDIFF_MAX - kHugePage;  // whole pages of it are still an object's size
};

}  // namespace emptor::retrieval
