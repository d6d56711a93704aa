// Spelling correction of an unknown word with the words of the catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "retrieval/words/vocabulary.h"

namespace emptor::retrieval {

/// Chosen on folds of the homedepot judgments; figures in docs/search.md.
struct SpellingOptions {
  size_t min_letters = 4;       // shorter words are not corrected
  size_t two_edits_from = 6;    // letters; shorter words allow one edit
  float edit_weight = 2.5f;     // of WeightedEditDistance
  float context_weight = 1.0f;  // of co-occurrence with the query's other words
  float split_cost = 0.8f;      // WeightedEditDistance of a missing blank
  float min_score = -3.0f;      // corrections below it are dropped
};

/// A candidate correction: one word, or two for a missing blank ("lightbulb").
struct Reading {
  std::vector<WordId> words;
  float score = 0;
};

/// Candidates are the words of similar length whose letter masks differ little (a scan of 100,000
/// words takes less than a millisecond) and whose edit distance is within bounds. The best has the
/// greatest
///   ln(1 + records) - edit_weight * distance + context_weight * sum over c of ln(1 + together(c))
/// where distance is the WeightedEditDistance and together(c) the number of records with the word
/// and the query's other word c. This is a noisy channel with counts in place of probabilities
/// (Kernighan, Church, Gale 1990).
/// Thread-safety: const methods. Lifetime: the vocabulary outlives it.
class SpellingCorrector {
 public:
  explicit SpellingCorrector(const Vocabulary& vocabulary, SpellingOptions options = {});

  /// The best correction of `typed`, never `typed` itself; nothing when no word is near. Ties go to
  /// the first word in byte order.
  /// REQUIRES: IsCorrectable(typed).
  std::optional<Reading> Correct(std::string_view typed, std::span<const WordId> context) const;

  /// True for words of the letters a to z within the length bounds: no number, model name or unit.
  bool IsCorrectable(std::string_view word) const;

 private:
  struct Entry {
    WordId word;
    uint32_t letters;  // bit of each letter
  };

  void TryWords(std::string_view typed, std::span<const WordId> context,
                std::optional<Reading>& best) const;
  void TrySplits(std::string_view typed, std::span<const WordId> context,
                 std::optional<Reading>& best) const;

  const Vocabulary& vocabulary_;
  const SpellingOptions options_;
  std::vector<std::vector<Entry>> by_length_;
};

}  // namespace emptor::retrieval
