// The roof is there on every instruction set; how high it is depends on the machine.
#include "engine/speed/roofline.h"

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(RooflineTest, MeasuresWhatEachInstructionSetHas) {
  for (const Isa isa : AvailableIsas()) {
    auto roofline = Roofline::Create({.threads = 2, .isa = isa, .buffer_bytes = 10'000});
    ASSERT_TRUE(roofline.ok()) << roofline.status();
    EXPECT_EQ(roofline->threads(), 2);
    EXPECT_EQ(roofline->buffer_bytes() % 512, 0u);
    EXPECT_GT(roofline->MeasureRead(0), 0);
    EXPECT_GT(roofline->MeasurePeak(Arithmetic::kInt8, 0), 0);
    EXPECT_GT(roofline->MeasurePeak(Arithmetic::kF32, 0), 0);
    EXPECT_EQ(roofline->MeasurePeak(Arithmetic::kBf16, 0) > 0, isa == Isa::kAvx512Bf16);
  }
}

TEST(PeakLoopTest, TheWorkGrowsWithTheIterations) {
  for (const Isa isa : AvailableIsas()) {
    for (const Arithmetic arithmetic : kAllArithmetic) {
      const PeakLoop loop = PeakLoopFor(isa, arithmetic);
      if (loop.run == nullptr) continue;
      // Sums of equal products: twice the iterations, twice the sum. None was left out.
      const float once = loop.run(100), twice = loop.run(200);
      EXPECT_NE(once, 0) << IsaName(isa) << ' ' << ArithmeticName(arithmetic);
      EXPECT_EQ(twice, 2 * once) << IsaName(isa) << ' ' << ArithmeticName(arithmetic);
      EXPECT_GT(loop.operations, 0);
    }
  }
}

}  // namespace
}  // namespace emptor::engine
