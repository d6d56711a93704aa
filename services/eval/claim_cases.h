// Sentences that are true or false by the records: the test of the claim checker.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/grounding/claims.h"

namespace emptor::services {

/// One line of a case file (docs/formats/claim_cases.md).
struct ClaimCase {
  std::string id, language, shop, kind, question, sentence;
  std::vector<std::string> products, documents;
  std::optional<ClaimRank> rank;
  bool is_true = false;

  /// One of five: only totals of these are printed.
  bool is_sealed() const;
};

/// Errors: kInvalidArgument with the line and the member.
absl::StatusOr<std::vector<ClaimCase>> ParseClaimCases(std::string_view text);

/// Where a case finds its records.
struct ClaimRecords {
  std::function<std::optional<catalog::Product>(const std::string& id)> product;
  std::function<std::optional<catalog::Document>(const std::string& id)> document;
};

struct JudgedClaim {
  const ClaimCase* of = nullptr;
  ClaimVerdict verdict;

  bool is_wrong() const { return verdict.is_entailed != of->is_true; }
};
struct JudgedClaims {
  std::vector<JudgedClaim> claims;
  size_t skipped = 0;  // a record of theirs is not in the shop
};
/// Checks every sentence at this time. Holds pointers into `cases`.
JudgedClaims JudgeClaims(const std::vector<ClaimCase>& cases, const ClaimRecords& records,
                         int64_t now_unix);

/// False ones passed and true ones blocked: open and sealed, by kind, by language. With `failures`
/// each open sentence that was judged wrongly.
std::string ClaimReportText(const JudgedClaims& judged, bool failures);

}  // namespace emptor::services
