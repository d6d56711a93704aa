// What becomes of floats that are stored and loaded again.
#include "engine/tensor/store.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

class StoreTest : public ::testing::TestWithParam<DType> {
 protected:
  static std::vector<float> ThereAndBack(const std::vector<float>& values) {
    const TensorView view{.type = GetParam(), .rows = 1, .cols = std::ssize(values)};
    std::vector<std::byte> stored(view.bytes());
    StoreInto(GetParam(), values, stored.data());
    std::vector<float> loaded(values.size());
    LoadInto(GetParam(), stored.data(), loaded);
    return loaded;
  }
};

INSTANTIATE_TEST_SUITE_P(Types, StoreTest, ::testing::ValuesIn(kWritableDTypes),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(StoreTest, ValuesAreOffByHalfAStepAtMost) {
  std::vector<float> values(2 * kSuperBlock);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i)) * (i < kSuperBlock ? 1.0f : 0.01f);
  }
  const std::vector<float> loaded = ThereAndBack(values);
  // Q4_0: the largest is 8 steps, and the range is cut a step short on the other side.
  const float steps = GetParam() == DType::kQ4_0 || GetParam() == DType::kQ4_K ? 7.0f : 30.0f;
  for (size_t i = 0; i < values.size(); ++i) {
    const float largest = i < kSuperBlock ? 1.0f : 0.01f;
    ASSERT_NEAR(loaded[i], values[i], largest / steps) << i;
  }
}

TEST_P(StoreTest, ANumberThatIsNoneSpoilsNoneOfItsBlock) {
  std::vector<float> values(kSuperBlock, -1.0f);
  values[5] = NAN;
  const std::vector<float> loaded = ThereAndBack(values);
  if (IsQuantized(GetParam())) {
    EXPECT_NEAR(loaded[5], 0, 1.01f) << "Q4_K: the minimum of its block";
  } else {
    EXPECT_TRUE(std::isnan(loaded[5]));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 5) {
      ASSERT_NEAR(loaded[i], -1, 0.01) << i;
    }
  }
}

}  // namespace
}  // namespace emptor::engine
