// A guess at what a message wants, for messages that no phrase of the lexicon decides.
#pragma once

#include <string_view>
#include <vector>

#include "services/assistant/reading/service_desk.h"

namespace emptor::services {

/// `act` is DeskAct::kNone for a message about goods.
struct ActGuess {
  DeskAct act = DeskAct::kNone;
  double probability = 0;
};

/// Every act with its probability, the most likely first. Multinomial logistic regression over the
/// words and letters of the message; services/assistant/training trains it, and ADR 0014 has its
/// figures. Languages: those of ReadDeskAct. Pure, thread-safe.
std::vector<ActGuess> GuessActs(std::string_view message);

/// That of one act among the guesses.
double ProbabilityOf(DeskAct act, const std::vector<ActGuess>& guesses);

}  // namespace emptor::services
