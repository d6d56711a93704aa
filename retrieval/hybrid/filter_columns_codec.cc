// Row by row: columns are made again by adding.
#include "retrieval/hybrid/filter_columns_codec.h"

#include <utility>

#include "retrieval/hybrid/byte_codec.h"

namespace emptor::retrieval {
namespace {

void EncodeRow(const FilterRow& row, ByteWriter& out) {
  out.PutText(row.brand);
  out.PutText(row.locale);
  out.Put(static_cast<uint8_t>(row.availability));
  out.Put(static_cast<uint32_t>(row.categories.size()));
  for (const std::string& category : row.categories) out.PutText(category);
  out.Put(static_cast<uint32_t>(row.prices.size()));
  for (const PriceStep& step : row.prices) {
    out.Put(step.from_unix);
    out.Put(static_cast<uint8_t>(step.price.has_value()));
    if (!step.price) continue;
    out.Put(step.price->amount);
    out.PutText(step.price->currency);
  }
}

/// False when a value is out of its range; what is missing shows in `in`.
bool DecodeRow(ByteReader& in, FilterRow& row) {
  row.brand = in.GetText();
  row.locale = in.GetText();
  const auto availability = in.Get<uint8_t>();
  if (availability > static_cast<uint8_t>(catalog::Availability::kBackorder)) return false;
  row.availability = static_cast<catalog::Availability>(availability);
  for (uint32_t n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    row.categories.emplace_back(in.GetText());
  }
  for (uint32_t n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    PriceStep step{.from_unix = in.Get<int64_t>(), .price = std::nullopt};
    if (in.Get<uint8_t>() != 0) {
      const auto amount = in.Get<int64_t>();
      step.price = catalog::Money{amount, std::string(in.GetText())};
    }
    row.prices.push_back(std::move(step));
  }
  return true;
}

}  // namespace

std::string EncodeFilterColumns(const FilterColumns& columns) {
  ByteWriter out;
  out.Put(kFilterColumnsVersion);
  out.Put(static_cast<uint32_t>(columns.record_count()));
  for (uint32_t r = 0; r < columns.record_count(); ++r) EncodeRow(columns.row(r), out);
  return out.Take();
}

absl::StatusOr<FilterColumns> DecodeFilterColumns(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  if (in.Get<uint32_t>() != kFilterColumnsVersion) {
    return absl::DataLossError("filter columns: expected another version");
  }
  FilterColumns columns;
  for (uint32_t n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    FilterRow row;
    if (!DecodeRow(in, row)) return absl::DataLossError("filter columns: availability: unknown");
    if (in.ok()) columns.Add(row);
  }
  if (!in.done()) return absl::DataLossError("filter columns: cut, or bytes are left over");
  return columns;
}

}  // namespace emptor::retrieval
