// Names that makers gave their goods: "iPad", which a shop of tablets need not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A name of data/lexicon/trade_names.txt in a message.
struct TradeName {
  std::string type;          // canonical: "phone"
  std::string name;          // folded, without the model behind it: "iphone"
  FoldedMessage::Span span;  // in the message, with the model: "iphone 14 pro"
};

/// The longest name in the message, the first of equal ones. Pure.
std::optional<TradeName> FindTradeName(const FoldedMessage& message);

/// True for a listed name, folded: "ipad". Pure.
bool IsTradeName(std::string_view name);

/// True for a type whose trade names stand in the titles of what is made for it: games, cases.
/// Pure.
bool IsPlatform(std::string_view type);

/// True for a word of a listed name, folded: "dot" of "Echo Dot". Pure.
bool IsTradeWord(std::string_view word);

}  // namespace emptor::services
