// Words that part a message, and those with which a shopper settles on a product
// (data/lexicon/parts.txt).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// The phrases of one head of the lexicon, folded, the longest first. REQUIRES: it has the head.
const std::vector<std::string>& PartPhrases(std::string_view head);

/// How many of the words from `from` on are the longest phrase of the head that stands there; 0:
/// none does. Pure.
size_t LengthAtStart(const std::vector<std::string>& words, size_t from, std::string_view head);

/// The same of the words before `end`, and not before `begin`: the longest that ends there. Pure.
size_t LengthAtEnd(const std::vector<std::string>& words, size_t begin, size_t end,
                   std::string_view head);

/// "It", "those", "", which name no goods. Pure.
bool NamesNothing(std::string_view text);

/// What a clause chooses, and how it says so: "ok", "the black one" and "then".
struct Chosen {
  std::string text;  // as it was typed; empty: nothing is left
  bool accepts = false, fills = false, chooses = false, closes = false;
};

/// Of any clause, also of one that chooses nothing. Pure.
Chosen ChosenIn(std::string_view clause);

}  // namespace emptor::services
