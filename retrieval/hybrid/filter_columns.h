// The filterable properties of a segment's records, by column, and the compiled filter.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/hybrid/filter.h"
#include "retrieval/hybrid/filter_row.h"
#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// Texts of the records: distinct values in the order of their first use, and the ids of each
/// record's values, ascending. No two values are equal when folded.
struct TextColumn {
  std::vector<std::string> values;
  std::vector<uint32_t> ends;  // [records] end in ids
  std::vector<uint32_t> ids;
};

/// Everything that FilterColumns holds, as plain arrays: what an index file stores.
struct FilterColumnData {
  struct Price {
    int64_t from_unix;
    int64_t amount;     // negative: nothing is for sale
    uint32_t currency;  // in currencies
    uint32_t region;    // in regions
  };
  struct Number {
    uint32_t attribute;  // in attribute_names
    uint32_t unit;       // in units
    float value;
  };

  std::array<TextColumn, kFilterFieldCount> texts;  // by FilterField
  std::vector<uint8_t> availability;                // [records]
  std::vector<uint8_t> condition;                   // [records]
  std::vector<float> rating;                        // [records] -1: none
  std::vector<std::string> currencies, regions;
  std::vector<uint32_t> price_ends;  // [records] end in prices
  std::vector<Price> prices;         // steps of one region and currency lie together, ascending
  std::vector<std::string> attribute_names, units;
  std::vector<uint32_t> number_ends;  // [records] end in numbers
  std::vector<Number> numbers;
  std::vector<std::string> terms;         // distinct
  std::vector<std::string> term_records;  // [terms] gaps between ascending records, LEB128
};

/// A Filter with its text folded, made once for each request.
struct CompiledFilter {
  explicit CompiledFilter(const Filter& filter);

  Filter filter;                                   // texts folded
  std::vector<std::vector<std::string>> excluded;  // terms of each exclusion
  bool empty() const { return filter.empty(); }
};

/// Thread-safety: const methods. Add is for building.
class FilterColumns {
 public:
  FilterColumns() = default;

  /// Takes stored columns. Errors: kDataLoss when lengths or ids do not fit together.
  static absl::StatusOr<FilterColumns> FromData(FilterColumnData data);
  const FilterColumnData& data() const { return data_; }

  void Add(const FilterRow& row);

  /// A record of one of the columns that are merged.
  struct Origin {
    size_t source;
    uint32_t record;
  };
  /// The records `origins` of `sources`, in that order; equal to adding their rows.
  static FilterColumns Merge(std::span<const FilterColumns* const> sources,
                             std::span<const Origin> origins);

  size_t record_count() const { return data_.availability.size(); }

  /// The records that meet every condition at `now_unix`. Linear in the records for a condition
  /// that keeps much; each further condition looks at what is left.
  RecordSet Select(const CompiledFilter& compiled, int64_t now_unix) const;

  /// A value of this catalog that equals the folded text.
  struct KnownValue {
    std::string_view text;  // as the catalog writes it
    uint32_t id = 0;
    size_t records = 0;
  };
  std::optional<KnownValue> Find(FilterField field, const std::string& folded) const;
  /// Records that own to a term (filter_terms.h).
  size_t CountTerm(const std::string& term) const;

  /// Ids of one record's values.
  std::span<const uint32_t> values(FilterField field, uint32_t record) const;
  const std::string& value(FilterField field, uint32_t id) const {
    return data_.texts[static_cast<size_t>(field)].values[id];
  }
  size_t value_count(FilterField field) const {
    return data_.texts[static_cast<size_t>(field)].values.size();
  }

  /// What a shopper pays for a record; nothing when it has no price there in that currency (an
  /// empty currency: in any).
  std::optional<int64_t> PriceOf(uint32_t record, const std::string& currency,
                                 const std::string& region, int64_t now_unix) const;

 private:
  using Ids = std::unordered_map<std::string, uint32_t>;

  void AddTexts(FilterField field, const std::vector<std::string>& values);
  void AddTerms(const std::vector<std::string>& terms, uint32_t record);
  void IndexValues();
  uint32_t Intern(const std::string& text, std::vector<std::string>& texts, Ids& ids);
  void MergeTerms(std::span<const FilterColumns* const> sources, std::span<const Origin> origins);

  void KeepAnyOf(FilterField field, const std::vector<std::string>& wanted, RecordSet& set) const;
  void DropAnyOf(FilterField field, const std::vector<std::string>& refused, RecordSet& set) const;
  void KeepLocale(const std::string& locale, RecordSet& set) const;
  void KeepPrice(const Filter& filter, int64_t now_unix, RecordSet& set) const;
  void KeepRange(const NumericRange& range, RecordSet& set) const;
  void DropOwning(const std::vector<std::string>& terms, RecordSet& set) const;
  void KeepStates(const Filter& filter, RecordSet& set) const;
  std::vector<bool> IdsOf(FilterField field, const std::vector<std::string>& folded) const;

  FilterColumnData data_;
  // Made from the data: look-ups by folded value, records by value.
  std::array<Ids, kFilterFieldCount> ids_;
  std::array<std::vector<uint32_t>, kFilterFieldCount> counts_;
  Ids currency_ids_, region_ids_, name_ids_, unit_ids_, term_ids_;
  std::vector<uint32_t> last_of_term_;  // [terms] its last record
};

}  // namespace emptor::retrieval
