// The product of a query with the signs of 32 rows at once: what BitCodes is made of.
// Tables in registers instead of arithmetic ("fast scan"): André, Kermarrec, Le Scouarnec, VLDB
// 2015.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

/// Rows that lie and are looked at together.
inline constexpr size_t kBlockRows = 32;
/// Signs that one look into a table takes, so a table has 16 entries.
inline constexpr size_t kGroupBits = 4;

/// What is asked of a block. `tables` is [groups][16], groups even: entry c of a group is the sum
/// of the query's four numbers there, each with the sign that its bit of c says, as a step of
/// 0..255; no sum of a step from each group exceeds 65535.
struct BitCodeQuery {
  const uint8_t* tables;
  size_t groups;
  float step;    // what a step is worth
  float offset;  // of a sum of no steps
  float least;
};

/// Bit i: whether (sum of row i * step + offset) * factors[i] >= least.
/// `codes` is [groups / 2][32]: of the pair p, byte i < 16 holds group 2p of row i in its low and
/// of row i + 16 in its high half, byte 16 + i group 2p + 1 of both. Variants agree to the last
/// bit.
using BitCodeBlockFunction = uint32_t (*)(const uint8_t* codes, const BitCodeQuery& query,
                                          const float* factors);

uint32_t BitCodeBlockReference(const uint8_t* codes, const BitCodeQuery& query,
                               const float* factors);
/// REQUIRES: the processor has AVX2.
uint32_t BitCodeBlockAvx2(const uint8_t* codes, const BitCodeQuery& query, const float* factors);

/// The fastest variant that this processor runs; looked up once.
BitCodeBlockFunction SelectBitCodeBlock();

}  // namespace emptor::retrieval
