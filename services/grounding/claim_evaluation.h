// Whether the records entail a sentence: its subjects, clause by clause.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/claim_atoms.h"
#include "services/grounding/claim_parser.h"
#include "services/grounding/claims.h"

namespace emptor::services {

/// What an evaluation needs beside the sentence. Holds references.
struct ClaimContext {
  const ClaimNames& names;
  std::string_view language;
  const std::optional<ClaimRank>& rank;
  const std::vector<ClaimClause>& question;
  std::vector<int> numbers;  // source number of each record
  int previous = -1;         // record that the sentence before was about
};

/// Pure.
ClaimVerdict EvaluateClaims(const std::vector<ClaimClause>& clauses, const ClaimContext& context);

/// The comparison that begins at an item: of what, and which way.
struct ClaimComparison {
  std::vector<ClaimMeasure> measures;  // one of them holds and none is false
  bool is_less = false;
  bool is_superlative = false;
  bool is_about = false;                         // the difference is "about" so much
  double factor = 0;                             // "twice as long": 2; 0: none is stated
  ClaimBound factor_bound = ClaimBound::kEqual;  // "more than twice"
  size_t factor_at = std::string::npos;          // the number of "four times"
};
std::optional<ClaimComparison> FindClaimComparison(const ClaimClause& clause, size_t at,
                                                   const ClaimRecord& record);
/// By what the record states this number.
std::vector<ClaimMeasure> FindMeasuresOf(const ClaimRecord& record, const ClaimQuantity& quantity);

/// True of the measure of `subject` against each of the others, by `difference` if it is given.
ClaimTruth CompareClaim(const ClaimComparison& comparison, const ClaimRecord& subject,
                        const std::vector<const ClaimRecord*>& others,
                        const ClaimQuantity* difference);

}  // namespace emptor::services
