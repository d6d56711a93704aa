// Any bytes as merchandising rules: refused, or matching returns no id twice.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/ranking/merchandising_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::Analyzer;
  using emptor::retrieval::MerchandisingRules;
  static const Analyzer analyzer = *Analyzer::Create();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rules = MerchandisingRules::Parse(text, analyzer);
  if (!rules.ok()) return 0;
  const std::vector<std::string> values = {"Velsar", "Kettles", std::string(text.substr(0, 40))};
  const auto actions = rules->Match({.queries = {"tent", text.substr(size / 2)},
                                     .brands = values,
                                     .categories = values,
                                     .now_unix = 1780000000});
  std::set<std::string> ids;
  for (const std::string& id : actions.pinned) {
    if (!ids.insert(id).second) __builtin_trap();
  }
  for (const std::string& id : actions.buried) {
    if (!ids.insert(id).second) __builtin_trap();
  }
  for (const auto& boost : actions.boosted) {
    if (!ids.insert(boost.id).second) __builtin_trap();
  }
  return 0;
}
