// What a message changes of what the shopper has settled on: "make it 3", "drop the mouse", "i'll
// take both".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/shown_products.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {

inline constexpr int kMaxPieces = 99;  // of a product

/// Goods that a change names, and how many of them.
struct CountedGoods {
  std::string text;  // as it was typed: "the second one"; empty: what is in focus
  int count = 1;     // kDrop: so many of them; 0: all
  /// Goods are meant whatever the conversation knows of them: "2 of the vexmere", not "2 people".
  bool is_sure = true;
  bool is_more = false;    // "2 more": next to those that were chosen
  bool is_counted = true;  // else it is one of what was shown: "the green one"
  /// Those of the conversation that are meant; empty: the shop has to be asked.
  std::vector<std::string> products = {};
};

struct ChoiceChange {
  enum class Kind {
    kTake,  // "two of the first and one of the third", "make it 3", "i'll take both"
    kDrop,  // "i dont want the mouse anymore"
    kSwap,  // "swap the mouse for the cheaper one": two goods, what goes and what comes
    kList,  // "what do i have so far"
  };
  Kind kind = Kind::kTake;
  std::vector<CountedGoods> goods = {};
  bool settles = false;  // kTake: the goods are chosen, whatever their count
  bool adds = false;     // "also 2 of the red one": next to another of its topic
  bool is_weak = false;  // kDrop: "no bag", which is one where a bag was chosen
};

/// What a clause says, whatever was shown; nothing where it changes no choice. Pure.
std::optional<ChoiceChange> ReadChoiceChange(std::string_view clause);

/// What two clauses say, of which the second counts what the first names: "the teal one", "make it
/// 3"; "the white and the pink", "i'll take both". Nothing where the second names goods itself.
/// Pure.
std::optional<ChoiceChange> ReadCountedBehind(std::string_view goods, std::string_view count);

/// The shopper has settled on something before, and may have taken all of it back. Pure.
bool HasChosenBefore(const std::vector<ConversationTurn>& turns);

struct ChoiceChangeInput {
  const std::string& language;                 // of the message
  const std::vector<ConversationTurn>& turns;  // before it, at least one
  const ShopProfile& profile;
  const RecordLookup& record_of;
};

/// The change with the products that its goods mean in the conversation. Nothing where it changes
/// nothing there: what goes was not chosen, or nothing is in focus. Pure but for `record_of`.
std::optional<ChoiceChange> ResolveChange(ChoiceChange change, const ChoiceChangeInput& input);

}  // namespace emptor::services
