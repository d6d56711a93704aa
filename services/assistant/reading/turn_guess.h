// A guess at what a message is within its conversation, for messages whose words no rule decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/reading/turn_scene.h"

namespace emptor::services {

/// Probabilities of what a message does; they add up to 1.
struct TurnGuess {
  double finds_other = 0;  // looks for goods
  double finds_same = 0;   // goes on with the search before
  double is_about_shown = 0;
  double is_for_desk = 0;  // policies, orders, complaints, a person
  double is_talk = 0;      // thanks, greetings
};

/// Multinomial logistic regression over the words and letters of the message and how they go with
/// what was shown; services/assistant/training learns it from data/turns, and ADR 0019 has its
/// figures. Pure, thread-safe.
TurnGuess GuessTurn(const Understanding& rules, const ConversationTurn& last,
                    const TurnScene& scene);

struct PointedProduct {
  std::string id;
  double probability = 0;
};

/// The products of the scene with the probability that the message is about them, in the scene's
/// order. Pure, thread-safe.
std::vector<PointedProduct> GuessPointed(const Understanding& rules, const TurnScene& scene);

struct Pointed {
  std::vector<std::string> products;
  double probability = 0;  // that these are all
};

/// Those that are likelier than not, else the likeliest; none of no guesses. Pure.
Pointed LikelyPointed(const std::vector<PointedProduct>& guesses);

}  // namespace emptor::services
