// What a question asks of a product in words that no data sheet has (data/lexicon/facts.txt): "can
// you see it at night" asks whether it is reflective.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The attribute of a product that answers a question.
struct AskedFact {
  std::string key;           // its name; empty: no attribute of the product answers
  bool is_opposite = false;  // the attribute says the opposite of what is asked
  bool answers_all = false;  // nothing else is asked
  size_t letters = 0;        // bytes of the question that ask for it
};

/// The sense that covers most letters of the question and that an attribute of the product answers.
/// Where an amount is asked for, the attribute states one of its dimension. An empty key: the
/// question has a sense that nothing but its own attributes can answer, and the product has none of
/// them. `question`: without the product's name and type. Of several attributes that answer,
/// `likely` comes first, an attribute's name or empty. Pure; linear in the question.
std::optional<AskedFact> FindAskedFact(const FoldedMessage& question,
                                       const catalog::Product& product, bool asks_yes_no,
                                       std::string_view likely);

/// "Included", "none": whether goods have what the attribute of the value names; nothing: it does
/// not say. Pure.
std::optional<bool> SaysThere(std::string_view value);

}  // namespace emptor::services
