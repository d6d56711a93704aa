// Any bytes as JSON-LD or as a web page that holds it.
#include "tests/fuzz/feed_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return emptor::testing::FuzzFeed(emptor::catalog::FeedFormat::kJsonLd, data, size);
}
