// Products that a sentence names by their type.
#pragma once

#include <string_view>
#include <vector>

#include "services/grounding/claim_parser.h"

namespace emptor::services {

/// "A", "ein", "une", among articles.
bool IsIndefinite(const ClaimItem& article);

/// The record is of this type: by its types, by the head of a type's name ("the bottle" of a water
/// bottle), or by a word of its title ("duffels" of a duffel bag).
bool IsOfClaimType(const ClaimRecord& record, const ClaimItem& item, std::string_view language);

/// The records of this type: by their titles where one of them has it, else by their categories as
/// well ("Fans & Heaters").
std::vector<int> RecordsOfClaimType(const std::vector<ClaimRecord>& records, const ClaimItem& item,
                                    std::string_view language);

/// "The kettle" next to a toaster, "both duffels" next to a backpack: the last item of the clause
/// becomes the products of that type.
void ReadClaimTypeName(const ClaimNames& names, std::string_view language, ClaimClause& clause);

}  // namespace emptor::services
