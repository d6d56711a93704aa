// What a shopper meant by a word that the catalog does not know: from the catalog's own words.
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
  size_t min_letters = 4;       // shorter words are left alone
  size_t two_edits_from = 6;    // letters; shorter words may be off by one edit
  float edit_weight = 2.5f;     // of WeightedEditDistance
  float context_weight = 1.0f;  // of the company of the query's other words
  float split_cost = 0.8f;      // WeightedEditDistance of a forgotten blank
  float min_score = -3.0f;      // below it nothing is proposed
};

/// One word, or two where a blank was forgotten ("lightbulb").
struct Reading {
  std::vector<WordId> words;
  float score = 0;
};

/// Looks at every word of a length near enough whose letters differ little (a bit mask for each
/// word; the whole scan of 100,000 words takes less than a millisecond), then at edit distance,
/// then chooses by
///   ln(1 + records) - edit_weight * WeightedEditDistance + context_weight * sum over c of ln(1 +
///   together(c))
/// where together(c) counts the records with the word and the query's other word c: a noisy channel
/// with counts for probabilities (Kernighan, Church, Gale 1990).
/// Thread-safety: const methods. Lifetime: the vocabulary outlives it.
class SpellingCorrector {
 public:
  explicit SpellingCorrector(const Vocabulary& vocabulary, SpellingOptions options = {});

  /// The best reading of `typed`, never `typed` itself; nothing when no word is near. Equal scores
  /// go to the word that comes first in the alphabet.
  /// REQUIRES: IsCorrectable(typed).
  std::optional<Reading> Correct(std::string_view typed, std::span<const WordId> context) const;

  /// Letters a to z only, not too few and not too many: no number, no model name, no unit.
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
