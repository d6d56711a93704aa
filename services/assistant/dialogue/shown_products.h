// Products that earlier answers showed, by what a message calls them: "the octavane", "the yellow
// helmet", "the brightest lamp".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The record of a product that was shown; nothing where the shop no longer has it.
using RecordLookup = std::function<std::optional<catalog::Product>(const std::string& id)>;

/// What a text names among products.
struct ShownNaming {
  FoldedMessage text;
  std::string_view language;
  std::vector<std::string> type_words = {};  // they name no single product
  bool titles_only = false;                  // a value of an attribute names none, either
  /// Of several that are named alike, the first is meant; a maker or a model counts near the
  /// beginning of a title alone.
  bool takes_first = false;
};

/// All products of the conversation, those of the latest list first. Pure.
std::vector<std::string> ShownProducts(const std::vector<ConversationTurn>& turns);

/// The one of `ids` that the text names by a superlative, or by more words of its record than any
/// other. Empty: it names none, or several alike, unless the first of these is taken.
std::string FindNamedShown(const std::vector<std::string>& ids, const ShownNaming& naming,
                           const RecordLookup& record_of);

/// Of a turn, the product that it came to.
using ChosenOfTurn = std::function<std::string(const ConversationTurn&)>;

/// The winner, else what the answer speaks of first, else its first card. Pure.
std::string FirstOfTurn(const ConversationTurn& turn);

/// The products that the latest two topics were about, one each, the earlier one first; with
/// `is_all`, of every topic. Fewer than two: the conversation had one topic. Pure but for `chosen`.
std::vector<std::string> FocusOfTopics(const std::vector<ConversationTurn>& turns, bool is_all,
                                       const ChosenOfTurn& chosen = FirstOfTurn);

}  // namespace emptor::services
