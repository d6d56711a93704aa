// One clause about one product: all that it states.
#pragma once

#include <string>
#include <vector>

#include "services/grounding/claim_atoms.h"
#include "services/grounding/claim_evaluation.h"
#include "services/grounding/claim_parser.h"
#include "services/grounding/claims.h"

namespace emptor::services {

/// A clause with what it is about.
struct ClaimScope {
  const ClaimClause& clause;
  std::vector<int> objects;             // behind "than"
  std::vector<int> mentioned;           // in the whole sentence
  size_t counted = std::string::npos;   // item that counts products: "three of them"
  bool of_shop = false;                 // "our cheapest"
  const ClaimClause* before = nullptr;  // the last one about the same products
};

struct ClauseResult {
  ClaimTruth truth = ClaimTruth::kTrue;  // of all claims together
  bool has_claims = false;
  ClaimRule rule = ClaimRule::kNone;  // of the first one that is not true
  std::string claim;
  std::vector<StatedClaim> stated;
  bool is_denied = false;
};

/// Holds the clause against the record of that index. Pure.
ClauseResult EvaluateClause(const ClaimScope& scope, int record, const ClaimContext& context);

/// The truth of the question for one record; words that no record holds are passed over.
ClaimTruth TruthOfQuestion(int record, const ClaimContext& context);

/// True for an item that states something of a product.
bool IsClaimItem(const ClaimItem& item);

/// "None of them": no product does what follows. "Keine" within a clause is a plain "no".
bool IsNothing(const ClaimClause& clause, size_t at);

}  // namespace emptor::services
