// Sentences of any kind, in any language: no crash, and the same verdict twice.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "services/grounding/claims.h"
#include "tests/services/grounding/test_sources.h"

namespace {

using namespace emptor::services;

ClaimChecker MakeChecker(const std::string& language) {
  ClaimSources sources;
  sources.sources = testing::KettleMonitorShipping();
  sources.language = language;
  sources.question = "is it quiet?";
  sources.now_unix = 1700000000;
  return ClaimChecker(std::move(sources));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 4096) return 0;
  static const std::array<ClaimChecker, 5> kCheckers = {MakeChecker("en"), MakeChecker("de"),
                                                        MakeChecker("fr"), MakeChecker("es"),
                                                        MakeChecker("zh")};
  const ClaimChecker& checker = kCheckers[data[0] % kCheckers.size()];
  const std::string sentence(reinterpret_cast<const char*>(data) + 1, size - 1);
  const ClaimVerdict first = checker.Check(sentence, data[0] % 4);
  const ClaimVerdict second = checker.Check(sentence, data[0] % 4);
  if (first.is_entailed != second.is_entailed || first.rule != second.rule) std::abort();
  if (first.is_entailed && first.rule != ClaimRule::kNone) std::abort();
  return 0;
}
