// The reference variant and the choice at run time.
#include "retrieval/vector/bit_code_block.h"

#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {

uint32_t BitCodeBlockReference(const uint8_t* codes, const BitCodeQuery& query,
                               const float* factors) {
  std::array<uint32_t, kBlockRows> sums{};
  for (size_t g = 0; g < query.groups; ++g) {
    const uint8_t* pair = codes + g / 2 * kBlockRows + g % 2 * (kBlockRows / 2);
    const uint8_t* table = query.tables + g * 16;
    for (size_t i = 0; i < kBlockRows / 2; ++i) {
      sums[i] += table[pair[i] & 15];
      sums[i + kBlockRows / 2] += table[pair[i] >> 4];
    }
  }
  uint32_t reached = 0;
  for (size_t i = 0; i < kBlockRows; ++i) {
    const float score = (static_cast<float>(sums[i]) * query.step + query.offset) * factors[i];
    reached |= static_cast<uint32_t>(score >= query.min_score) << i;
  }
  return reached;
}

BitCodeBlockFunction SelectBitCodeBlock() {
  static const BitCodeBlockFunction selected =
      HasInt8DotAvx2() ? BitCodeBlockAvx2 : BitCodeBlockReference;
  return selected;
}

}  // namespace emptor::retrieval
