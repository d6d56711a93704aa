// Bit packing: blocks of 128 numbers, each in as many bits as the greatest needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

inline constexpr size_t kBlockSize = 128;
using NumberBlock = std::array<uint32_t, kBlockSize>;

constexpr size_t PackedBytes(unsigned bits) { return kBlockSize / 8 * bits; }

/// The bits that the greatest number of the block needs, 0 to 32.
unsigned BitsNeeded(const NumberBlock& numbers);

/// Four lanes side by side: number i goes to lane i % 4, and each lane packs its 32 numbers into
/// `bits` words, low bits first. Word w of lane l lies at byte 16 w + 4 l, little-endian: one
/// vector instruction works on all lanes. Lemire, Boytsov 2015, "Decoding billions of integers per
/// second through vectorization", arXiv:1209.2137 (SIMD-BP128). Writes PackedBytes(bits) to `out`.
void PackBlock(const NumberBlock& numbers, unsigned bits, uint8_t* out);

/// The inverse. `in` needs no alignment. REQUIRES: bits <= 32.
void UnpackBlock(const uint8_t* in, unsigned bits, NumberBlock& numbers);

/// numbers[i] = before + sum of (numbers[0..i] + 1): gaps less one become positions. Wraps.
void SumGaps(uint32_t before, NumberBlock& numbers);

}  // namespace emptor::retrieval
