// Reading of weights, and the softmax of their sums.
#include "services/assistant/reading/linear_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr double kScale = 20;  // weights are whole twentieths

}  // namespace

LinearModel::LinearModel(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    ReadLine(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void LinearModel::ReadLine(std::string_view line) {
  if (line.empty() || line[0] == '#') return;
  const size_t tab = line.find('\t');
  if (tab != std::string_view::npos) {
    weights_[std::string(line.substr(tab + 1))] = ReadWeights(line.substr(0, tab));
    return;
  }
  bool is_bias = false, is_first = true;
  ForEachWord(line, [&](const std::string& word) {
    if (std::exchange(is_first, false)) {
      is_bias = word == "bias";
    } else if (is_bias) {
      bias_.push_back(std::stod(word));
    } else {
      classes_.push_back(word);
    }
  });
}

LinearModel::Weights LinearModel::ReadWeights(std::string_view text) {
  Weights weights;
  while (!text.empty()) {
    const auto place = static_cast<size_t>(text[0] - 'a');
    int weight = 0;
    const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), weight);
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    weights.emplace_back(place, weight);
  }
  return weights;
}

double LinearModel::ShareOf(size_t features) {
  return features == 0 ? 0 : 1 / std::sqrt(static_cast<double>(features));
}

void LinearModel::AddTo(std::vector<double>& scores, std::string_view feature, double share) const {
  const auto found = weights_.find(feature);
  if (found == weights_.end()) return;
  for (const auto& [place, weight] : found->second) scores[place] += weight * share;
}

std::vector<double> LinearModel::Sum::Probabilities() const {
  std::vector<double> probabilities = scores_;
  double sum = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    probabilities[i] = std::exp((probabilities[i] + model_.bias_[i]) / kScale);
    sum += probabilities[i];
  }
  for (double& each : probabilities) each /= sum;
  return probabilities;
}

}  // namespace emptor::services
