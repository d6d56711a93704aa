// The reference and the choice at run time.
#include "retrieval/vector/sign_block.h"

#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {

uint32_t SignBlockReference(const uint8_t* codes, const SignQuestion& question,
                            const float* factors) {
  std::array<uint32_t, kSignRows> sums{};
  for (size_t g = 0; g < question.groups; ++g) {
    const uint8_t* pair = codes + g / 2 * kSignRows + g % 2 * (kSignRows / 2);
    const uint8_t* table = question.tables + g * 16;
    for (size_t i = 0; i < kSignRows / 2; ++i) {
      sums[i] += table[pair[i] & 15];
      sums[i + kSignRows / 2] += table[pair[i] >> 4];
    }
  }
  uint32_t reached = 0;
  for (size_t i = 0; i < kSignRows; ++i) {
    const float score =
        (static_cast<float>(sums[i]) * question.step + question.offset) * factors[i];
    reached |= static_cast<uint32_t>(score >= question.least) << i;
  }
  return reached;
}

SignBlockFunction SelectSignBlock() {
  static const SignBlockFunction selected = HasInt8DotAvx2() ? SignBlockAvx2 : SignBlockReference;
  return selected;
}

}  // namespace emptor::retrieval
