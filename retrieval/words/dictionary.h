// The dictionary of a shop: its vocabulary, and what corrects, expands and completes queries with
// it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/analyzer.h"
#include "retrieval/words/completions.h"
#include "retrieval/words/query_rewriter.h"
#include "retrieval/words/spelling.h"
#include "retrieval/words/vocabulary.h"
#include "retrieval/words/word_families.h"

namespace emptor::retrieval {

/// A record's words, and the properties that completion reads.
struct DictionaryRecord {
  RecordWords words;
  size_t title_words = 0;  // the first of words.words
  std::string_view id;
  uint32_t brand = UINT32_MAX;  // in DictionarySource::brands; UINT32_MAX: none
  std::span<const uint32_t> categories;
  float popularity = 0;  // of the record, 0 when nothing is known
};

/// A query that had results, and how often it was asked.
struct AskedQuery {
  std::string text;
  uint32_t times = 0;
};

/// The input of a dictionary. Its views must stay valid until the constructor returns.
struct DictionarySource {
  std::vector<VocabularyWord> words = {};
  std::vector<DictionaryRecord> records = {};
  std::vector<std::string> brands = {};      // as the shop writes them
  std::vector<std::string> categories = {};  // the last element of each path
  std::vector<AskedQuery> queries = {};
};

/// Immutable. Not movable: its parts refer to each other.
/// Thread-safety: const methods.
class Dictionary {
 public:
  Dictionary(const Analyzer& analyzer, DictionarySource source);
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const QueryRewriter& rewriter() const { return rewriter_; }

  /// Completions of `typed` (Completions::Complete), and completions of its last word with words
  /// that occur in the catalog together with the words before it ("sony head" -> "sony
  /// headphones").
  std::vector<Completion> Complete(std::string_view typed, size_t limit) const;

 private:
  void AddLastWords(std::string_view typed, size_t limit, std::vector<Completion>& found) const;

  const Analyzer analyzer_;
  const Vocabulary vocabulary_;
  const WordFamilies families_;
  const SpellingCorrector spelling_;
  const QueryRewriter rewriter_;
  const Completions completions_;
};

}  // namespace emptor::retrieval
