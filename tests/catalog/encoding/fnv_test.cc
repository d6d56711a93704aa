// FNV-1a against the vectors of its authors: stored values depend on it.
#include "catalog/encoding/fnv.h"

#include <gtest/gtest.h>

namespace emptor::catalog {
namespace {

// draft-eastlake-fnv-17, appendix C.
static_assert(Fnv1a64("") == 0xcbf29ce484222325u);
static_assert(Fnv1a64("a") == 0xaf63dc4c8601ec8cu);
static_assert(Fnv1a64("foobar") == 0x85944171f73967e8u);
static_assert(Fnv1a32("") == 0x811c9dc5u);
static_assert(Fnv1a32("a") == 0xe40c292cu);
static_assert(Fnv1a32("foobar") == 0xbf9cf968u);

TEST(FnvTest, HashesTextInParts) {
  EXPECT_EQ(Fnv1a64("bar", Fnv1a64("foo")), Fnv1a64("foobar"));
  EXPECT_EQ(Fnv1a32("bar", Fnv1a32("foo")), Fnv1a32("foobar"));
}

TEST(FnvTest, BytesAreUnsigned) { EXPECT_EQ(Fnv1a64("\xFF"), 0xaf64724c8602eb6eu); }

}  // namespace
}  // namespace emptor::catalog
