// Queries of any kind are read into a filter that the codec of requests takes back.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "retrieval/query/constraints.h"
#include "services/api/filter_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::FilterField;
  emptor::retrieval::QueryVocabulary vocabulary;
  // A catalog that knows every word of two bytes or more, as whatever it is asked for.
  vocabulary.find = [](FilterField, const std::string& folded) {
    return folded.size() % 3 == 0 || folded.empty()
               ? std::nullopt
               : std::optional(emptor::retrieval::CatalogValue{folded, folded.size()});
  };
  vocabulary.mentions = [](const std::string& term) { return term.size() % 5; };
  vocabulary.has_measure = [](const std::string& attribute, const std::string&) {
    return attribute.size() % 2 == 0;
  };
  const std::string text(reinterpret_cast<const char*>(data), size > 4096 ? 4096 : size);
  const auto read = emptor::retrieval::ReadConstraints(text, vocabulary);
  if (read.search_text.size() > text.size() + 1) std::abort();
  emptor::catalog::JsonWriter writer;
  emptor::services::WriteFilter(read.filter, writer);
  if (!emptor::catalog::ParseJson(writer.text()).ok()) std::abort();
  return 0;
}
