// How a message asks for what it names: what stands before the name.
#pragma once

#include <cstddef>
#include <optional>

#include "services/assistant/types/product_types.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The words between a request, or the beginning of the message, and the name of a type.
struct NameLead {
  size_t words = 0;
  size_t telling = 0;       // of them, no ordinary words, determiners or amounts: "electric"
  bool is_purpose = false;  // what goods are for, or whose these are: "for my"
};

/// Of "i need a red drill": one determiner and one telling word. Nothing: the message does not have
/// the type's name. Pure.
std::optional<NameLead> LeadOfName(const FoldedMessage& message, const ProductType& type);

/// "I need a drill", "men's electric shaver by Braun": small words stand before the name, or what
/// qualifies a name in full. Pure.
bool IsAskedByName(const FoldedMessage& message, const ProductType& type);

}  // namespace emptor::services
