// Random text with a skewed vocabulary, and indexes over it.
#pragma once

#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "retrieval/lexical/index_builder.h"
#include "retrieval/record_set.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval::testing {

inline const Analyzer& SharedAnalyzer() {
  static const Analyzer analyzer = *Analyzer::Create();
  return analyzer;
}

/// `full` where EMPTOR_SOAK asks for it, else `brief`.
inline size_t RoundsOf(size_t brief, size_t full) {
  return std::getenv("EMPTOR_SOAK") != nullptr ? full : brief;
}

/// "q0" is common, "q199" is rare.
inline std::string RandomText(std::mt19937& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const double u = static_cast<double>(random() % 10000) / 10000;
    text += Numbered("q", static_cast<size_t>(200 * u * u * u));
    text += ' ';
  }
  return text;
}

inline InvertedIndex RandomIndex(uint32_t seed, size_t records) {
  std::mt19937 random(seed);
  InvertedIndexBuilder builder{Bm25Options{}};
  for (size_t r = 0; r < records; ++r) {
    const std::string title = RandomText(random, 1 + random() % 6);
    const std::string attributes = RandomText(random, random() % 8);
    const std::string description = RandomText(random, random() % 12);
    builder.Add(SharedAnalyzer(), {title, "", "", attributes, description});
  }
  return std::move(builder).Seal();
}

inline RecordSet RandomSet(uint32_t seed, size_t size, unsigned percent) {
  std::mt19937 random(seed);
  RecordSet set(size);
  for (uint32_t i = 0; i < size; ++i) {
    if (random() % 100 < percent) set.Insert(i);
  }
  return set;
}

}  // namespace emptor::retrieval::testing
