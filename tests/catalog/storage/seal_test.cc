// The seal's bytes: they read back equal, and no damage of them reads as something else.
#include "catalog/storage/seal.h"

#include <gtest/gtest.h>

namespace emptor::catalog {
namespace {

const SealIdentity kIdentity = {.application = "catalog", .content_version = 3};

Seal MakeSeal(uint64_t sequence) {
  Seal seal;
  seal.sequence = sequence;
  seal.counts = {sequence * 2, 1, 0, 7};
  seal.digest.Add("key", std::to_string(sequence));
  return seal;
}

std::string MakeLog(uint64_t first, uint64_t last) {
  std::string bytes = EncodeSealHeader(kIdentity);
  for (uint64_t sequence = first; sequence <= last; ++sequence) {
    bytes += EncodeSealEntry(MakeSeal(sequence));
  }
  return bytes;
}

TEST(SetDigestTest, DoesNotDependOnOrderAndForgetsWhatIsRemoved) {
  SetDigest a, b, c;
  a.Add("k1", "v1");
  a.Add("k2", "v2");
  b.Add("k2", "v2");
  b.Add("k3", "v3");
  b.Add("k1", "v1");
  b.Remove("k3", "v3");
  EXPECT_EQ(a, b);
  c.Add("k1", "v2");
  c.Add("k2", "v1");
  EXPECT_FALSE(a == c);
  SetDigest joined, parted;
  joined.Add("ab", "c");
  parted.Add("a", "bc");
  EXPECT_FALSE(joined == parted);
}

TEST(SealTest, LogReadsBackItsLastEntry) {
  const auto log = DecodeSealLog(MakeLog(5, 9));
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_EQ(log->identity, kIdentity);
  EXPECT_EQ(log->last, MakeSeal(9));
  EXPECT_EQ(MakeSeal(9).records(), 26u);
}

TEST(SealTest, EveryCutGivesTheLastWholeEntryOrIsRefused) {
  const std::string bytes = MakeLog(5, 8);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto log = DecodeSealLog(std::string_view(bytes).substr(0, size));
    if (size < kSealHeaderBytes + kSealEntryBytes) {
      EXPECT_EQ(log.status().code(), absl::StatusCode::kDataLoss) << size;
    } else {
      ASSERT_TRUE(log.ok()) << size;
      EXPECT_EQ(log->last, MakeSeal(4 + (size - kSealHeaderBytes) / kSealEntryBytes)) << size;
    }
  }
}

TEST(SealTest, EveryFlippedBitIsRefusedOrCostsOnlyTheLastEntry) {
  const std::string bytes = MakeLog(5, 7);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto log = DecodeSealLog(damaged);
    if (bit / 8 >= bytes.size() - kSealEntryBytes) {
      ASSERT_TRUE(log.ok()) << bit;
      EXPECT_EQ(log->last, MakeSeal(6)) << bit;
    } else {
      EXPECT_FALSE(log.ok()) << bit;
    }
  }
}

TEST(SealTest, RefusesGapsAndRepetitions) {
  std::string gap = MakeLog(5, 6) + EncodeSealEntry(MakeSeal(8));
  EXPECT_EQ(DecodeSealLog(gap).status().code(), absl::StatusCode::kDataLoss);
  gap = MakeLog(5, 6) + EncodeSealEntry(MakeSeal(6));
  EXPECT_EQ(DecodeSealLog(gap).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::catalog
