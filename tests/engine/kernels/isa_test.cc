// Names and order of the instruction sets.
#include "engine/kernels/isa.h"

#include "engine/kernels/kernels.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(IsaTest, IsFoundByItsName) {
  for (const Isa isa : kAllIsas) EXPECT_EQ(FindIsa(IsaName(isa)), isa);
  EXPECT_EQ(FindIsa(""), std::nullopt);
  EXPECT_EQ(FindIsa("avx513"), std::nullopt);
}

TEST(IsaTest, TheBestComesWithAllBelowIt) {
  const std::vector<Isa> available = AvailableIsas();
  ASSERT_FALSE(available.empty());
  EXPECT_EQ(available.front(), Isa::kReference);
  EXPECT_EQ(available.back(), DetectIsa());
  for (const Isa isa : kAllIsas) EXPECT_EQ(HasIsa(isa), isa <= DetectIsa());
}

TEST(IsaTest, EveryTableIsWhole) {
  for (const Isa isa : kAllIsas) {
    const Kernels& kernels = KernelsFor(isa);
    EXPECT_EQ(kernels.isa, isa);
    EXPECT_TRUE(kernels.matmul && kernels.quantize && kernels.offset_terms && kernels.rms_norm &&
                kernels.silu_multiply && kernels.add && kernels.rope && kernels.rope_neox &&
                kernels.to_half && kernels.to_bf16 && kernels.dequantize && kernels.attention &&
                kernels.sum_words)
        << IsaName(isa);
  }
}

}  // namespace
}  // namespace emptor::engine
