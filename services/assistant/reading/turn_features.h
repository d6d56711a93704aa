// What the models of turn_guess.h look at.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/reading/turn_scene.h"

namespace emptor::services {

/// Of a message as the rules read it, after `last` turn: "@turn=later", "@in=1", "@rule=change".
/// Its words and letters are MessageFeatures. Pure.
std::vector<std::string> KindFeatures(const Understanding& rules, const ConversationTurn& last,
                                      const TurnScene& scene);

struct PointingFeatures {
  std::vector<std::string> plain;  // "L|rel=top", "age=1": of the product in its conversation
  std::vector<std::string> words;  // "L|both": words of the message, by what the product is in it
};

/// Whether the message is about each product of the scene, in its order. Pure.
std::vector<PointingFeatures> FindPointingFeatures(const Understanding& rules,
                                                   const TurnScene& scene);

}  // namespace emptor::services
