// Column by column, as FilterColumnData holds them; checked as a whole by FilterColumns::FromData.
#include "retrieval/hybrid/filter_columns_codec.h"

#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "retrieval/hybrid/byte_codec.h"

namespace emptor::retrieval {
namespace {

// Arrays go as they lie in memory: no padding may be among their bytes.
static_assert(sizeof(FilterColumnData::Price) == 24 && sizeof(FilterColumnData::Number) == 12);

template <typename T>
void PutArray(const std::vector<T>& values, ByteWriter& out) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.PutText({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

void PutTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.Put(static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) out.PutText(text);
}

/// False when the bytes are no whole number of values.
template <typename T>
bool GetArray(ByteReader& in, std::vector<T>& values) {
  const std::string_view bytes = in.GetText();
  if (bytes.size() % sizeof(T) != 0) return false;
  values.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return true;
}

void GetTexts(ByteReader& in, std::vector<std::string>& texts) {
  for (uint32_t n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) texts.emplace_back(in.GetText());
}

bool GetData(ByteReader& in, FilterColumnData& data) {
  bool whole = true;
  for (TextColumn& column : data.texts) {
    GetTexts(in, column.values);
    whole = whole && GetArray(in, column.ends) && GetArray(in, column.ids);
  }
  whole = whole && GetArray(in, data.availability) && GetArray(in, data.condition) &&
          GetArray(in, data.rating);
  GetTexts(in, data.currencies);
  GetTexts(in, data.regions);
  whole = whole && GetArray(in, data.price_ends) && GetArray(in, data.prices);
  GetTexts(in, data.attribute_names);
  GetTexts(in, data.units);
  whole = whole && GetArray(in, data.number_ends) && GetArray(in, data.numbers);
  GetTexts(in, data.terms);
  GetTexts(in, data.term_records);
  return whole;
}

}  // namespace

std::string EncodeFilterColumns(const FilterColumns& columns) {
  const FilterColumnData& data = columns.data();
  ByteWriter out;
  out.Put(kFilterColumnsVersion);
  for (const TextColumn& column : data.texts) {
    PutTexts(column.values, out);
    PutArray(column.ends, out);
    PutArray(column.ids, out);
  }
  PutArray(data.availability, out);
  PutArray(data.condition, out);
  PutArray(data.rating, out);
  PutTexts(data.currencies, out);
  PutTexts(data.regions, out);
  PutArray(data.price_ends, out);
  PutArray(data.prices, out);
  PutTexts(data.attribute_names, out);
  PutTexts(data.units, out);
  PutArray(data.number_ends, out);
  PutArray(data.numbers, out);
  PutTexts(data.terms, out);
  PutTexts(data.term_records, out);
  return out.Take();
}

absl::StatusOr<FilterColumns> DecodeFilterColumns(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  if (in.Get<uint32_t>() != kFilterColumnsVersion) {
    return absl::DataLossError("filter columns: expected another version");
  }
  FilterColumnData data;
  if (!GetData(in, data) || !in.done()) {
    return absl::DataLossError("filter columns: cut, or bytes are left over");
  }
  return FilterColumns::FromData(std::move(data));
}

}  // namespace emptor::retrieval
