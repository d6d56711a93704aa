// Rules, then the model over every piece of the text.
#include "catalog/text_safety/injection_screen.h"

#include <algorithm>
#include <array>
#include <limits>

#include "catalog/encoding/utf8.h"
#include "catalog/text_safety/injection_classifier.h"
#include "catalog/text_safety/screen_rules.h"

namespace emptor::catalog {
namespace {

struct WorstPiece {
  float score = std::numeric_limits<float>::lowest();
  Words words;
};

float ScoreOf(const Words& words) {
  const InjectionClassifier& model = TheInjectionClassifier();
  int sum = 0;
  for (const uint16_t bucket : ClassifierFeatures(words)) sum += model.weights[bucket];
  return model.bias + model.scale * static_cast<float>(sum);
}

WorstPiece FindWorst(std::string_view folded) {
  WorstPiece worst;
  for (Words& words : SplitForClassifier(folded)) {
    const float score = ScoreOf(words);
    if (score > worst.score) worst = {score, std::move(words)};
  }
  return worst;
}

}  // namespace

std::string_view ToString(ScreenRule rule) {
  constexpr std::array<std::string_view, kScreenRules> kNames = {
      "chat_markup", "data_carrier", "encoded_text", "repetition",
      "model",       "invisible",    "hidden_text"};
  return kNames.at(static_cast<size_t>(rule));
}

std::optional<ScreenFinding> FindInjection(std::string_view text) {
  if (auto found = FindByRules(text)) return found;
  const WorstPiece worst = FindWorst(FoldForClassifier(text));
  if (worst.score < kClassifierThreshold) return std::nullopt;
  std::string piece;
  for (const std::string& word : worst.words) piece += (piece.empty() ? "" : " ") + word;
  return ScreenFinding{ScreenRule::kModel, "reads like a request to an assistant",
                       Excerpt(piece, 0)};
}

float InjectionScore(std::string_view text) { return FindWorst(FoldForClassifier(text)).score; }

}  // namespace emptor::catalog
