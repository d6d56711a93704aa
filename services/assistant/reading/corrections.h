// Messages that correct the one before: "no, not a mainboard, the processor", "I said four".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services {

/// Whether a text names goods, and whether these are what the latest answer showed.
struct NamedGoods {
  bool is_goods = false;
  bool is_topic = false;
};
using GoodsLookup = std::function<NamedGoods(const std::string& text)>;

/// The parts of a message between its commas, full stops and conjunctions of contrast. Pure.
std::vector<std::string> SplitClauses(const std::string& message);

/// "A water fountain for cats" of "no, not a cat tree, a water fountain for cats": what is wanted.
/// The message itself where it rejects no goods, or says nothing else. Pure but for `goods`.
std::string WithoutRejected(const std::string& message, const GoodsLookup& goods);

/// "4 personnes" of "j'ai dit quatre", after "une tente pour 4 personnes": what is said again, with
/// what a bare number counted. The message itself where nothing is said again. Pure.
std::string WithoutRestating(const std::string& message,
                             const std::vector<ConversationTurn>& turns);

}  // namespace emptor::services
