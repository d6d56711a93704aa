// Gathers the entries of autocomplete from records, brands, categories and queries.
#pragma once

#include <vector>

#include "retrieval/words/completions.h"
#include "retrieval/words/dictionary.h"

namespace emptor::retrieval {

/// Bounds for large catalogs.
struct PhraseLimits {
  size_t sampled_records = 100000;  // whose titles are searched for phrases, evenly spread
  size_t titles = 100000;           // of the most popular products
  uint32_t min_count = 2;           // records of the sample that share a phrase
};

/// Brands and categories with their record counts, queries with their use counts, words and phrases
/// of two or three words that several titles share, and titles. A phrase neither begins nor ends
/// with a function word and has at least one word that is no number.
std::vector<Completion> GatherCompletions(const DictionarySource& source,
                                          const PhraseLimits& limits = {});

}  // namespace emptor::retrieval
