// Stochastic gradient descent with weight decay; the weights of a feature lie together.
#include "retrieval/cache/entry_classifier.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace emptor::retrieval {
namespace {

// Chosen by cross-validation on HINT3 powerplay11, BANKING77 and CLINC150 (ADR 0017).
constexpr float kBlockWeight = 0.7f;    // of words and of trigrams, next to 1 of the vector
constexpr double kInverseRidge = 10;    // C: weight of the examples against the squared weights
constexpr double kLearningRate = 1;     // falls to 0 over the epochs
constexpr size_t kStepsAimed = 20'000;  // as many examples are read, in whole epochs
constexpr size_t kMinEpochs = 5, kMaxEpochs = 40;

void AddScaled(const float* from, float factor, std::span<float> to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Scores become probabilities.
void SoftmaxInPlace(std::span<float> scores) {
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

/// Smoothed as if one more phrasing had every term.
float Idf(size_t phrasings, size_t with) {
  return std::log((1 + static_cast<float>(phrasings)) / (1 + static_cast<float>(with))) + 1;
}

}  // namespace

EntryClassifier::EntryClassifier(std::span<const ClassifierExample> examples, size_t entries)
    : dimension_(examples.empty() ? 0 : examples.front().vector.size()), biases_(entries, 0) {
  AddColumns(examples);
  weights_.assign((dimension_ + words_.size() + trigrams_.size()) * entries, 0);
  Train(examples);
}

void EntryClassifier::AddColumns(std::span<const ClassifierExample> examples) {
  absl::flat_hash_map<uint64_t, size_t> words;
  absl::flat_hash_map<uint32_t, size_t> trigrams;
  for (const ClassifierExample& example : examples) {
    for (const QuestionTerm& term : example.text->terms) ++words[term.hash];
    for (const uint32_t trigram : example.text->trigrams) ++trigrams[trigram];
  }
  // Columns are numbered in the order of the examples, whatever the order of a hash map.
  auto next = static_cast<uint32_t>(dimension_);
  for (const ClassifierExample& example : examples) {
    for (const QuestionTerm& term : example.text->terms) {
      const auto [found, is_new] = words_.try_emplace(term.hash);
      if (is_new) found->second = {next++, Idf(examples.size(), words[term.hash])};
    }
    for (const uint32_t trigram : example.text->trigrams) {
      const auto [found, is_new] = trigrams_.try_emplace(trigram);
      if (is_new) found->second = {next++, Idf(examples.size(), trigrams[trigram])};
    }
  }
}

std::vector<EntryClassifier::Value> EntryClassifier::Read(const QuestionText& text,
                                                          std::span<const float> vector) const {
  std::vector<Value> values;
  values.reserve(dimension_ + text.terms.size() + text.trigrams.size());
  for (uint32_t i = 0; i < dimension_; ++i) values.push_back({i, vector[i]});
  const auto end_block = [&values](size_t begin) {
    float squares = 0;
    for (size_t i = begin; i < values.size(); ++i) squares += values[i].value * values[i].value;
    if (squares == 0) return;
    const float scale = kBlockWeight / std::sqrt(squares);
    for (size_t i = begin; i < values.size(); ++i) values[i].value *= scale;
  };
  size_t begin = values.size();
  for (const QuestionTerm& term : text.terms) {
    const auto found = words_.find(term.hash);
    if (found != words_.end()) values.push_back({found->second.feature, found->second.idf});
  }
  end_block(begin);
  begin = values.size();
  for (const uint32_t trigram : text.trigrams) {
    const auto found = trigrams_.find(trigram);
    if (found != trigrams_.end()) values.push_back({found->second.feature, found->second.idf});
  }
  end_block(begin);
  return values;
}

void EntryClassifier::Score(std::span<const Value> values, std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  for (const Value& each : values) {
    AddScaled(&weights_[each.feature * out.size()], each.value, out);
  }
}

void EntryClassifier::ScoreInto(const QuestionText& text, std::span<const float> vector,
                                std::span<float> out) const {
  Score(Read(text, vector), out);
  for (size_t i = 0; i < out.size(); ++i) out[i] += biases_[i];
}

/// Decay multiplies all weights: they are kept divided by `scale`, which alone is multiplied.
void EntryClassifier::Train(std::span<const ClassifierExample> examples) {
  if (examples.empty()) return;
  std::vector<std::vector<Value>> read;
  for (const ClassifierExample& each : examples) read.push_back(Read(*each.text, each.vector));
  std::vector<size_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(20250817);
  const size_t epochs = std::clamp(kStepsAimed / examples.size(), kMinEpochs, kMaxEpochs);
  const auto steps = static_cast<double>(epochs * examples.size());
  const double ridge = 1 / (kInverseRidge * static_cast<double>(examples.size()));
  std::vector<float> gradient(entries());
  double scale = 1, step = 0;
  for (size_t epoch = 0; epoch < epochs; ++epoch) {
    // std::shuffle's order is the library's own; this one is fixed.
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    for (const size_t i : order) {
      const double rate = kLearningRate * (1 - step++ / steps);
      Score(read[i], gradient);
      for (size_t k = 0; k < gradient.size(); ++k) {
        gradient[k] = gradient[k] * static_cast<float>(scale) + biases_[k];
      }
      SoftmaxInPlace(gradient);
      gradient[examples[i].entry] -= 1;
      scale *= 1 - rate * ridge;
      const auto factor = static_cast<float>(-rate / scale);
      for (const Value& each : read[i]) {
        const std::span<float> row(&weights_[each.feature * entries()], entries());
        AddScaled(gradient.data(), factor * each.value, row);
      }
      AddScaled(gradient.data(), static_cast<float>(-0.1 * rate), biases_);
    }
  }
  for (float& weight : weights_) weight *= static_cast<float>(scale);
}

size_t EntryClassifier::memory_bytes() const {
  constexpr size_t kNode = 24;
  return sizeof(*this) + (weights_.size() + biases_.size()) * sizeof(float) +
         (words_.size() + trigrams_.size()) * kNode;
}

}  // namespace emptor::retrieval
