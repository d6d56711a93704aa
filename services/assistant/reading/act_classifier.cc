// Features of a message and their weights.
#include "services/assistant/reading/act_classifier.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "services/assistant/reading/act_model.h"
#include "services/assistant/reading/message_features.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr double kScale = 20;  // weights are whole twentieths

using Features = std::unordered_set<std::string>;

/// Lines "acts a b c", "bias 1 -2 3", and "a-12c5<tab>feature": weights by the letter of the act.
class Model {
 public:
  explicit Model(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ReadLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::vector<ActGuess> Guess(const Features& features) const {
    std::vector<double> scores(acts_.size(), 0);
    for (const std::string& feature : features) {
      const auto found = weights_.find(feature);
      if (found == weights_.end()) continue;
      for (const auto& [act, weight] : found->second) scores[act] += weight;
    }
    const double length = std::sqrt(static_cast<double>(features.size()));
    double sum = 0;
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] = std::exp((scores[i] / length + bias_[i]) / kScale);
      sum += scores[i];
    }
    std::vector<ActGuess> guesses;
    for (size_t i = 0; i < scores.size(); ++i) guesses.push_back({acts_[i], scores[i] / sum});
    std::stable_sort(guesses.begin(), guesses.end(), [](const ActGuess& a, const ActGuess& b) {
      return a.probability > b.probability;
    });
    return guesses;
  }

 private:
  using Weights = std::vector<std::pair<size_t, double>>;  // by act

  void ReadLine(std::string_view line) {
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
        acts_.push_back(DeskActOf(word));
      }
    });
  }

  static Weights ReadWeights(std::string_view text) {
    Weights weights;
    while (!text.empty()) {
      const auto act = static_cast<size_t>(text[0] - 'a');
      int weight = 0;
      const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), weight);
      text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
      weights.emplace_back(act, weight);
    }
    return weights;
  }

  std::vector<DeskAct> acts_;
  std::vector<double> bias_;
  std::unordered_map<std::string, Weights> weights_;
};

}  // namespace

std::vector<ActGuess> GuessActs(std::string_view message) {
  static const auto* const model = std::make_unique<const Model>(kActModel).release();
  return model->Guess(MessageFeatures(message));
}

double ProbabilityOf(DeskAct act, const std::vector<ActGuess>& guesses) {
  const auto found = std::find_if(guesses.begin(), guesses.end(),
                                  [&](const ActGuess& each) { return each.act == act; });
  return found == guesses.end() ? 0 : found->probability;
}

}  // namespace emptor::services
