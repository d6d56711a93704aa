// The contract of the embedder port, held by the stand-in.
#include "retrieval/embedding/hashing_embedder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

TEST(HashingEmbedderTest, GivesUnitVectorsThatAgreeOnEqualWords) {
  const HashingEmbedder embedder(32);
  const std::vector<std::string> texts = {"Red Kettle", "red kettle!", "blue toaster", "", " - "};
  std::vector<float> out(texts.size() * 32, 9.0f);
  ASSERT_TRUE(embedder.EmbedInto(texts, out).ok());
  const auto similarity = [&](size_t i, size_t j) {
    return testing::InnerProduct({&out[i * 32], 32}, {&out[j * 32], 32});
  };
  EXPECT_NEAR(similarity(0, 0), 1, 1e-5);
  EXPECT_NEAR(similarity(0, 1), 1, 1e-5);
  EXPECT_LT(similarity(0, 2), 0.7);
  EXPECT_EQ(similarity(3, 3), 0);
  EXPECT_EQ(similarity(4, 4), 0);
}

TEST(HashingEmbedderTest, RefusesAnOutputOfTheWrongSize) {
  const HashingEmbedder embedder(32);
  const std::vector<std::string> texts = {"a", "b"};
  std::vector<float> out(32);
  EXPECT_TRUE(absl::IsInvalidArgument(embedder.EmbedInto(texts, out)));
}

}  // namespace
}  // namespace emptor::retrieval
