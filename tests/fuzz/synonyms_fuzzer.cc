// Any bytes as a synonyms file: refused with its line, or a list whose matches are in bounds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/fold.h"
#include "retrieval/words/synonyms.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::Language;
  using emptor::retrieval::Synonyms;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto synonyms = Synonyms::Parse("s", text);
  if (!synonyms.ok()) {
    if (!std::string(synonyms.status().message()).starts_with("s:")) std::abort();
    return 0;
  }
  std::vector<std::string> words;
  const std::string folded = emptor::retrieval::FoldWords(text);
  for (size_t at = 0; at < folded.size() && words.size() < 50;) {
    const size_t blank = std::min(folded.find(' ', at), folded.size());
    words.push_back(folded.substr(at, blank - at));
    at = blank + 1;
  }
  for (const Language language : {Language::kEnglish, Language::kGerman}) {
    synonyms->ForEachMatch(words, language,
                           [&](size_t first, size_t count, const std::string& other) {
                             if (count == 0 || first + count > words.size() || other.empty())
                               std::abort();
                             if (!emptor::retrieval::IsValidUtf8(other)) std::abort();
                           });
  }
  return 0;
}
