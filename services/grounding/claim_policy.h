// Whether a help page entails a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/claim_record.h"

namespace emptor::services {

/// The sentences of a document, its title first.
struct ClaimPage {
  std::vector<ClaimText> texts;
};
ClaimPage ReadClaimPage(const catalog::Document& document);

/// True if every word, number and negation of the sentence, or of each of its clauses, stands in
/// one of the pages. Pure.
bool PagesEntail(std::string_view sentence, std::string_view language,
                 const std::vector<ClaimPage>& pages);

/// The same of one clause.
bool PagesEntailClause(const std::vector<ClaimToken>& tokens, std::string_view language,
                       const std::vector<ClaimPage>& pages);

/// The first words of the sentence that no page holds; empty: each is somewhere.
std::string MissingFromPages(std::string_view sentence, std::string_view language,
                             const std::vector<ClaimPage>& pages);

}  // namespace emptor::services
