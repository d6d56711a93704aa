// Any bytes as judgments, query texts and translations: refused, or read such that the qrels read
// back equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "retrieval/eval/query_set.h"
#include "retrieval/eval/translations.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::ParseJudgments;
  using emptor::retrieval::QuerySet;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  QuerySet one = {{"q1", "", {{"p1", 1}}}};
  if (SetTexts(text, one).ok() && one.front().text.empty()) std::abort();
  QuerySet translated = {{"q1", "red lamp", {{"p1", 1}}}};
  const bool has_translation = TranslateQueries(text, "de", translated).ok();
  if (has_translation && (translated.size() != 1 || translated.front().text.empty())) std::abort();
  const auto set = ParseJudgments(text);
  if (!set.ok()) return 0;
  const auto again = ParseJudgments(WriteQrels(*set));
  if (!again.ok() || again->size() != set->size()) std::abort();
  for (size_t i = 0; i < set->size(); ++i) {
    if ((*again)[i].id != (*set)[i].id || (*again)[i].grades != (*set)[i].grades) std::abort();
  }
  return 0;
}
