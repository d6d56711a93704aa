// Which products a clause is about: names next to types and brands, and names that come later.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "services/grounding/claim_parser.h"

namespace emptor::services {

/// "The bed Hearth" is not every bed, and "the kit by Kyocera" not every product of the brand.
bool IsNamedBeside(const ClaimClause& clause, const ClaimItem& set);

/// "The best rating of the two bags": among which it is the best.
bool IsBehindOf(const ClaimClause& clause, const ClaimItem& type);

/// "Twice as much for the H75": said of the H75, without a product that it is compared to.
bool IsBeneficiary(const ClaimClause& clause, const ClaimItem& product);

/// "Of the two games, ...": it names a set by its type alone.
bool IsTypeAlone(const ClaimClause& clause);

/// "Both bins" of two vacuum cleaners and a fan: the two products with an attribute of this name.
void NarrowToLabels(const ClaimClause& clause, const std::vector<ClaimRecord>& records,
                    std::vector<int>& products);

/// The clause names the brand of this product.
bool IsOfBrand(const ClaimClause& clause, const ClaimRecord& record);

/// "With its seven gears and its light frame, the Canal ...", "Twelve speeds and a timer: that is
/// what the F30 has": the products that follow. `begin` is the first clause of the sentence.
std::vector<int> FindNamedLater(const std::vector<ClaimClause>& clauses, size_t begin, size_t at);

/// "The K70 lasts 10 years, the K80 5": the number at `at` with the unit and the words of the
/// clause before. Nothing where that one does not measure once.
std::optional<ClaimClause> WithUnitOf(const ClaimClause& stated, const ClaimClause& clause,
                                      size_t at);

}  // namespace emptor::services
