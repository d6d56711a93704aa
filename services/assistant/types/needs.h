// Situations and people, and the types of products that help (data/lexicon/needs.txt).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/product_types.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct Need {
  std::string name;                // "cooking"
  std::vector<std::string> types;  // canonical names of data/lexicon/types.txt, the best first
  FoldedMessage::Span span;        // of the phrase, or of all its ideas, in the message
  std::vector<FoldedMessage::Span> places;  // of its phrase, or of each of its ideas
  bool is_who = false;                      // it says who gets the goods
};

/// The need of the longest phrase that the message holds, or of the ideas that cover more, in five
/// languages: "a gift for someone who loves cooking", "my bedroom is freezing". A child's need is
/// that of the age that is said. What somebody does says more than who it is: gifts
/// and people count where nothing else is said. Pure.
std::optional<Need> FindNeed(const FoldedMessage& message);

/// What somebody is said to like (FindLiking), beyond what the need is about: nothing of "dad loves
/// fishing". Pure.
std::string LikingBeyondNeed(std::string_view message);

/// How old somebody is: 4 of "a 4 year old", "wird 4 Jahre", "4岁", 1.5 of "18 months old". Pure.
std::optional<double> ReadAge(const FoldedMessage& message);

/// The years from which a record says that its product is suitable: 6 of "age: 6+", of "for ages 6
/// and up" in its title; a puzzle's pieces say it, too. Pure.
std::optional<double> MinAgeOf(const catalog::Product& product);

/// The types that help with what `type` was advised for, the best first: its own and their
/// alternatives, or those of the need that it is named for. Empty: its goods are named. Pure.
std::vector<std::string> HelpOf(const ProductType& type);

/// The types that help with the need of that name, the best first; empty: there is no such need.
std::vector<std::string> TypesOfNeed(std::string_view name);

}  // namespace emptor::services
