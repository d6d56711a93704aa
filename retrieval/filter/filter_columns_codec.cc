// Array by array, in the order of FilterColumnData.
#include "retrieval/filter/filter_columns_codec.h"

#include <string_view>
#include <utility>
#include <vector>

#include "retrieval/byte_codec.h"

namespace emptor::retrieval {
namespace {

static_assert(sizeof(FilterColumnData::Price) == 24);   // no gaps
static_assert(sizeof(FilterColumnData::Number) == 12);  // no gaps

void PutTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.Put(static_cast<uint64_t>(texts.size()));
  for (const std::string& text : texts) out.PutText(text);
}

std::vector<std::string> GetTexts(ByteReader& in) {
  std::vector<std::string> texts;
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) texts.emplace_back(in.GetText());
  return texts;
}

FilterColumnData GetData(ByteReader& in) {
  FilterColumnData data;
  for (TextColumn& column : data.texts) {
    column.values = GetTexts(in);
    column.ends = in.GetArray<uint32_t>();
    column.ids = in.GetArray<uint32_t>();
  }
  data.availability = in.GetArray<uint8_t>();
  data.condition = in.GetArray<uint8_t>();
  data.rating = in.GetArray<float>();
  data.rating_count = in.GetArray<uint32_t>();
  data.updated = in.GetArray<uint32_t>();
  data.popularity = in.GetArray<float>();
  data.currencies = GetTexts(in);
  data.regions = GetTexts(in);
  data.price_ends = in.GetArray<uint32_t>();
  data.prices = in.GetArray<FilterColumnData::Price>();
  data.attribute_names = GetTexts(in);
  data.units = GetTexts(in);
  data.number_ends = in.GetArray<uint32_t>();
  data.numbers = in.GetArray<FilterColumnData::Number>();
  data.terms = GetTexts(in);
  data.term_records = GetTexts(in);
  return data;
}

}  // namespace

std::string EncodeFilterColumns(const FilterColumns& columns) {
  const FilterColumnData data = columns.data();
  ByteWriter out;
  out.Put(kFilterColumnsVersion);
  for (const TextColumn& column : data.texts) {
    PutTexts(column.values, out);
    out.PutArray(column.ends);
    out.PutArray(column.ids);
  }
  out.PutArray(data.availability);
  out.PutArray(data.condition);
  out.PutArray(data.rating);
  out.PutArray(data.rating_count);
  out.PutArray(data.updated);
  out.PutArray(data.popularity);
  PutTexts(data.currencies, out);
  PutTexts(data.regions, out);
  out.PutArray(data.price_ends);
  out.PutArray(data.prices);
  PutTexts(data.attribute_names, out);
  PutTexts(data.units, out);
  out.PutArray(data.number_ends);
  out.PutArray(data.numbers);
  PutTexts(data.terms, out);
  PutTexts(data.term_records, out);
  return out.Take();
}

absl::StatusOr<FilterColumns> DecodeFilterColumns(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  if (in.Get<uint32_t>() != kFilterColumnsVersion) {
    return absl::DataLossError("filter columns: expected another version");
  }
  FilterColumnData data = GetData(in);
  if (!in.done()) return absl::DataLossError("filter columns: truncated, or bytes follow the end");
  return FilterColumns::FromData(std::move(data));
}

}  // namespace emptor::retrieval
