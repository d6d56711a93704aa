// Multinomial logistic regression over named features.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emptor::services {

/// Weights as the scripts of services/assistant/training write them: a line "acts a b c" with the
/// names of the classes, a line "bias 1 -2 3", and a line "a-12c5<tab>feature" for each feature:
/// the weights by the letter of the class. All are twentieths. Thread-safety: const access from any
/// thread.
class LinearModel {
 public:
  explicit LinearModel(std::string_view text);

  const std::vector<std::string>& classes() const { return classes_; }

  /// What adds up to the scores of the classes.
  class Sum {
   public:
    explicit Sum(const LinearModel& model) : model_(model), scores_(model.classes_.size(), 0) {}
    void Add(std::string_view feature) { model_.AddTo(scores_, feature, 1); }
    /// Features that are many count as one: each by 1 / sqrt(their number).
    template <typename Features>
    void AddMany(const Features& features) {
      const double share = ShareOf(features.size());
      for (const auto& feature : features) model_.AddTo(scores_, feature, share);
    }
    /// By class; they add up to 1.
    std::vector<double> Probabilities() const;

   private:
    const LinearModel& model_;
    std::vector<double> scores_;
  };

 private:
  using Weights = std::vector<std::pair<size_t, double>>;  // by class
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  static double ShareOf(size_t features);
  static Weights ReadWeights(std::string_view text);
  void ReadLine(std::string_view line);
  void AddTo(std::vector<double>& scores, std::string_view feature, double share) const;

  std::vector<std::string> classes_;
  std::vector<double> bias_;
  std::unordered_map<std::string, Weights, Hash, std::equal_to<>> weights_;
};

}  // namespace emptor::services
