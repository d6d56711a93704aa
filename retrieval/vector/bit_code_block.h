// Estimates the scores of 32 rows at once from their 1-bit codes.
// The sums are looked up in registers ("fast scan": André, Kermarrec, Le Scouarnec, VLDB 2015).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

/// Rows of a block: their codes are interleaved in memory and read together.
inline constexpr size_t kBlockRows = 32;
/// Bits that one table look-up takes, so a table has 16 entries.
inline constexpr size_t kGroupBits = 4;

/// A query as a block reads it. `tables` is [groups][16], groups even: entry c of a group is the
/// sum of the query's four values there, each with the sign that its bit of c gives, quantised to
/// 0..255 steps. One step from each group adds up to 65535 at most.
struct BitCodeQuery {
  const uint8_t* tables;
  size_t groups;
  float step;    // value of one step
  float offset;  // value of a sum of zero steps
  float min_score;
};

/// Bit i: whether (sum of row i * step + offset) * factors[i] >= min_score.
/// `codes` is [groups / 2][32]. Of pair p, byte i < 16 holds group 2p of row i in its low half and
/// of row i + 16 in its high half; byte 16 + i holds group 2p + 1 of both.
/// All variants return the same bits.
using BitCodeBlockFunction = uint32_t (*)(const uint8_t* codes, const BitCodeQuery& query,
                                          const float* factors);

uint32_t BitCodeBlockReference(const uint8_t* codes, const BitCodeQuery& query,
                               const float* factors);
/// REQUIRES: the processor has AVX2.
uint32_t BitCodeBlockAvx2(const uint8_t* codes, const BitCodeQuery& query, const float* factors);

/// The fastest variant for this processor, chosen once.
BitCodeBlockFunction SelectBitCodeBlock();

}  // namespace emptor::retrieval
