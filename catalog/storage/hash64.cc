// Four lanes of eight bytes, then the tail, then the avalanche.
#include "catalog/storage/hash64.h"

#include <bit>
#include <cstring>

namespace emptor::catalog {
namespace {

static_assert(std::endian::native == std::endian::little, "lanes are read in memory order");

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5u;

template <typename Word>
uint64_t Load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

uint64_t Round(uint64_t accumulator, uint64_t lane) {
  return std::rotl(accumulator + lane * kPrime2, 31) * kPrime1;
}

uint64_t Merge(uint64_t hash, uint64_t accumulator) {
  return (hash ^ Round(0, accumulator)) * kPrime1 + kPrime4;
}

// Consumes whole stripes of 32 bytes off the front of `bytes`.
uint64_t HashStripes(std::string_view& bytes, uint64_t seed) {
  uint64_t a = seed + kPrime1 + kPrime2;
  uint64_t b = seed + kPrime2;
  uint64_t c = seed;
  uint64_t d = seed - kPrime1;
  while (bytes.size() >= 32) {
    a = Round(a, Load<uint64_t>(bytes.data()));
    b = Round(b, Load<uint64_t>(bytes.data() + 8));
    c = Round(c, Load<uint64_t>(bytes.data() + 16));
    d = Round(d, Load<uint64_t>(bytes.data() + 24));
    bytes.remove_prefix(32);
  }
  const uint64_t hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
  return Merge(Merge(Merge(Merge(hash, a), b), c), d);
}

}  // namespace

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  const uint64_t length = bytes.size();
  uint64_t hash = (length >= 32 ? HashStripes(bytes, seed) : seed + kPrime5) + length;
  while (bytes.size() >= 8) {
    hash = std::rotl(hash ^ Round(0, Load<uint64_t>(bytes.data())), 27) * kPrime1 + kPrime4;
    bytes.remove_prefix(8);
  }
  if (bytes.size() >= 4) {
    hash = std::rotl(hash ^ (Load<uint32_t>(bytes.data()) * kPrime1), 23) * kPrime2 + kPrime3;
    bytes.remove_prefix(4);
  }
  for (char byte : bytes) {
    hash = std::rotl(hash ^ (static_cast<unsigned char>(byte) * kPrime5), 11) * kPrime1;
  }
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace emptor::catalog
