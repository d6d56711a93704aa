// What a message asks of products that are known: its questions, and how many of a product.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The parts of a message, each of which may ask for a fact: "rating and how many reviews?". The
/// whole message where nothing parts it. Pure.
std::vector<std::string> SplitQuestions(const std::string& message);

/// The sentences of a message; the whole message where it is one. Pure.
std::vector<std::string> SplitSentences(const std::string& message);

/// Sentences, and what "; ", " - " and dots part, with their question marks. Pure.
std::vector<std::string> SplitStatements(const std::string& message);

/// The parts of a message that compares, each of which may name a product: "the Gridlow R90 or the
/// Torvane T20". The whole message where nothing parts it. Pure.
std::vector<std::string> SplitCompared(const std::string& message);

/// The parts of a sum: "two of the first and one of the third" has two. Pure.
std::vector<std::string> SplitSum(const std::string& message);

/// "Cover + inflator". Pure.
bool HasPlusSign(std::string_view message);

/// What is asked of the product that the first part of a message selects: "is it waterproof" of
/// "the cheaper of those - is it waterproof". Empty: no part asks. Pure.
std::string QuestionAfterSelection(const std::string& message);

/// How many of a product: 10 of "10 of that listing", 2 of "what do two of them cost"; 1 where the
/// message counts none. Pure.
int CountAsked(const FoldedMessage& message);

/// 1 for "first", -1 for "last", 0 for other words. Accents do not count. Pure.
int PlaceOfWord(std::string_view word);

/// 3 of "3", "three", "drei", "trois" and "tres"; 0 of a word that is no number up to 99. Pure.
int NumberOfWord(const std::string& word);

}  // namespace emptor::services
