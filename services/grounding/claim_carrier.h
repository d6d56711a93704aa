// Verbs that no lexicon knows, between a product and what is said of it.
#pragma once

#include <cstddef>
#include <string_view>

#include "services/grounding/claim_parser.h"

namespace emptor::services {

/// "The R50 blankets up to 300 square meters": an unknown verb behind the subject carries a claim
/// that is checked of itself. By its ending, its place, and no strong verb ("floats", "outlasts").
bool IsCarrierVerb(const ClaimClause& clause, size_t at, std::string_view language);

}  // namespace emptor::services
