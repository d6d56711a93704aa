// Any bytes as an XML feed.
#include "tests/fuzz/feed_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return emptor::testing::FuzzFeed(emptor::catalog::FeedFormat::kGoogleXml, data, size);
}
