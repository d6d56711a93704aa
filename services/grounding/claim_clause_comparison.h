// Comparisons and superlatives of one clause about one product.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "services/grounding/claim_clause.h"

namespace emptor::services {

/// True for a phrase that compares: "cheaper", "most", "twice".
bool IsClaimComparison(const ClaimItem& item);

/// Reads what a clause compares. Holds references: lives no longer than they do.
class ClauseComparisons {
 public:
  struct Reading {
    ClaimTruth truth = ClaimTruth::kUnknown;
    bool is_superlative = false;
    bool of_price = false;
  };

  /// `done`: the items of the clause that something has explained.
  ClauseComparisons(const ClaimScope& scope, int record, const ClaimContext& context,
                    std::vector<bool>& done);

  /// The comparison at item `i`, if one is there. Marks its numbers and labels as done.
  std::optional<Reading> Read(size_t i, bool is_denied);

  /// The products that it is compared with.
  std::vector<const ClaimRecord*> Others(bool is_superlative) const;

  /// A number that says how many products there are: "the three".
  bool IsSetAt(size_t i) const;

 private:
  size_t DifferenceAt(size_t i) const;
  bool IsBound(size_t i) const;
  bool IsCounted(size_t i) const;
  bool IsFactorNext(size_t i) const;
  bool IsPlainLabel(size_t i) const;
  ClaimTruth OfRank(const ClaimComparison& comparison) const;
  void ReadNumbers(const std::vector<const ClaimRecord*>& others, size_t at, ClaimTruth& truth,
                   ClaimComparison& of);
  std::vector<size_t> OpenNumbers() const;
  bool MayCompareBy(const ClaimMeasure& measure, size_t at) const;
  bool HasThan(const std::vector<size_t>& numbers) const;
  void PreferStated(size_t difference, ClaimComparison& of) const;
  void PreferStatedBefore(ClaimComparison& of) const;
  void LimitTo(const ClaimQuantity& quantity, ClaimComparison& of) const;
  void MarkNamed(const ClaimComparison& comparison, size_t at);
  std::vector<ClaimMeasure> MeasuresOf(const ClaimQuantity& quantity) const;

  const ClaimScope& scope_;
  const std::vector<ClaimItem>& items_;
  const ClaimContext& context_;
  const ClaimRecord& record_;
  const int index_;
  std::vector<bool>& done_;
};

}  // namespace emptor::services
