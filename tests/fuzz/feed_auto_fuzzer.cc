// Any bytes as a feed of a format that the reader finds out, packed ones and other encodings too.
#include "tests/fuzz/feed_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return emptor::testing::FuzzFeed(emptor::catalog::FeedFormat::kAuto, data, size);
}
