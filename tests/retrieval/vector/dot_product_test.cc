// The fast inner product against the reference, at every length around the block sizes.
#include "retrieval/vector/dot_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace emptor::retrieval {
namespace {

TEST(DotProductTest, SelectedAgreesWithReferenceWithinItsBound) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (size_t n = 0; n < 200; ++n) {
    std::vector<float> a(n + 1), b(n + 1);  // one more: unaligned starts
    double magnitude = 0;
    for (size_t i = 0; i <= n; ++i) {
      a[i] = normal(random);
      b[i] = normal(random);
    }
    for (size_t i = 1; i <= n; ++i) magnitude += std::abs(double{a[i]} * b[i]);
    const double bound = static_cast<double>(n) * std::numeric_limits<float>::epsilon() * magnitude;
    EXPECT_NEAR(SelectDotProduct()(a.data() + 1, b.data() + 1, n),
                DotProductReference(a.data() + 1, b.data() + 1, n), bound)
        << "n " << n;
  }
}

}  // namespace
}  // namespace emptor::retrieval
