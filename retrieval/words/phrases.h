// Which entries completion proposes: gathered from records, brands, categories and queries.
#pragma once

#include <vector>

#include "retrieval/words/completions.h"
#include "retrieval/words/dictionary.h"

namespace emptor::retrieval {

/// Bounds of what is gathered from a large catalog.
struct PhraseLimits {
  size_t sampled_records = 100000;  // spread evenly, whose titles are searched for phrases
  size_t titles = 100000;           // of the most popular products
  uint32_t min_count = 2;           // records of the sample that share a phrase
};

/// Brands and categories with their records, queries with their uses, words and phrases of two and
/// three words that several titles share, titles.
/// A phrase neither begins nor ends with a function word, and holds more than numbers.
std::vector<Completion> GatherCompletions(const DictionarySource& source,
                                          const PhraseLimits& limits = {});

}  // namespace emptor::retrieval
