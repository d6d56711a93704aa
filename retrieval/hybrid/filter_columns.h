// The filterable properties of a segment's records, by column, and the compiled filter.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "retrieval/hybrid/filter.h"
#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// A price that holds from a moment on, until the next one.
struct PriceStep {
  int64_t from_unix = 0;
  std::optional<catalog::Money> price;
};

/// What of a product can be filtered by; text already folded.
struct FilterRow {
  std::string brand;
  std::vector<std::string>
      categories;      // elements and leading paths: "kitchen", "kitchen > kettles"
  std::string locale;  // "en-us"
  catalog::Availability availability = catalog::Availability::kInStock;
  std::vector<PriceStep> prices;  // ascending; the first holds from the beginning of time
};

FilterRow MakeFilterRow(const catalog::Product& product);

/// A Filter with its text folded, made once for each request.
struct CompiledFilter {
  explicit CompiledFilter(const Filter& filter);

  Filter filter;  // brands, categories and locale folded
  bool empty() const { return filter.empty(); }
};

/// Thread-safety: const methods. Add is for building.
class FilterColumns {
 public:
  void Add(const FilterRow& row);

  size_t record_count() const { return brands_.size(); }

  /// Gives back what was added; merging segments goes through it.
  FilterRow row(uint32_t record) const;

  /// The records that meet every condition at `now_unix`.
  RecordSet Select(const CompiledFilter& compiled, int64_t now_unix) const;

 private:
  /// Distinct strings of a column, numbered.
  class Dictionary {
   public:
    uint32_t Intern(const std::string& text);
    const std::string& text(uint32_t id) const { return texts_[id]; }
    size_t size() const { return texts_.size(); }
    std::optional<uint32_t> Find(const std::string& text) const;

   private:
    std::map<std::string, uint32_t> ids_;
    std::vector<std::string> texts_;
  };

  struct Price {
    int64_t from_unix;
    int64_t amount;
    uint32_t currency;  // kNoPrice: nothing is for sale
  };
  static constexpr uint32_t kNoPrice = UINT32_MAX;

  RecordSet SelectCategories(const Filter& filter) const;
  bool PassesPrice(uint32_t record, const Filter& filter, int64_t now_unix) const;

  Dictionary brand_names_, category_names_, locale_names_, currency_names_;
  std::vector<uint32_t> brands_;                     // [records]
  std::vector<uint32_t> locales_;                    // [records]
  std::vector<catalog::Availability> availability_;  // [records]
  std::vector<uint32_t> price_ends_;                 // [records] end in prices_
  std::vector<Price> prices_;
  std::vector<uint32_t> category_ends_;  // [records] end in categories_
  std::vector<uint32_t> categories_;
  std::vector<std::vector<uint32_t>> category_records_;  // [categories] ascending
};

}  // namespace emptor::retrieval
