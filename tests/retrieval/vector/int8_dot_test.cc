// Every variant of the integer product against the reference, to the last bit.
#include "retrieval/vector/int8_dot.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace emptor::retrieval {
namespace {

std::vector<std::pair<const char*, Int8DotFunction>> Variants() {
  std::vector<std::pair<const char*, Int8DotFunction>> variants = {{"selected", SelectInt8Dot()}};
  if (HasInt8DotAvx2()) variants.emplace_back("avx2", Int8DotAvx2);
  if (HasInt8DotAvx512Vnni()) variants.emplace_back("avx512 vnni", Int8DotAvx512Vnni);
  return variants;
}

TEST(Int8DotTest, VariantsAgreeWithTheReferenceAtEveryLength) {
  std::mt19937 random(1);
  constexpr size_t kRows = 5;
  for (size_t n = 1; n < 300; ++n) {
    std::vector<uint8_t> rows(kRows * n + 1);  // one more: unaligned starts
    std::vector<int8_t> query(n + 1);
    for (uint8_t& code : rows) code = static_cast<uint8_t>(random());
    for (int8_t& code : query) code = static_cast<int8_t>(random());
    std::vector<int32_t> want(kRows), got(kRows);
    Int8DotReference(rows.data() + 1, kRows, query.data() + 1, n, want.data());
    for (const auto& [name, dot] : Variants()) {
      dot(rows.data() + 1, kRows, query.data() + 1, n, got.data());
      EXPECT_EQ(got, want) << name << ", n " << n;
    }
  }
}

// Where a saturating instruction would lose something.
TEST(Int8DotTest, ExtremesDoNotSaturate) {
  for (const size_t n : {size_t{16}, size_t{64}, size_t{1024}, size_t{4096}}) {
    for (const int8_t extreme : {int8_t{-128}, int8_t{127}}) {
      const std::vector<uint8_t> row(n, 255);
      const std::vector<int8_t> query(n, extreme);
      const auto want = static_cast<int32_t>(n) * 255 * extreme;
      int32_t got = 0;
      Int8DotReference(row.data(), 1, query.data(), n, &got);
      EXPECT_EQ(got, want);
      for (const auto& [name, dot] : Variants()) {
        dot(row.data(), 1, query.data(), n, &got);
        EXPECT_EQ(got, want) << name << ", n " << n;
      }
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
