// Which tokens of a sentence name a product.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "services/grounding/claim_phrases.h"
#include "services/grounding/claim_record.h"

namespace emptor::services {

/// Finds titles, brands and model numbers. Holds references: lives no longer than they do.
class ClaimNameFinder {
 public:
  ClaimNameFinder(const std::vector<ClaimToken>& tokens,
                  const std::vector<ClaimQuantity>& quantities, std::string_view language)
      : tokens_(tokens),
        quantities_(quantities),
        phrases_(ClaimPhrases(language)),
        has_capital_nouns_(language == "de") {}

  /// Tokens from `at` that the title of the record holds; 0: they do not name it.
  size_t LengthAt(size_t at, const ClaimRecord& record) const;

 private:
  bool IsName(size_t at, const ClaimRecord& record) const;
  bool IsModelName(size_t at, const ClaimRecord& record) const;
  bool IsInPhrase(size_t at) const;
  bool BeginsSubject(size_t at) const;
  bool IsMeasure(size_t at) const;
  bool IsOwnValue(size_t at, size_t length, const ClaimRecord& record) const;
  bool FollowsInTitle(size_t i, size_t at, const ClaimRecord& record) const;

  const std::vector<ClaimToken>& tokens_;
  const std::vector<ClaimQuantity>& quantities_;
  const ClaimPhraseIndex& phrases_;
  const bool has_capital_nouns_;
};

}  // namespace emptor::services
