// Which types of products help with what a message describes and does not name: by sentences of
// other shoppers (data/lexicon/need_examples).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::services {

/// The type of examples from which no goods follow: "my parcel never arrived".
inline constexpr std::string_view kNothingNeeded = "-";

/// "The wifi is dead in the bedrooms", of routers.
struct NeedExample {
  std::string sentence;
  std::vector<std::string> types;  // canonical names of data/lexicon/types.txt, the best first
};

/// The examples of data/lexicon/need_examples, in five languages.
const std::vector<NeedExample>& TheNeedExamples();

/// A type, and how near its examples are to a message: 0 nothing in common, above 1 the same words.
struct NeededType {
  std::string name;  // canonical
  double score = 0;
};

/// Finds the examples that are nearest to a message by their rare words and by their vectors.
/// Immutable. Thread-safety: any thread.
class NeedIndex {
 public:
  /// `embedder`: of sentences, in the languages of the examples; null: words decide alone. Kept.
  /// Errors: those of the embedder.
  static absl::StatusOr<std::shared_ptr<const NeedIndex>> Make(
      const std::vector<NeedExample>& examples,
      std::shared_ptr<const retrieval::Embedder> embedder);

  /// The types of the nearest examples, the best first; empty where no word is known.
  std::vector<NeededType> Rank(std::string_view message) const;

 private:
  using Terms = std::vector<std::pair<size_t, float>>;  // term -> weight

  void AddWords(const std::vector<NeedExample>& examples);
  absl::Status AddVectors(const std::vector<NeedExample>& examples);
  /// Cosine of words, of every example.
  std::vector<float> WordScores(std::string_view message) const;
  /// Cosine of vectors, of every example; empty without an embedder.
  std::vector<float> VectorScores(std::string_view message) const;

  std::shared_ptr<const retrieval::Embedder> embedder_;
  std::vector<std::string> types_;                                  // names
  std::vector<std::vector<size_t>> types_of_;                       // [examples] -> types_
  std::unordered_map<std::string, size_t> terms_;                   // stem -> number
  std::vector<float> weights_;                                      // [terms], squares of idf
  std::vector<std::vector<std::pair<size_t, float>>> examples_of_;  // [terms] -> example, weight
  std::vector<float> mean_;     // [dimension] of the examples' vectors
  std::vector<float> vectors_;  // [examples, dimension], of length 1 without the mean
};

}  // namespace emptor::services
