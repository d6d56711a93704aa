// Any bytes as a run file: refused, or read such that writing and reading again is equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "retrieval/eval/trec_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::ParseRun;
  const auto run = ParseRun({reinterpret_cast<const char*>(data), size});
  if (!run.ok()) return 0;
  const auto again = ParseRun(WriteRun(*run));
  if (!again.ok() || again->rankings != run->rankings) std::abort();
  return 0;
}
