// Goods that a follow-up asks for: "do you have a case for it", "what toner does it take".
#pragma once

#include <string>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct AskedGoods {
  /// What is asked for, folded, the longest name first: "replacement lamp", "lamp". Never empty.
  std::vector<std::string> names;
  bool fits_shown = false;  // it is for a product that was shown
  bool is_bought = false;   // "a spare lamp for it", "what do bags for it cost": no attribute
};

/// Nothing named where the message asks for no goods by a noun: `names` is empty. Pure.
AskedGoods ReadAskedGoods(const FoldedMessage& message);

}  // namespace emptor::services
