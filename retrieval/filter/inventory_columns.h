// The inventory columns: prices, stock, rating and popularity, which change without the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/filter/filter_column_data.h"
#include "retrieval/filter/filter_row.h"
#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// The new inventory of one record.
struct InventoryChange {
  uint32_t record = 0;
  FilterRow row;  // what MakeInventoryRow fills in
};

/// Availability, condition, rating, age, popularity, prices and stores of the records, in pages of
/// 128 records.
/// Copies share pages: a changed copy costs its changed pages and a pointer to each other page, so
/// readers keep the columns that they started with and need no lock.
/// Thread-safety: const methods. Add is for building, before the first copy.
class InventoryColumns {
 public:
  InventoryColumns() : names_(std::make_shared<Names>()) {}

  /// REQUIRES: lengths and ids are consistent (FilterColumns::FromData).
  static InventoryColumns FromData(const FilterColumnData& data);
  /// Writes the arrays of the inventory into `data`.
  void CopyInto(FilterColumnData& data) const;

  void Add(const FilterRow& row);

  /// A copy with these records replaced. REQUIRES: records ascend strictly.
  InventoryColumns With(std::span<const InventoryChange> changes) const;
  /// The records that differ in `later`, ascending. REQUIRES: it was made from this one by With.
  std::vector<uint32_t> DifferencesTo(const InventoryColumns& later) const;

  size_t record_count() const { return record_count_; }
  size_t byte_size() const;  // in memory
  /// The current row of a record.
  FilterRow row(uint32_t record) const;

  catalog::Availability availability(uint32_t record) const {
    return static_cast<catalog::Availability>(entry(record).availability);
  }
  catalog::Condition condition(uint32_t record) const {
    return static_cast<catalog::Condition>(entry(record).condition);
  }
  float rating(uint32_t record) const { return entry(record).rating; }  // -1: none
  uint32_t rating_count(uint32_t record) const { return entry(record).rating_count; }
  /// updated_at of the feed in Unix seconds; 0: unknown.
  uint32_t updated_unix(uint32_t record) const { return entry(record).updated; }
  /// ln(1 + count); 0 without a count.
  float popularity(uint32_t record) const { return entry(record).popularity; }

  /// True when the record has a price that is not limited to a region.
  bool has_price(uint32_t record) const;
  /// The price payable at `now_unix` in `currency` (empty: any) and `region`; nothing when there is
  /// none.
  std::optional<int64_t> PriceOf(uint32_t record, const std::string& currency,
                                 const std::string& region, int64_t now_unix) const;

  /// Removes the records that fail the filter's conditions on the inventory. Texts are folded.
  void Keep(const Filter& folded, int64_t now_unix, RecordSet& set) const;

  struct Location {
    std::string_view text;  // in the spelling of the catalog
    uint32_t id = 0;
    size_t records = 0;
  };
  std::optional<Location> FindLocation(const std::string& folded) const;

 private:
  using Price = FilterColumnData::Price;
  using Ids = std::unordered_map<std::string, uint32_t>;

  struct Entry {
    float rating, popularity;
    uint32_t rating_count, updated;
    uint8_t availability, condition;
    uint32_t price_end, location_end;  // within the page
  };
  struct Page {
    std::vector<Entry> entries;
    std::vector<Price> prices;
    std::vector<uint32_t> locations;  // ids, ascending within a record

    std::span<const Price> prices_of(size_t slot) const;
    std::span<const uint32_t> locations_of(size_t slot) const;
    void CopyFrom(const Page& other, size_t slot);
    bool HoldsSame(const Page& other, size_t slot) const;
  };
  /// Texts by id. Ids never change, so copies share them.
  struct Names {
    std::vector<std::string> currencies, regions, locations;
    std::vector<size_t> location_records;        // [locations]
    Ids currency_ids, region_ids, location_ids;  // locations folded
  };
  static constexpr size_t kPageRecords = 128;

  const Page& page_of(uint32_t record) const { return *pages_[record / kPageRecords]; }
  const Entry& entry(uint32_t record) const {
    return page_of(record).entries[record % kPageRecords];
  }
  Page& LastPage();
  static void Append(const FilterRow& row, Page& page, Names& names);
  void KeepStates(const Filter& filter, RecordSet& set) const;
  void KeepPrice(const Filter& filter, int64_t now_unix, RecordSet& set) const;
  void KeepLocation(const std::string& folded, RecordSet& set) const;

  std::vector<std::shared_ptr<Page>> pages_;  // full but for the last; shared ones never change
  std::shared_ptr<Names> names_;
  size_t record_count_ = 0;
};

}  // namespace emptor::retrieval
