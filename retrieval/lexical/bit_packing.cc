// Packing by vectors of four lanes. The vector type is a compiler extension: SSE2 on x86-64,
// NEON on ARM.
#include "retrieval/lexical/bit_packing.h"

#include <bit>
#include <cstring>
#include <utility>

namespace emptor::retrieval {
namespace {

static_assert(std::endian::native == std::endian::little);

using Lanes = uint32_t __attribute__((vector_size(16)));
constexpr size_t kLanes = 4;
constexpr unsigned kRows = kBlockSize / kLanes;  // numbers in a lane

Lanes Load(const void* from, size_t index) {
  Lanes lanes;
  std::memcpy(&lanes, static_cast<const uint8_t*>(from) + index * sizeof(Lanes), sizeof lanes);
  return lanes;
}

void Store(Lanes lanes, void* to, size_t index) {
  std::memcpy(static_cast<uint8_t*>(to) + index * sizeof(Lanes), &lanes, sizeof lanes);
}

/// Row kRow of a block packed with kBits.
template <unsigned kBits, unsigned kRow>
void UnpackRow(const uint8_t* in, NumberBlock& numbers) {
  constexpr unsigned kWord = kRow * kBits / 32;
  constexpr unsigned kShift = kRow * kBits % 32;
  Lanes row = Load(in, kWord) >> kShift;
  if constexpr (kShift + kBits > 32) row |= Load(in, kWord + 1) << (32 - kShift);
  if constexpr (kBits < 32) row &= (uint32_t{1} << kBits) - 1;
  Store(row, numbers.data(), kRow);
}

template <unsigned kBits>
void Unpack(const uint8_t* in, NumberBlock& numbers) {
  if constexpr (kBits == 0) {
    numbers.fill(0);
  } else {
    [&]<unsigned... kRow>(std::integer_sequence<unsigned, kRow...>) {
      (UnpackRow<kBits, kRow>(in, numbers), ...);
    }
    (std::make_integer_sequence<unsigned, kRows>());
  }
}

using UnpackFunction = void (*)(const uint8_t*, NumberBlock&);

template <unsigned... kBits>
constexpr std::array<UnpackFunction, sizeof...(kBits)> MakeUnpackTable(
    std::integer_sequence<unsigned, kBits...>) {
  return {Unpack<kBits>...};
}

constexpr auto kUnpack = MakeUnpackTable(std::make_integer_sequence<unsigned, 33>());

}  // namespace

unsigned BitsNeeded(const NumberBlock& numbers) {
  uint32_t any = 0;
  for (const uint32_t number : numbers) any |= number;
  return static_cast<unsigned>(std::bit_width(any));
}

void PackBlock(const NumberBlock& numbers, unsigned bits, uint8_t* out) {
  std::memset(out, 0, PackedBytes(bits));
  if (bits == 0) return;
  for (unsigned row = 0; row < kRows; ++row) {
    const Lanes lanes = Load(numbers.data(), row);
    const unsigned word = row * bits / 32;
    const unsigned shift = row * bits % 32;
    Store(Load(out, word) | lanes << shift, out, word);
    if (shift + bits > 32) Store(Load(out, word + 1) | lanes >> (32 - shift), out, word + 1);
  }
}

void UnpackBlock(const uint8_t* in, unsigned bits, NumberBlock& numbers) {
  kUnpack[bits](in, numbers);
}

void SumGaps(uint32_t before, NumberBlock& numbers) {
  Lanes carry = {before, before, before, before};
  for (unsigned row = 0; row < kRows; ++row) {
    Lanes lanes = Load(numbers.data(), row) + 1;
    const Lanes zero = {};
    lanes += __builtin_shufflevector(lanes, zero, 4, 0, 1, 2);
    lanes += __builtin_shufflevector(lanes, zero, 4, 4, 0, 1);
    lanes += carry;
    Store(lanes, numbers.data(), row);
    carry = __builtin_shufflevector(lanes, lanes, 3, 3, 3, 3);
  }
}

}  // namespace emptor::retrieval
