// Columns: adding rows, merging, storing, looking up. Selection is in filter_select.cc.
#include "retrieval/filter/filter_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "retrieval/byte_count.h"
#include "retrieval/filter/term_records.h"

namespace emptor::retrieval {
namespace {

constexpr uint32_t kDropped = UINT32_MAX;

size_t IndexOf(FilterField field) { return static_cast<size_t>(field); }

template <typename T>
std::span<const T> SliceOf(const std::vector<uint32_t>& ends, const std::vector<T>& values,
                           uint32_t record) {
  const uint32_t begin = record == 0 ? 0 : ends[record - 1];
  return {values.data() + begin, ends[record] - begin};
}

bool AreEnds(const std::vector<uint32_t>& ends, size_t records, size_t values) {
  if (ends.size() != records || (records == 0 ? values != 0 : ends.back() != values)) return false;
  return std::is_sorted(ends.begin(), ends.end());
}

uint64_t MeasureKey(const FilterColumnData::Number& number) {
  return uint64_t{number.attribute} << 32 | number.unit;
}

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError(fmt::format("filter columns: {} are inconsistent", what));
}

absl::Status CheckTexts(const FilterColumnData& data, size_t records) {
  for (const TextColumn& column : data.texts) {
    const bool in_range = std::all_of(column.ids.begin(), column.ids.end(),
                                      [&](uint32_t id) { return id < column.values.size(); });
    if (!in_range || !AreEnds(column.ends, records, column.ids.size())) return Damaged("texts");
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const FilterColumnData& data, size_t records) {
  const bool prices =
      AreEnds(data.price_ends, records, data.prices.size()) &&
      std::all_of(data.prices.begin(), data.prices.end(), [&](const auto& price) {
        return price.currency < data.currencies.size() && price.region < data.regions.size();
      });
  if (!prices) return Damaged("prices");
  const bool numbers =
      AreEnds(data.number_ends, records, data.numbers.size()) &&
      std::all_of(data.numbers.begin(), data.numbers.end(), [&](const auto& number) {
        return number.attribute < data.attribute_names.size() && number.unit < data.units.size();
      });
  return numbers ? absl::OkStatus() : Damaged("numbers");
}

absl::Status CheckData(const FilterColumnData& data) {
  const size_t records = data.availability.size();
  if (data.condition.size() != records || data.rating.size() != records ||
      data.rating_count.size() != records || data.updated.size() != records ||
      data.popularity.size() != records ||
      !std::ranges::all_of(data.popularity, [](float each) { return std::isfinite(each); })) {
    return Damaged("states");
  }
  if (absl::Status status = CheckTexts(data, records); !status.ok()) return status;
  if (absl::Status status = CheckNumbers(data, records); !status.ok()) return status;
  const auto largest = [](const std::vector<uint8_t>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  };
  if (largest(data.availability) > static_cast<int>(catalog::Availability::kBackorder) ||
      largest(data.condition) > static_cast<int>(catalog::Condition::kUsed)) {
    return Damaged("states");
  }
  const bool terms =
      data.terms.size() == data.term_records.size() &&
      std::all_of(data.term_records.begin(), data.term_records.end(), [&](const std::string& each) {
        return AreTermRecords(each, static_cast<uint32_t>(records));
      });
  return terms ? absl::OkStatus() : Damaged("terms");
}

}  // namespace

absl::StatusOr<FilterColumns> FilterColumns::FromData(FilterColumnData data) {
  if (absl::Status status = CheckData(data); !status.ok()) return status;
  FilterColumns columns;
  columns.inventory_ = InventoryColumns::FromData(data);
  columns.fixed_->data.texts = std::move(data.texts);
  columns.fixed_->data.texts[IndexOf(FilterField::kLocation)] = {};
  columns.fixed_->data.attribute_names = std::move(data.attribute_names);
  columns.fixed_->data.units = std::move(data.units);
  columns.fixed_->data.number_ends = std::move(data.number_ends);
  columns.fixed_->data.numbers = std::move(data.numbers);
  columns.fixed_->data.terms = std::move(data.terms);
  columns.fixed_->data.term_records = std::move(data.term_records);
  columns.IndexValues();
  return columns;
}

FilterColumnData FilterColumns::data() const {
  FilterColumnData data = fixed_->data;
  inventory_.CopyInto(data);
  return data;
}

FilterColumns FilterColumns::With(std::span<const InventoryChange> changes) const {
  FilterColumns next = *this;
  next.inventory_ = inventory_.With(changes);
  return next;
}

void FilterColumns::IndexValues() {
  for (size_t f = 0; f < kFilterFieldCount; ++f) {
    const TextColumn& column = fixed_->data.texts[f];
    for (uint32_t id = 0; id < column.values.size(); ++id) {
      fixed_->ids[f].emplace(FoldFilterValue(static_cast<FilterField>(f), column.values[id]), id);
    }
    fixed_->postings[f].assign(column.values.size(), {});
    for (uint32_t record = 0; record < column.ends.size(); ++record) {
      for (const uint32_t id : SliceOf(column.ends, column.ids, record)) {
        fixed_->postings[f][id].Add(record);
      }
    }
  }
  const auto index = [](const std::vector<std::string>& texts, Ids& ids) {
    for (uint32_t id = 0; id < texts.size(); ++id) ids.emplace(texts[id], id);
  };
  index(fixed_->data.attribute_names, fixed_->name_ids);
  index(fixed_->data.units, fixed_->unit_ids);
  index(fixed_->data.terms, fixed_->term_ids);
  for (const auto& number : fixed_->data.numbers) ++fixed_->measures[MeasureKey(number)];
  for (const std::string& records : fixed_->data.term_records) {
    uint32_t last = 0;
    ForEachTermRecord(records, [&](uint32_t record) { last = record; });
    fixed_->last_of_term.push_back(last);
  }
}

void FilterColumns::ValuePostings::Add(uint32_t record) {
  AppendTermRecord(record, last, records);
  last = record;
  ++count;
}

uint32_t FilterColumns::Intern(const std::string& text, std::vector<std::string>& texts, Ids& ids) {
  const auto [entry, fresh] = ids.try_emplace(text, static_cast<uint32_t>(texts.size()));
  if (fresh) texts.push_back(text);
  return entry->second;
}

void FilterColumns::AddTexts(FilterField field, const std::vector<std::string>& values) {
  TextColumn& column = fixed_->data.texts[IndexOf(field)];
  const size_t begin = column.ids.size();
  for (const std::string& value : values) {
    std::string folded = FoldFilterValue(field, value);
    if (folded.empty()) continue;
    const auto [entry, fresh] = fixed_->ids[IndexOf(field)].try_emplace(
        std::move(folded), static_cast<uint32_t>(column.values.size()));
    if (fresh) {
      column.values.push_back(value);
      fixed_->postings[IndexOf(field)].emplace_back();
    }
    column.ids.push_back(entry->second);
  }
  const auto first = column.ids.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, column.ids.end());
  column.ids.erase(std::unique(first, column.ids.end()), column.ids.end());
  const auto record = static_cast<uint32_t>(column.ends.size());
  for (size_t i = begin; i < column.ids.size(); ++i) {
    fixed_->postings[IndexOf(field)][column.ids[i]].Add(record);
  }
  column.ends.push_back(static_cast<uint32_t>(column.ids.size()));
}

void FilterColumns::AddTerms(const std::vector<std::string>& terms, uint32_t record) {
  for (const std::string& term : terms) {
    const uint32_t id = Intern(term, fixed_->data.terms, fixed_->term_ids);
    if (id == fixed_->data.term_records.size()) {
      fixed_->data.term_records.emplace_back();
      fixed_->last_of_term.push_back(0);
    }
    AppendTermRecord(record, fixed_->last_of_term[id], fixed_->data.term_records[id]);
    fixed_->last_of_term[id] = record;
  }
}

void FilterColumns::Add(const FilterRow& row) {
  const auto record = static_cast<uint32_t>(record_count());
  for (size_t f = 0; f < kFilterFieldCount; ++f) {
    const auto field = static_cast<FilterField>(f);
    if (field != FilterField::kLocation) AddTexts(field, row.texts[f]);
  }
  inventory_.Add(row);
  for (const NumericValue& number : row.numbers) {
    fixed_->data.numbers.push_back(
        {Intern(number.attribute, fixed_->data.attribute_names, fixed_->name_ids),
         Intern(number.unit, fixed_->data.units, fixed_->unit_ids), number.value});
    ++fixed_->measures[MeasureKey(fixed_->data.numbers.back())];
  }
  fixed_->data.number_ends.push_back(static_cast<uint32_t>(fixed_->data.numbers.size()));
  AddTerms(row.terms, record);
}

FilterColumns FilterColumns::Merge(std::span<const FilterColumns* const> sources,
                                   std::span<const Origin> origins) {
  FilterColumns merged;
  for (const Origin& origin : origins) {
    const FilterColumns& source = *sources[origin.source];
    const FilterColumnData& data = source.fixed_->data;
    const uint32_t r = origin.record;
    FilterRow row = source.inventory_.row(r);  // without terms: they are merged term by term
    for (size_t f = 0; f < kFilterFieldCount; ++f) {
      if (static_cast<FilterField>(f) == FilterField::kLocation) continue;
      for (const uint32_t id : source.values(static_cast<FilterField>(f), r)) {
        row.texts[f].push_back(data.texts[f].values[id]);
      }
    }
    for (const auto& number : SliceOf(data.number_ends, data.numbers, r)) {
      row.numbers.push_back(
          {data.attribute_names[number.attribute], data.units[number.unit], number.value});
    }
    merged.Add(row);
  }
  merged.MergeTerms(sources, origins);
  return merged;
}

void FilterColumns::MergeTerms(std::span<const FilterColumns* const> sources,
                               std::span<const Origin> origins) {
  std::vector<std::vector<uint32_t>> new_positions;
  for (const FilterColumns* source : sources) {
    new_positions.emplace_back(source->record_count(), kDropped);
  }
  for (uint32_t i = 0; i < origins.size(); ++i) {
    new_positions[origins[i].source][origins[i].record] = i;
  }
  std::vector<uint32_t> records;
  for (size_t s = 0; s < sources.size(); ++s) {
    for (const std::string& term : sources[s]->fixed_->data.terms) {
      if (fixed_->term_ids.contains(term)) continue;
      records.clear();
      for (size_t other = s; other < sources.size(); ++other) {
        const auto found = sources[other]->fixed_->term_ids.find(term);
        if (found == sources[other]->fixed_->term_ids.end()) continue;
        ForEachTermRecord(sources[other]->fixed_->data.term_records[found->second],
                          [&](uint32_t record) {
                            const uint32_t position = new_positions[other][record];
                            if (position != kDropped) records.push_back(position);
                          });
      }
      std::sort(records.begin(), records.end());
      for (const uint32_t record : records) AddTerms({term}, record);
    }
  }
}

std::optional<FilterColumns::KnownValue> FilterColumns::Find(FilterField field,
                                                             const std::string& folded) const {
  if (field == FilterField::kLocation) {
    const auto location = inventory_.FindLocation(folded);
    if (!location) return std::nullopt;
    return KnownValue{location->text, location->id, location->records};
  }
  const Ids& ids = fixed_->ids[IndexOf(field)];
  const auto found = ids.find(folded);
  if (found == ids.end()) return std::nullopt;
  return KnownValue{value(field, found->second), found->second,
                    fixed_->postings[IndexOf(field)][found->second].count};
}

size_t FilterColumns::CountTerm(const std::string& term) const {
  const auto found = fixed_->term_ids.find(term);
  if (found == fixed_->term_ids.end()) return 0;
  return CountTermRecords(fixed_->data.term_records[found->second]);
}

std::span<const uint32_t> FilterColumns::values(FilterField field, uint32_t record) const {
  const TextColumn& column = fixed_->data.texts[IndexOf(field)];
  return SliceOf(column.ends, column.ids, record);
}

size_t FilterColumns::byte_size() const {
  const FilterColumnData& data = fixed_->data;
  size_t bytes = inventory_.byte_size();
  for (const TextColumn& column : data.texts) {
    bytes += ByteCount(column.values) + ByteCount(column.ends) + ByteCount(column.ids);
  }
  bytes += ByteCount(data.attribute_names) + ByteCount(data.units) + ByteCount(data.number_ends) +
           ByteCount(data.numbers) + ByteCount(data.terms) + ByteCount(data.term_records);
  for (const Ids& ids : fixed_->ids) bytes += ByteCount(ids);
  for (const auto& postings : fixed_->postings) {
    bytes += postings.capacity() * sizeof(ValuePostings);
    for (const ValuePostings& each : postings) bytes += ByteCount(each.records);
  }
  return bytes + ByteCount(fixed_->measures) + ByteCount(fixed_->name_ids) +
         ByteCount(fixed_->unit_ids) + ByteCount(fixed_->term_ids) +
         ByteCount(fixed_->last_of_term);
}

}  // namespace emptor::retrieval
