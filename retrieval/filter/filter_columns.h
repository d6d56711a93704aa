// The filter columns of a segment, and the compiled filter.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "retrieval/filter/filter_column_data.h"
#include "retrieval/filter/filter_row.h"
#include "retrieval/filter/inventory_columns.h"
#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// A Filter with folded text, compiled once a request.
struct CompiledFilter {
  explicit CompiledFilter(const Filter& filter);

  Filter filter;                                   // texts folded
  std::vector<std::vector<std::string>> excluded;  // terms of each exclusion
  std::vector<NumericRange> excluded_ranges;       // of exclusions that are a quantity
  bool empty() const { return filter.empty(); }
};

/// Number of records that state a property with a unit of one dimension, or as a plain number.
struct MeasureCounts {
  size_t measured = 0, plain = 0;

  /// True when bounds of the property are meaningful. If most records omit the unit ("internal
  /// memory: 8"), a bound would exclude most of the records that meet it.
  bool answers_bounds() const { return measured > 0 && measured >= plain; }
};

/// The inventory columns, and the columns of the properties that do not change without the text.
/// Thread-safety: const methods. Add is for building, before the first With.
class FilterColumns {
 public:
  FilterColumns() : fixed_(std::make_shared<Fixed>()) {}
  FilterColumns(FilterColumns&&) = default;
  FilterColumns& operator=(FilterColumns&&) = default;

  /// From stored columns. Errors: kDataLoss when lengths or ids are inconsistent.
  static absl::StatusOr<FilterColumns> FromData(FilterColumnData data);
  FilterColumnData data() const;

  void Add(const FilterRow& row);

  /// A copy with the inventory of some records replaced; it shares the rest. REQUIRES: the records
  /// ascend strictly.
  FilterColumns With(std::span<const InventoryChange> changes) const;
  const InventoryColumns& inventory() const { return inventory_; }

  /// A record of one of the merged columns.
  struct Origin {
    size_t source;
    uint32_t record;
  };
  /// The records `origins` of `sources`, in that order; equal to adding their rows.
  static FilterColumns Merge(std::span<const FilterColumns* const> sources,
                             std::span<const Origin> origins);

  size_t record_count() const { return inventory_.record_count(); }
  size_t byte_size() const;  // in memory, linear in the distinct texts

  /// The records that meet every condition at `now_unix`. Cost: linear in the records for a
  /// condition that most records meet; each further condition tests only the remaining records.
  RecordSet Select(const CompiledFilter& compiled, int64_t now_unix) const;

  /// A value of the segment that equals the folded text.
  struct KnownValue {
    std::string_view text;  // in the spelling of the catalog
    uint32_t id = 0;
    size_t records = 0;
  };
  std::optional<KnownValue> Find(FilterField field, const std::string& folded) const;
  /// Number of records that claim a term (filter_terms.h).
  size_t CountTerm(const std::string& term) const;

  /// Counts over the attributes whose name has the words of `attribute` (empty: all).
  MeasureCounts CountMeasures(const std::string& attribute, const std::string& base_unit) const;

  /// Ids of one record's values. These three are for every field but kLocation (see inventory()).
  std::span<const uint32_t> values(FilterField field, uint32_t record) const;
  const std::string& value(FilterField field, uint32_t id) const {
    return fixed_->data.texts[static_cast<size_t>(field)].values[id];
  }
  size_t value_count(FilterField field) const {
    return fixed_->data.texts[static_cast<size_t>(field)].values.size();
  }

 private:
  FilterColumns(const FilterColumns&) = default;  // shares fixed_; for With

  using Ids = std::unordered_map<std::string, uint32_t>;

  /// The records that have a value.
  struct ValuePostings {
    std::string records;  // term_records.h
    uint32_t count = 0, last = 0;

    void Add(uint32_t record);  // REQUIRES: they ascend
  };

  /// The part that never changes; copies share it.
  struct Fixed {
    FilterColumnData data;  // without the inventory columns
    // Derived from the data: ids by folded value, records by value.
    std::array<Ids, kFilterFieldCount> ids;
    std::array<std::vector<ValuePostings>, kFilterFieldCount> postings;
    // Numbers by attribute and unit: attribute << 32 | unit.
    std::unordered_map<uint64_t, uint32_t> measures;
    Ids name_ids, unit_ids, term_ids;
    std::vector<uint32_t> last_of_term;  // [terms] its last record
  };

  void AddTexts(FilterField field, const std::vector<std::string>& values);
  void AddTerms(const std::vector<std::string>& terms, uint32_t record);
  void IndexValues();
  uint32_t Intern(const std::string& text, std::vector<std::string>& texts, Ids& ids);
  void MergeTerms(std::span<const FilterColumns* const> sources, std::span<const Origin> origins);

  void KeepAnyOf(FilterField field, const std::vector<std::string>& wanted, RecordSet& set) const;
  void DropAnyOf(FilterField field, const std::vector<std::string>& refused, RecordSet& set) const;
  void KeepLocale(const std::string& locale, RecordSet& set) const;
  void KeepRange(const NumericRange& range, RecordSet& set) const;
  void DropClaiming(const std::vector<std::string>& terms, RecordSet& set) const;
  std::vector<uint32_t> IdsOf(FilterField field, const std::vector<std::string>& folded) const;
  size_t CountPostings(FilterField field, std::span<const uint32_t> ids) const;
  RecordSet RecordsWithAny(FilterField field, std::span<const uint32_t> ids) const;

  std::shared_ptr<Fixed> fixed_;
  InventoryColumns inventory_;
};

}  // namespace emptor::retrieval
