// The words of a shop's records as plain values, stored with its index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/text/stemmer.h"
#include "retrieval/words/vocabulary.h"

namespace emptor::retrieval {

/// The words of one record. Numbers are positions in the lists of WordState.
struct WordRecord {
  std::string id;  // empty: an unused slot
  std::vector<uint32_t> words;
  uint32_t title_words = 0;  // the first of `words`
  uint32_t brand = UINT32_MAX;
  std::vector<uint32_t> categories;
  Language language = Language::kOther;
  float popularity = 0;

  friend bool operator==(const WordRecord&, const WordRecord&) = default;
};

struct WordState {
  std::vector<WordRecord> records;
  std::vector<VocabularyWord> words;
  std::vector<std::string> brands, categories;  // as the shop writes them
};

}  // namespace emptor::retrieval
