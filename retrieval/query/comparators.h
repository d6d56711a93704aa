// Comparison words before and after a number, in five languages.
#pragma once

#include <vector>

#include "retrieval/query/query_tokens.h"

namespace emptor::retrieval {

enum class Bound {
  kNone,
  kUpper,   // "up to", "at most"
  kLower,   // "at least"
  kBelow,   // "smaller than", strictly
  kAbove,   // "bigger than", strictly
  kAround,  // "about"
  kBudget,  // "my budget is": of money only
};

struct Comparator {
  Bound bound = Bound::kNone;
  size_t length = 0;           // tokens
  bool of_money = true;        // valid before an amount of money
  bool of_size = true;         // valid before a quantity with a unit
  const char* attribute = "";  // the compared attribute if the word implies it: "weight"
};

/// The longest comparison that begins at token `at`; kNone if there is none.
Comparator ReadComparator(const std::vector<QueryToken>& tokens, size_t at);

/// A comparison after a number: "or less", "max", "以下", "and up", "oder mehr".
Comparator ReadSuffix(const std::vector<QueryToken>& tokens, size_t at);

/// "between", "from", "zwischen", "entre"; 0 or 1 tokens.
size_t ReadRangeWord(const std::vector<QueryToken>& tokens, size_t at);

/// True for a word between the two ends of a range: "and", "to", "-", "bis", "到".
bool IsRangeJoint(const QueryToken& token, bool behind_range_word);

}  // namespace emptor::retrieval
