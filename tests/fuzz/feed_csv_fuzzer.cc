// Any bytes as a table of products, with the columns that its first line names.
#include "tests/fuzz/feed_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return emptor::testing::FuzzFeed(emptor::catalog::FeedFormat::kCsv, data, size);
}
