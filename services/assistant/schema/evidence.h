// Which of the sentences that stand about a product answers a question: of its description, its
// attributes, its reviews, and answers to other questions.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emptor::services {

/// A sentence that may answer a question.
struct Evidence {
  enum class Kind { kAttribute, kDescription, kReview, kAnswer };
  Kind kind = Kind::kDescription;
  std::string text = {};      // of an attribute its value
  std::string name = {};      // of an attribute
  std::string question = {};  // kAnswer: the question that was answered
};

/// How telling the stems of a collection of sentences are (Robertson, Zaragoza 2009).
/// Thread-safety: const methods.
class TermWeights {
 public:
  void Add(const Evidence& evidence);
  /// ln(1 + (N - n + 0.5) / (n + 0.5)); the greatest for a stem that no sentence has.
  float Of(const std::string& stem) const;
  /// Stems a sentence.
  float mean_length() const;

 private:
  std::unordered_map<std::string, size_t> sentences_with_;
  size_t sentences_ = 0, stems_ = 0;
};

inline constexpr size_t kEvidenceFeatures = 17;
/// What a question and a sentence share; evidence.cc names each.
using EvidenceFeatures = std::array<float, kEvidenceFeatures>;

/// `title`: of the product, whose words tell least. Pure.
EvidenceFeatures FeaturesOf(std::string_view question, std::string_view title,
                            const Evidence& evidence, const TermWeights& weights);

/// A linear function of the features, learned from questions with judged sentences
/// (services/assistant/training/train_evidence.py): greater where the sentence answers more likely.
/// Pure.
float ScoreEvidence(const EvidenceFeatures& features);

/// BM25 of the sentence and the question that it answered, k1 0.9, b 0.4: the first feature.
inline constexpr size_t kEvidenceBm25 = 0;

}  // namespace emptor::services
