// Any bytes as labelled questions, CSV and minimal pairs: read, or refused with the line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "services/eval/faq_pairs.h"
#include "services/eval/minimal_pairs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto pairs = emptor::services::ParseFaqPairs(text);
  if (!pairs.ok() && !std::string(pairs.status().message()).starts_with("line ")) std::abort();
  for (const auto& row : emptor::services::ParseCsv(text)) {
    if (row.empty()) std::abort();
  }
  const auto tasks = emptor::services::ReadMinimalPairTasks(text);
  if (tasks.ok() && tasks->size() != 2) std::abort();
  return 0;
}
