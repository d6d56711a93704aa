// The models of data/turns.
#include "services/assistant/reading/turn_guess.h"

#include <algorithm>
#include <memory>

#include "services/assistant/reading/linear_model.h"
#include "services/assistant/reading/message_features.h"
#include "services/assistant/reading/turn_features.h"
#include "services/assistant/reading/turn_model.h"

namespace emptor::services {
namespace {

constexpr double kLikely = 0.5;

double Of(std::string_view name, const LinearModel& model, const std::vector<double>& found) {
  const auto& names = model.classes();
  const auto place = std::find(names.begin(), names.end(), name);
  return place == names.end() ? 0 : found[static_cast<size_t>(place - names.begin())];
}

}  // namespace

TurnGuess GuessTurn(const Understanding& rules, const ConversationTurn& last,
                    const TurnScene& scene) {
  static const auto* const model = std::make_unique<const LinearModel>(kTurnKindModel).release();
  LinearModel::Sum sum(*model);
  sum.AddMany(MessageFeatures(rules.message));
  for (const std::string& each : KindFeatures(rules, last, scene)) sum.Add(each);
  const std::vector<double> found = sum.Probabilities();
  return {.finds_other = Of("find", *model, found),
          .finds_same = Of("find_same", *model, found),
          .is_about_shown = Of("shown", *model, found),
          .is_for_desk = Of("desk", *model, found),
          .is_talk = Of("talk", *model, found)};
}

std::vector<PointedProduct> GuessPointed(const Understanding& rules, const TurnScene& scene) {
  static const auto* const model =
      std::make_unique<const LinearModel>(kTurnPointingModel).release();
  const auto features = FindPointingFeatures(rules, scene);
  std::vector<PointedProduct> pointed;
  for (size_t i = 0; i < features.size(); ++i) {
    LinearModel::Sum sum(*model);
    sum.AddMany(features[i].words);
    for (const std::string& each : features[i].plain) sum.Add(each);
    pointed.push_back({scene.products[i].id, Of("pointed", *model, sum.Probabilities())});
  }
  return pointed;
}

Pointed LikelyPointed(const std::vector<PointedProduct>& guesses) {
  if (guesses.empty()) return {};
  const auto best =
      std::max_element(guesses.begin(), guesses.end(),
                       [](const auto& a, const auto& b) { return a.probability < b.probability; });
  Pointed pointed;
  pointed.probability = 1;
  for (const PointedProduct& each : guesses) {
    const bool is_pointed = each.probability > kLikely || each.id == best->id;
    if (is_pointed) pointed.products.push_back(each.id);
    pointed.probability *= is_pointed ? each.probability : 1 - each.probability;
  }
  return pointed;
}

}  // namespace emptor::services
