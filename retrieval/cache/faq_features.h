// What is measured of a question and an entry that may answer it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

/// Similarities are cosines on a scale where 0 is the mean of unrelated phrasings of this index
/// and 1 is equality. Shares of words are weighted by idf over the entries of the index.
enum class FaqFeature : size_t {
  kSimilarity,       // of the entry's nearest phrasing
  kMargin,           // to the nearest phrasing of another entry; negative where that is nearer
  kNeighbourShare,   // of the nearest phrasings, weighted by nearness, that are the entry's
  kMeanSimilarity,   // of the entry's three nearest phrasings
  kQuestionCovered,  // share of the question's words that the phrasing has
  kPhrasingCovered,  // share of the phrasing's words that the question has
  kWordMargin,       // overlap of words less that of the best other entry
  kUnknownToEntry,   // share of the question's words that no phrasing of the entry has
  kUnknownToAll,     // share of the question's words that no entry has
  kSpellingOdds,     // as kWordOdds, of letter trigrams: survives misspellings
  kSpellingPosterior,
  kTrigrams,          // Dice coefficient of letter trigrams
  kLengthDifference,  // |log| of the ratio of lengths in words
  kShortness,         // 1 / words of the question
  kWordOdds,          // mean log odds of the question's words in the entry's phrasings
  kWordPosterior,     // probability of the entry by these odds, among the candidates and none
  kFrame,             // words of the phrasing that follow in the question, in order
  kExtraWords,        // share of the asked words that the phrasing has none for
  kMissingWords,      // share of the phrasing's words that are not asked
  kFrameWithExtra,    // product of the two: another fact in the same sentence
  kContradicted,      // 1 where the verifier found a difference
  kLearnedScore,      // of the entry by the classifier (learned_entries.h)
  kLearnedMargin,     // to the best other score; negative where that is greater
  kLearnedProbability,
  kLearnedLead,  // of the probability, to that of the best other entry
};
inline constexpr size_t kFaqFeatureCount = 25;

/// [kFaqFeatureCount], by FaqFeature. Those of vectors are 0 where there is no vector, those that
/// were learned where there is no classifier.
using FaqFeatures = std::array<double, kFaqFeatureCount>;

/// "similarity", "word_margin": the name in a tuning file.
std::string_view ToString(FaqFeature feature);
std::optional<FaqFeature> FindFaqFeature(std::string_view name);

/// An entry that may answer the question.
struct FaqMatch {
  std::string id;
  std::string phrasing;  // the one that is nearest to the question
  FaqFeatures features{};
  double similarity = 0;  // cosine of question and phrasing
  std::string contradiction =
      {};  // why the verifier refuses all near phrasings; empty: it does not
};

/// What an index found for a question, before a tuning decides.
struct FaqMatches {
  bool exact = false;             // the matches have a phrasing of equal normalised text
  bool has_vector = false;        // false where the embedder failed or knows no word
  bool is_learned = false;        // a classifier has learned from the entries; has_vector holds
  std::vector<FaqMatch> matches;  // nearest first
};

}  // namespace emptor::retrieval
