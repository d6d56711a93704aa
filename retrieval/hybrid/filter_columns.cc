// Columns: adding rows, merging, storing, looking up. Selection is in filter_select.cc.
#include "retrieval/hybrid/filter_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "retrieval/hybrid/term_records.h"

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

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError(fmt::format("filter columns: {} do not fit together", what));
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
  if (data.condition.size() != records || data.rating.size() != records) return Damaged("states");
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
  columns.data_ = std::move(data);
  columns.IndexValues();
  return columns;
}

void FilterColumns::IndexValues() {
  for (size_t f = 0; f < kFilterFieldCount; ++f) {
    const TextColumn& column = data_.texts[f];
    for (uint32_t id = 0; id < column.values.size(); ++id) {
      ids_[f].emplace(FoldFilterValue(static_cast<FilterField>(f), column.values[id]), id);
    }
    counts_[f].assign(column.values.size(), 0);
    for (const uint32_t id : column.ids) ++counts_[f][id];
  }
  const auto index = [](const std::vector<std::string>& texts, Ids& ids) {
    for (uint32_t id = 0; id < texts.size(); ++id) ids.emplace(texts[id], id);
  };
  index(data_.currencies, currency_ids_);
  index(data_.regions, region_ids_);
  index(data_.attribute_names, name_ids_);
  index(data_.units, unit_ids_);
  index(data_.terms, term_ids_);
  for (const std::string& records : data_.term_records) {
    uint32_t last = 0;
    ForEachTermRecord(records, [&](uint32_t record) { last = record; });
    last_of_term_.push_back(last);
  }
}

uint32_t FilterColumns::Intern(const std::string& text, std::vector<std::string>& texts, Ids& ids) {
  const auto [entry, fresh] = ids.try_emplace(text, static_cast<uint32_t>(texts.size()));
  if (fresh) texts.push_back(text);
  return entry->second;
}

void FilterColumns::AddTexts(FilterField field, const std::vector<std::string>& values) {
  TextColumn& column = data_.texts[IndexOf(field)];
  const size_t begin = column.ids.size();
  for (const std::string& value : values) {
    std::string folded = FoldFilterValue(field, value);
    if (folded.empty()) continue;
    const auto [entry, fresh] = ids_[IndexOf(field)].try_emplace(
        std::move(folded), static_cast<uint32_t>(column.values.size()));
    if (fresh) {
      column.values.push_back(value);
      counts_[IndexOf(field)].push_back(0);
    }
    column.ids.push_back(entry->second);
  }
  const auto first = column.ids.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, column.ids.end());
  column.ids.erase(std::unique(first, column.ids.end()), column.ids.end());
  for (size_t i = begin; i < column.ids.size(); ++i) ++counts_[IndexOf(field)][column.ids[i]];
  column.ends.push_back(static_cast<uint32_t>(column.ids.size()));
}

void FilterColumns::AddTerms(const std::vector<std::string>& terms, uint32_t record) {
  for (const std::string& term : terms) {
    const uint32_t id = Intern(term, data_.terms, term_ids_);
    if (id == data_.term_records.size()) {
      data_.term_records.emplace_back();
      last_of_term_.push_back(0);
    }
    AppendTermRecord(record, last_of_term_[id], data_.term_records[id]);
    last_of_term_[id] = record;
  }
}

void FilterColumns::Add(const FilterRow& row) {
  const auto record = static_cast<uint32_t>(record_count());
  for (size_t f = 0; f < kFilterFieldCount; ++f) {
    AddTexts(static_cast<FilterField>(f), row.texts[f]);
  }
  data_.availability.push_back(static_cast<uint8_t>(row.availability));
  data_.condition.push_back(static_cast<uint8_t>(row.condition));
  data_.rating.push_back(row.rating);
  for (const PriceStep& step : row.prices) {
    data_.prices.push_back({step.from_unix, step.amount.value_or(-1),
                            Intern(step.currency, data_.currencies, currency_ids_),
                            Intern(step.region, data_.regions, region_ids_)});
  }
  data_.price_ends.push_back(static_cast<uint32_t>(data_.prices.size()));
  for (const NumericValue& number : row.numbers) {
    data_.numbers.push_back({Intern(number.attribute, data_.attribute_names, name_ids_),
                             Intern(number.unit, data_.units, unit_ids_), number.value});
  }
  data_.number_ends.push_back(static_cast<uint32_t>(data_.numbers.size()));
  AddTerms(row.terms, record);
}

FilterColumns FilterColumns::Merge(std::span<const FilterColumns* const> sources,
                                   std::span<const Origin> origins) {
  FilterColumns merged;
  for (const Origin& origin : origins) {
    const FilterColumns& source = *sources[origin.source];
    const FilterColumnData& data = source.data_;
    const uint32_t r = origin.record;
    FilterRow row;  // without terms: they are merged term by term
    for (size_t f = 0; f < kFilterFieldCount; ++f) {
      for (const uint32_t id : source.values(static_cast<FilterField>(f), r)) {
        row.texts[f].push_back(data.texts[f].values[id]);
      }
    }
    row.availability = static_cast<catalog::Availability>(data.availability[r]);
    row.condition = static_cast<catalog::Condition>(data.condition[r]);
    row.rating = data.rating[r];
    for (const auto& price : SliceOf(data.price_ends, data.prices, r)) {
      row.prices.push_back({price.from_unix, data.regions[price.region],
                            data.currencies[price.currency],
                            price.amount < 0 ? std::nullopt : std::optional(price.amount)});
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
    for (const std::string& term : sources[s]->data_.terms) {
      if (term_ids_.contains(term)) continue;
      records.clear();
      for (size_t other = s; other < sources.size(); ++other) {
        const auto found = sources[other]->term_ids_.find(term);
        if (found == sources[other]->term_ids_.end()) continue;
        ForEachTermRecord(sources[other]->data_.term_records[found->second], [&](uint32_t record) {
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
  const Ids& ids = ids_[IndexOf(field)];
  const auto found = ids.find(folded);
  if (found == ids.end()) return std::nullopt;
  return KnownValue{value(field, found->second), found->second,
                    counts_[IndexOf(field)][found->second]};
}

size_t FilterColumns::CountTerm(const std::string& term) const {
  const auto found = term_ids_.find(term);
  if (found == term_ids_.end()) return 0;
  return CountTermRecords(data_.term_records[found->second]);
}

std::span<const uint32_t> FilterColumns::values(FilterField field, uint32_t record) const {
  const TextColumn& column = data_.texts[IndexOf(field)];
  return SliceOf(column.ends, column.ids, record);
}

}  // namespace emptor::retrieval
