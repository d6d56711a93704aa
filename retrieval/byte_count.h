// Estimated memory of containers, with that of their elements, for budgets.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace emptor::retrieval {

/// Heap bytes of a string, without the object itself; 0 for a short string.
inline size_t ByteCount(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

template <typename T, typename Allocator>
size_t ByteCount(const std::vector<T, Allocator>& values) {
  size_t bytes = values.capacity() * sizeof(T);
  if constexpr (!std::is_trivially_copyable_v<T>) {
    for (const T& value : values) bytes += ByteCount(value);
  }
  return bytes;
}

/// A node each, with its link and hash, and the table of buckets.
template <typename Key, typename Value>
size_t ByteCount(const std::unordered_map<Key, Value>& map) {
  size_t bytes = map.bucket_count() * sizeof(void*);
  for (const auto& entry : map) {
    bytes += sizeof entry + 2 * sizeof(void*);
    if constexpr (!std::is_trivially_copyable_v<Key>) bytes += ByteCount(entry.first);
  }
  return bytes;
}

}  // namespace emptor::retrieval
