// Model text of any kind, cut anywhere: no crash, the same output as uncut, nothing forbidden.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "services/grounding/hydrator.h"
#include "tests/services/grounding/test_sources.h"

namespace {

using namespace emptor::services;

HydratorOptions Options() {
  HydratorOptions options;
  options.render.sources = testing::KettleMonitorShipping();
  options.render.now_unix = [] { return int64_t{1700000000}; };
  options.render.budget = emptor::catalog::Money{6000, "USD"};
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 4096) return 0;
  const size_t cut = 1 + data[0] % 16;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Hydrator whole(Options()), pieces(Options());
  std::string shown = whole.Push(text).text;
  shown += whole.Finish().text;
  std::string joined;
  for (size_t at = 0; at < text.size(); at += cut) joined += pieces.Push(text.substr(at, cut)).text;
  joined += pieces.Finish().text;
  if (shown != joined) std::abort();
  if (shown.find('<') != std::string::npos || shown.find("://") != std::string::npos) std::abort();
  return 0;
}
