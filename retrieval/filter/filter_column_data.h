// The content of FilterColumns as plain arrays, as the segment file stores it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/filter/filter_row.h"

namespace emptor::retrieval {

/// Texts of the records: distinct values in the order of their first use, and the ids of each
/// record's values, ascending. No two values are equal when folded.
struct TextColumn {
  std::vector<std::string> values;
  std::vector<uint32_t> ends;  // [records] end in ids
  std::vector<uint32_t> ids;
};

struct FilterColumnData {
  struct Price {
    int64_t from_unix;
    int64_t amount;     // negative: nothing is for sale
    uint32_t currency;  // in currencies
    uint32_t region;    // in regions

    friend bool operator==(const Price&, const Price&) = default;
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
  std::vector<uint32_t> rating_count;               // [records]
  std::vector<uint32_t> updated;                    // [records] Unix seconds, 0: unknown
  std::vector<float> popularity;                    // [records] ln(1 + n)
  std::vector<std::string> currencies, regions;
  std::vector<uint32_t> price_ends;  // [records] end in prices
  std::vector<Price> prices;         // steps of one region and currency lie together, ascending
  std::vector<std::string> attribute_names, units;
  std::vector<uint32_t> number_ends;  // [records] end in numbers
  std::vector<Number> numbers;
  std::vector<std::string> terms;         // distinct
  std::vector<std::string> term_records;  // [terms] gaps between ascending records, LEB128
};

}  // namespace emptor::retrieval
