// Words of comparison, before a number and behind it, in five languages.
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
  bool of_money = true;        // may stand before an amount
  bool of_size = true;         // may stand before a quantity with a unit
  const char* attribute = "";  // what is compared, where the word says it: "weight"
};

/// The longest comparison that begins at token `at`; kNone where there is none.
Comparator ReadComparator(const std::vector<QueryToken>& tokens, size_t at);

/// A comparison behind a number: "or less", "max", "以下", "and up", "oder mehr".
Comparator ReadSuffix(const std::vector<QueryToken>& tokens, size_t at);

/// "between", "from", "zwischen", "entre"; 0 or 1 tokens.
size_t ReadRangeWord(const std::vector<QueryToken>& tokens, size_t at);

/// True for what joins the two ends of a range: "and", "to", "-", "bis", "到".
bool IsRangeJoint(const QueryToken& token, bool behind_range_word);

}  // namespace emptor::retrieval
