// The filter columns of a catalog and the vocabulary over them, without an index.
#pragma once

#include "retrieval/filter/filter_columns.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval::testing {

/// Lifetime: within the columns'.
inline QueryVocabulary VocabularyOf(const FilterColumns& columns) {
  QueryVocabulary vocabulary;
  vocabulary.find = [&columns](FilterField field,
                               const std::string& folded) -> std::optional<CatalogValue> {
    const auto known = columns.Find(field, folded);
    if (!known) return std::nullopt;
    return CatalogValue{std::string(known->text), known->records};
  };
  vocabulary.mentions = [&columns](const std::string& term) { return columns.CountTerm(term); };
  vocabulary.has_measure = [&columns](const std::string& attribute, const std::string& base) {
    return columns.CountMeasures(attribute, base).answers_bounds();
  };
  return vocabulary;
}

}  // namespace emptor::retrieval::testing
