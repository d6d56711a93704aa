// Any bytes as catalog text and as a query: no term may be empty, over-long or ill-formed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "retrieval/text/analyzer.h"
#include "retrieval/text/fold.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::Analyzer;
  using emptor::retrieval::TextRole;
  static const Analyzer analyzer = *Analyzer::Create();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const TextRole role : {TextRole::kRecord, TextRole::kQuery}) {
    analyzer.ForEachTerm(text, role, [](std::string_view term) {
      if (term.empty() || term.size() > Analyzer::kMaxTermBytes) std::abort();
      if (!emptor::retrieval::IsValidUtf8(term)) std::abort();
    });
  }
  if (!emptor::retrieval::IsValidUtf8(emptor::retrieval::FoldForComparison(text))) std::abort();
  if (!emptor::retrieval::IsValidUtf8(emptor::retrieval::FoldIdentifier(text))) std::abort();
  return 0;
}
