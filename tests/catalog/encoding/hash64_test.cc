// XXH64 against published values and against zstd, which seals its frames with it.
#include "catalog/encoding/hash64.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace emptor::catalog {
namespace {

// The low 32 bits of XXH64, as zstd writes them at the end of a frame.
uint32_t ZstdContentChecksum(const std::string& content) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(content.size()) + 8, '\0');
  const size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
  EXPECT_EQ(ZSTD_isError(size), 0u);
  uint32_t checksum = 0;
  std::memcpy(&checksum, frame.data() + size - sizeof(checksum), sizeof(checksum));
  return checksum;
}

TEST(Hash64Test, GivesThePublishedValues) {
  EXPECT_EQ(Hash64(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(Hash64("abc"), 0x44BC2CF5AD770999u);
}

TEST(Hash64Test, AgreesWithZstdOnEveryLength) {
  std::mt19937 random(5);
  std::string content;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(static_cast<uint32_t>(Hash64(content)), ZstdContentChecksum(content)) << length;
    content += static_cast<char>(random());
  }
}

TEST(Hash64Test, SeedChangesTheHash) { EXPECT_NE(Hash64("abc", 1), Hash64("abc", 2)); }

}  // namespace
}  // namespace emptor::catalog
