// FNV-1a, the hash of short keys: the same on every machine and in every version.
#pragma once

#include <cstdint>
#include <string_view>

namespace emptor::catalog {

/// Offset bases and primes of Fowler, Noll, Vo: draft-eastlake-fnv-17, section 5.
inline constexpr uint64_t kFnv64Basis = 0xcbf29ce484222325u;
inline constexpr uint64_t kFnv64Prime = 0x100000001b3u;
inline constexpr uint32_t kFnv32Basis = 0x811c9dc5u;
inline constexpr uint32_t kFnv32Prime = 0x01000193u;

/// FNV-1a of `bytes`. With the hash of the bytes before them as `hash`, that of both together.
/// Recognises change and spreads keys; resists no attacker.
constexpr uint64_t Fnv1a64(std::string_view bytes, uint64_t hash = kFnv64Basis) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnv64Prime;
  return hash;
}
constexpr uint32_t Fnv1a32(std::string_view bytes, uint32_t hash = kFnv32Basis) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnv32Prime;
  return hash;
}

}  // namespace emptor::catalog
