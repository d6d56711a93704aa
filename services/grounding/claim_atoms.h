// What one clause states of one product, item by item, held against its record.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "services/grounding/claim_parser.h"
#include "services/grounding/claim_record.h"

namespace emptor::services {

/// By the record; kUnknown: it says nothing about it.
enum class ClaimTruth { kFalse, kUnknown, kTrue };

ClaimTruth NotClaim(ClaimTruth truth);
inline ClaimTruth AsClaimTruth(bool holds) {
  return holds ? ClaimTruth::kTrue : ClaimTruth::kFalse;
}

/// By what products are compared.
struct ClaimMeasure {
  enum class Kind { kPrice, kRating, kReviews, kKey };
  Kind kind = Kind::kPrice;
  std::vector<int> properties;  // kKey
  std::string label;            // kKey: words of the sentence
};
/// Nothing where the record states no number.
std::optional<double> MeasureOf(const ClaimRecord& record, const ClaimMeasure& measure);

/// Where in a clause a bound or a price before a sale is named.
enum class ClaimBound { kEqual, kAtLeast, kAtMost, kOver, kUnder, kAbout };
ClaimBound BoundOf(const ClaimClause& clause, size_t at);
bool MeetsBound(double value, ClaimBound bound, double limit);

/// Reads one clause for one record. Holds references: lives no longer than they do.
class ClaimAtoms {
 public:
  ClaimAtoms(const ClaimClause& clause, const ClaimRecord& record);

  /// The number at `at` is that of a label, of the price, of the rating, or of any key.
  ClaimTruth Number(size_t at);
  /// A value, of the label next to it if one is.
  ClaimTruth Value(size_t at);
  /// "The battery is not removable" of a key "removable battery".
  ClaimTruth ValueInName(size_t at);
  /// An attribute without value or number: it is there, or means yes.
  ClaimTruth Label(size_t at) const;
  /// "Survives rain" of a yes.
  ClaimTruth Degree(size_t at) const;
  /// The words without another meaning stand in one sentence of the record.
  ClaimTruth Words(const std::vector<size_t>& items, bool is_denied) const;

  /// Labels that a number or value was bound to.
  bool is_bound(size_t at) const { return bound_[at]; }
  bool IsLikeBound(const ClaimItem& item) const;
  /// A label is of use to a number only: "20 cm wide".
  bool IsDegreeOnly(const ClaimItem& item) const;
  /// An item with this role stands so near.
  bool IsNear(size_t at, ClaimRole role, size_t distance) const;

 private:
  ClaimTruth Money(size_t at);
  ClaimTruth Rating(size_t at);
  ClaimTruth Discount(size_t at) const;
  ClaimTruth OfKeys(size_t at, const std::vector<const ClaimKey*>& keys, ClaimBound bound) const;
  ClaimTruth OfAnyKey(size_t at, ClaimBound bound) const;
  ClaimTruth ValueAnywhere(const ClaimItem& item) const;
  bool AgreesWithLabels(const ClaimKey& key) const;
  void BindLike(size_t at);
  bool IsCountOfKey(size_t at) const;
  bool IsTimes(size_t at) const;
  bool IsRange(size_t at) const;
  bool IsInKey(const ClaimItem& item) const;
  bool IsOfOneKey(const ClaimQuantity& wanted) const;
  bool NamesRest(const ClaimItem& label, const ClaimKey& key, const std::string& word) const;
  bool HoldsUnit(int unit) const;
  bool IsList() const;
  bool IsNextInText(size_t at, const ClaimText& text) const;
  bool IsDeniedByKey(const ClaimItem& item) const;
  bool NamesWordOf(const ClaimKey& key, const ClaimItem& item) const;
  /// Its name says that it is measured in this unit.
  static bool IsKeyOfBase(const ClaimKey& key, const std::string& base);
  static bool IsPlainLabel(const ClaimKey& key, const ClaimItem& item);
  bool IsNamed(const ClaimItem& item, const ClaimText& text) const;
  bool HasForeignLabel() const;
  std::vector<const ClaimKey*> KeysAt(size_t at) const;
  std::optional<size_t> LabelFor(size_t at, bool of_number) const;
  std::optional<size_t> NearestLabel(size_t at, bool of_number, bool of_verbs) const;
  bool HasRole(ClaimRole role) const { return clause_.Has(role); }

  const ClaimClause& clause_;
  const ClaimRecord& record_;
  std::vector<bool> bound_;
};

/// The measure of the record is that quantity, whose unit the record may leave out.
bool IsOfMeasure(const ClaimRecord& record, const ClaimMeasure& measure,
                 const ClaimQuantity& quantity);

/// The keys of a record that a label speaks of.
std::vector<const ClaimKey*> KeysOfLabel(const ClaimRecord& record, const ClaimItem& label);

}  // namespace emptor::services
