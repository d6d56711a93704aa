// The words of a catalog's titles, brands and categories, and which records have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/stemmer.h"

namespace emptor::retrieval {

/// A word by its rank in byte order: w1 < w2 exactly when text(w1) < text(w2).
enum class WordId : uint32_t {};

inline size_t IndexOf(WordId word) { return static_cast<size_t>(word); }

/// One word of a vocabulary that is being built.
struct VocabularyWord {
  std::string text;     // as FoldWords gives it
  std::string display;  // with its accents; empty: same as text
};

/// The words of one record, as positions in a list of VocabularyWord.
struct RecordWords {
  std::span<const uint32_t> words;  // title first, then brand and categories; repeats allowed
  Language language = Language::kOther;
};

/// Immutable. 4 bytes for each word of each record, and the words themselves.
/// Thread-safety: const methods.
class Vocabulary {
 public:
  Vocabulary() = default;

  /// Leaves out words that no record has.
  Vocabulary(std::vector<VocabularyWord> words, std::span<const RecordWords> records);

  size_t size() const { return words_.size(); }
  size_t record_count() const { return record_count_; }

  std::optional<WordId> Find(std::string_view word) const;
  const std::string& text(WordId word) const { return words_[IndexOf(word)].text; }
  /// The word as the shop writes it, in lower case.
  const std::string& display(WordId word) const;

  /// Number of records that have the word.
  uint32_t record_count(WordId word) const;
  /// Number of records that have both words.
  uint32_t CountTogether(WordId a, WordId b) const;
  /// Number of `records` (ascending) that have the word.
  uint32_t CountAmong(std::span<const uint32_t> records, WordId word) const;
  /// The records that have all of `words`, ascending; none when `words` is empty.
  std::vector<uint32_t> RecordsWithAll(std::span<const WordId> words) const;

  /// The words that begin with `prefix`: [first, last).
  std::pair<size_t, size_t> PrefixRange(std::string_view prefix) const;

  /// Whether any record of that language has the word; records of unknown language count as
  /// `main_language()`.
  bool IsIn(Language language, WordId word) const;
  bool empty() const { return words_.empty(); }
  /// The most frequent known language of the records; English when none is known.
  Language main_language() const { return main_language_; }
  /// The languages of the records, the main one first.
  const std::vector<Language>& languages() const { return languages_; }

 private:
  std::span<const uint32_t> postings(WordId word) const;

  std::vector<VocabularyWord> words_;   // ascending by text
  std::vector<uint64_t> begins_;        // [words + 1] in postings_
  std::vector<uint32_t> postings_;      // ascending for each word
  std::vector<uint8_t> language_mask_;  // [words] bit of each Language
  std::vector<Language> languages_ = {Language::kEnglish};
  Language main_language_ = Language::kEnglish;
  size_t record_count_ = 0;
};

}  // namespace emptor::retrieval
