// What a message asks of products that are known: its questions, and how many of a product.
#pragma once

#include <string>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The parts of a message, each of which may ask for a fact: "rating and how many reviews?". The
/// whole message where nothing parts it. Pure.
std::vector<std::string> SplitQuestions(const std::string& message);

/// What is asked of the product that the first part of a message selects: "is it waterproof" of
/// "the cheaper of those - is it waterproof". Empty: no part asks. Pure.
std::string QuestionAfterSelection(const std::string& message);

/// How many of a product: 10 of "10 of that listing", 2 of "what do two of them cost"; 1 where the
/// message counts none. Pure.
int CountAsked(const FoldedMessage& message);

}  // namespace emptor::services
