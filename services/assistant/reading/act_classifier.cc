// The model of acts, over the features of a message.
#include "services/assistant/reading/act_classifier.h"

#include <algorithm>
#include <memory>

#include "services/assistant/reading/act_model.h"
#include "services/assistant/reading/linear_model.h"
#include "services/assistant/reading/message_features.h"

namespace emptor::services {
namespace {

struct ActModel {
  LinearModel weights{kActModel};
  std::vector<DeskAct> acts;  // of its classes

  ActModel() {
    for (const std::string& name : weights.classes()) acts.push_back(DeskActOf(name));
  }
};

}  // namespace

std::vector<ActGuess> GuessActs(std::string_view message) {
  static const auto* const model = std::make_unique<const ActModel>().release();
  LinearModel::Sum sum(model->weights);
  sum.AddMany(MessageFeatures(message));
  const std::vector<double> probabilities = sum.Probabilities();
  std::vector<ActGuess> guesses;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    guesses.push_back({model->acts[i], probabilities[i]});
  }
  std::stable_sort(guesses.begin(), guesses.end(), [](const ActGuess& a, const ActGuess& b) {
    return a.probability > b.probability;
  });
  return guesses;
}

double ProbabilityOf(DeskAct act, const std::vector<ActGuess>& guesses) {
  const auto found = std::find_if(guesses.begin(), guesses.end(),
                                  [&](const ActGuess& each) { return each.act == act; });
  return found == guesses.end() ? 0 : found->probability;
}

}  // namespace emptor::services
