// How a clause is to be read: conditions, exclusions, labels that a later clause leaves out.
#pragma once

#include <vector>

#include "services/grounding/claim_parser.h"

namespace emptor::services {

bool HasClaimNumber(const ClaimClause& clause);

/// "The listing does not say": it denies that the record states something.
bool IsClaimDenial(const std::vector<ClaimClause>& clauses);

/// One of the first two items has the role: "if", "but if".
bool ClaimBeginsWith(const ClaimClause& clause, ClaimRole role);

/// "If noise matters most": how much is wanted, without a number.
bool WeighsInClaim(const ClaimClause& clause);

/// The label next to the last plain number; null: none.
const ClaimItem* LabelOfLastNumber(const ClaimClause& clause);

/// "Canon Cyber-shot": the brand of one product next to the name of another.
bool MixesNames(const ClaimClause& clause);

/// "Only the K80", "the only one"; "only a 3-season tent" excludes no other product.
bool IsExclusiveClaim(const ClaimClause& clause);

/// "All three are from Sony" says so of each; "both the Sony and the Canon" names them.
bool IsClaimOfBrand(const ClaimClause& clause);

}  // namespace emptor::services
