// Which entry a question asks for, learned from the phrasings of all entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "retrieval/cache/question_text.h"

namespace emptor::retrieval {

/// A phrasing to learn from. Lifetime: its text is read during training alone.
struct ClassifierExample {
  const QuestionText* text = nullptr;
  std::vector<float> vector;  // [dimension], unit length; zero where the embedder knows no word
  uint32_t entry = 0;
};

/// Multinomial logistic regression over the sentence vector, the words and the letter trigrams.
/// Words and trigrams are weighted by tf-idf over the phrasings, each block of unit length.
/// Immutable. Thread-safety: const methods from any thread.
class EntryClassifier {
 public:
  /// Stochastic gradient descent in a fixed order: equal examples give equal weights.
  /// REQUIRES: `entries` > 0, entry numbers below it, vectors of one dimension.
  EntryClassifier(std::span<const ClassifierExample> examples, size_t entries);

  size_t entries() const { return biases_.size(); }

  /// Scores of all entries, whose differences are log odds; out [entries()].
  /// REQUIRES: a vector of the dimension of the examples.
  void ScoreInto(const QuestionText& text, std::span<const float> vector,
                 std::span<float> out) const;

  size_t memory_bytes() const;

 private:
  /// A value of a feature, a row of the weights.
  struct Value {
    uint32_t feature = 0;
    float value = 0;
  };
  struct Column {
    uint32_t feature = 0;
    float idf = 0;
  };
  void AddColumns(std::span<const ClassifierExample> examples);
  std::vector<Value> Read(const QuestionText& text, std::span<const float> vector) const;
  void Score(std::span<const Value> values, std::span<float> out) const;
  void Train(std::span<const ClassifierExample> examples);

  size_t dimension_ = 0;
  absl::flat_hash_map<uint64_t, Column> words_;
  absl::flat_hash_map<uint32_t, Column> trigrams_;
  std::vector<float> weights_;  // [features, entries]
  std::vector<float> biases_;   // [entries]
};

}  // namespace emptor::retrieval
