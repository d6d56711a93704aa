// Rules of the turn's decision next to the probabilities of turn_guess.h. What each row is worth
// was counted on labelled turns (ADR 0019).
#include "services/assistant/reading/turn_review.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "services/assistant/reading/turn_guess.h"
#include "services/assistant/reading/turn_scene.h"

namespace emptor::services {
namespace {

// Least probabilities of a message about what was shown.
constexpr double kOverSearch = 0.85, kOverDesk = 0.93, kOverPointing = 0.6;
// Least probability of all products together, in place of others.
constexpr double kSureProducts = 0.6;

/// Rows by which a message searches, and is wrongly taken to in half of all turns.
constexpr std::array<std::string_view, 4> kOpenSearches = {"new search", "change", "word of change",
                                                           "filter in a question"};

/// Rows by which it is about products that are wrong more often than those of the model.
constexpr std::array<std::string_view, 6> kGuessedProducts = {
    "asks of these",  "question",        "fragment",
    "short question", "changes nothing", "refers after all"};

template <typename Names>
bool IsOneOf(const Names& names, std::string_view rule) {
  return std::find(names.begin(), names.end(), rule) != names.end();
}

/// How sure the model must be; 1: the rules hold.
double LeastProbability(const Understanding& understanding) {
  constexpr double kNever = 1;
  if (understanding.asks_policy || understanding.desk == DeskAct::kThanks) return kOverDesk;
  if (understanding.desk != DeskAct::kNone || understanding.counts_all) return kNever;
  if (understanding.asks_for_goods || understanding.names_other_goods) return kNever;
  if (IsOneOf(kOpenSearches, understanding.turn_rule)) return kOverSearch;
  return IsOneOf(kGuessedProducts, understanding.turn_rule) ? kOverPointing : kNever;
}

bool HasSame(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

}  // namespace

std::vector<std::string> ReviewTurn(const Understanding& understanding,
                                    const UnderstandingInput& input) {
  const double least = LeastProbability(understanding);
  if (least >= 1 || input.turns.empty()) return {};
  const TurnScene scene = MakeTurnScene(input.turns, input.record_of);
  if (scene.empty()) return {};
  const TurnGuess guess = GuessTurn(understanding, input.turns.back(), scene);
  if (guess.is_about_shown < least) return {};
  const auto& referenced = understanding.referenced_products;
  const Pointed pointed = LikelyPointed(GuessPointed(understanding, scene));
  const bool is_about_shown = !referenced.empty() && !understanding.follows_up;
  if (!is_about_shown) return pointed.products;
  const bool is_better =
      pointed.probability >= kSureProducts && !HasSame(pointed.products, referenced);
  return is_better ? pointed.products : std::vector<std::string>();
}

}  // namespace emptor::services
