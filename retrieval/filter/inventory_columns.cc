// Pages: filling, copying what changes, comparing, and selecting by what they hold.
#include "retrieval/filter/inventory_columns.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include "retrieval/byte_count.h"

namespace emptor::retrieval {
namespace {

constexpr auto kLocationField = static_cast<size_t>(FilterField::kLocation);

uint32_t Intern(const std::string& text, std::vector<std::string>& texts,
                std::unordered_map<std::string, uint32_t>& ids) {
  const auto [entry, fresh] = ids.try_emplace(text, static_cast<uint32_t>(texts.size()));
  if (fresh) texts.push_back(text);
  return entry->second;
}

/// The first step of each list holds from the beginning of time.
bool IsSameList(const FilterColumnData::Price& first, const FilterColumnData::Price& step) {
  return step.region == first.region && step.currency == first.currency &&
         step.from_unix != std::numeric_limits<int64_t>::min();
}

}  // namespace

std::span<const FilterColumnData::Price> InventoryColumns::Page::prices_of(size_t slot) const {
  const uint32_t begin = slot == 0 ? 0 : entries[slot - 1].price_end;
  return {prices.data() + begin, entries[slot].price_end - begin};
}

std::span<const uint32_t> InventoryColumns::Page::locations_of(size_t slot) const {
  const uint32_t begin = slot == 0 ? 0 : entries[slot - 1].location_end;
  return {locations.data() + begin, entries[slot].location_end - begin};
}

void InventoryColumns::Page::CopyFrom(const Page& other, size_t slot) {
  const auto from = other.prices_of(slot);
  const auto stores = other.locations_of(slot);
  prices.insert(prices.end(), from.begin(), from.end());
  locations.insert(locations.end(), stores.begin(), stores.end());
  Entry entry = other.entries[slot];
  entry.price_end = static_cast<uint32_t>(prices.size());
  entry.location_end = static_cast<uint32_t>(locations.size());
  entries.push_back(entry);
}

bool InventoryColumns::Page::HoldsSame(const Page& other, size_t slot) const {
  const Entry& mine = entries[slot];
  const Entry& its = other.entries[slot];
  return mine.availability == its.availability && mine.condition == its.condition &&
         mine.rating == its.rating && mine.rating_count == its.rating_count &&
         mine.updated == its.updated && mine.popularity == its.popularity &&
         std::ranges::equal(prices_of(slot), other.prices_of(slot)) &&
         std::ranges::equal(locations_of(slot), other.locations_of(slot));
}

InventoryColumns::Page& InventoryColumns::LastPage() {
  if (record_count_ % kPageRecords == 0) pages_.push_back(std::make_shared<Page>());
  ++record_count_;
  return *pages_.back();
}

/// Appends the row to the page and counts its stores.
void InventoryColumns::Append(const FilterRow& row, Page& page, Names& names) {
  for (const PriceStep& step : row.prices) {
    page.prices.push_back({step.from_unix, step.amount.value_or(-1),
                           Intern(step.currency, names.currencies, names.currency_ids),
                           Intern(step.region, names.regions, names.region_ids)});
  }
  const auto begin = static_cast<std::ptrdiff_t>(page.locations.size());
  for (const std::string& location : row.texts[kLocationField]) {
    std::string folded = FoldFilterValue(FilterField::kLocation, location);
    if (folded.empty()) continue;
    const auto [entry, fresh] = names.location_ids.try_emplace(
        std::move(folded), static_cast<uint32_t>(names.locations.size()));
    if (fresh) {
      names.locations.push_back(location);
      names.location_records.push_back(0);
    }
    page.locations.push_back(entry->second);
  }
  const auto first = page.locations.begin() + begin;
  std::sort(first, page.locations.end());
  page.locations.erase(std::unique(first, page.locations.end()), page.locations.end());
  page.entries.push_back({.rating = row.rating,
                          .popularity = row.popularity,
                          .rating_count = row.rating_count,
                          .updated = row.updated_unix,
                          .availability = static_cast<uint8_t>(row.availability),
                          .condition = static_cast<uint8_t>(row.condition),
                          .price_end = static_cast<uint32_t>(page.prices.size()),
                          .location_end = static_cast<uint32_t>(page.locations.size())});
  for (const uint32_t id : page.locations_of(page.entries.size() - 1)) ++names.location_records[id];
}

void InventoryColumns::Add(const FilterRow& row) { Append(row, LastPage(), *names_); }

InventoryColumns InventoryColumns::FromData(const FilterColumnData& data) {
  InventoryColumns columns;
  Names& names = *columns.names_;
  const TextColumn& stores = data.texts[kLocationField];
  for (const std::string& text : data.currencies) {
    Intern(text, names.currencies, names.currency_ids);
  }
  for (const std::string& text : data.regions) Intern(text, names.regions, names.region_ids);
  names.locations = stores.values;
  names.location_records.assign(stores.values.size(), 0);
  for (uint32_t id = 0; id < stores.values.size(); ++id) {
    names.location_ids.emplace(FoldFilterValue(FilterField::kLocation, stores.values[id]), id);
  }
  for (const uint32_t id : stores.ids) ++names.location_records[id];
  size_t price = 0, store = 0;
  for (size_t r = 0; r < data.availability.size(); ++r) {
    Page& page = columns.LastPage();
    for (; price < data.price_ends[r]; ++price) page.prices.push_back(data.prices[price]);
    for (; store < stores.ends[r]; ++store) page.locations.push_back(stores.ids[store]);
    page.entries.push_back({.rating = data.rating[r],
                            .popularity = data.popularity[r],
                            .rating_count = data.rating_count[r],
                            .updated = data.updated[r],
                            .availability = data.availability[r],
                            .condition = data.condition[r],
                            .price_end = static_cast<uint32_t>(page.prices.size()),
                            .location_end = static_cast<uint32_t>(page.locations.size())});
  }
  return columns;
}

void InventoryColumns::CopyInto(FilterColumnData& data) const {
  TextColumn& stores = data.texts[kLocationField];
  data.currencies = names_->currencies;
  data.regions = names_->regions;
  stores.values = names_->locations;
  for (const auto& page : pages_) {
    const auto price = static_cast<uint32_t>(data.prices.size());
    const auto store = static_cast<uint32_t>(stores.ids.size());
    for (const Entry& entry : page->entries) {
      data.availability.push_back(entry.availability);
      data.condition.push_back(entry.condition);
      data.rating.push_back(entry.rating);
      data.rating_count.push_back(entry.rating_count);
      data.updated.push_back(entry.updated);
      data.popularity.push_back(entry.popularity);
      data.price_ends.push_back(price + entry.price_end);
      stores.ends.push_back(store + entry.location_end);
    }
    data.prices.insert(data.prices.end(), page->prices.begin(), page->prices.end());
    stores.ids.insert(stores.ids.end(), page->locations.begin(), page->locations.end());
  }
}

InventoryColumns InventoryColumns::With(std::span<const InventoryChange> changes) const {
  InventoryColumns next = *this;
  next.names_ = std::make_shared<Names>(*names_);
  for (auto change = changes.begin(); change != changes.end();) {
    const size_t number = change->record / kPageRecords;
    const Page& before = *pages_[number];
    auto page = std::make_shared<Page>();
    page->entries.reserve(before.entries.size());
    page->prices.reserve(before.prices.size() + 1);
    page->locations.reserve(before.locations.size());
    for (size_t slot = 0; slot < before.entries.size(); ++slot) {
      if (change == changes.end() || change->record != number * kPageRecords + slot) {
        page->CopyFrom(before, slot);
        continue;
      }
      for (const uint32_t id : before.locations_of(slot)) --next.names_->location_records[id];
      Append(change->row, *page, *next.names_);
      ++change;
      assert(change == changes.end() || change->record > std::prev(change)->record);
    }
    next.pages_[number] = std::move(page);
  }
  return next;
}

std::vector<uint32_t> InventoryColumns::DifferencesTo(const InventoryColumns& later) const {
  assert(record_count_ == later.record_count_);
  std::vector<uint32_t> records;
  for (size_t number = 0; number < pages_.size(); ++number) {
    if (pages_[number] == later.pages_[number]) continue;
    for (size_t slot = 0; slot < pages_[number]->entries.size(); ++slot) {
      if (pages_[number]->HoldsSame(*later.pages_[number], slot)) continue;
      records.push_back(static_cast<uint32_t>(number * kPageRecords + slot));
    }
  }
  return records;
}

FilterRow InventoryColumns::row(uint32_t record) const {
  const size_t slot = record % kPageRecords;
  FilterRow row;
  row.availability = availability(record);
  row.condition = condition(record);
  row.rating = rating(record);
  row.rating_count = rating_count(record);
  row.updated_unix = updated_unix(record);
  row.popularity = popularity(record);
  for (const Price& price : page_of(record).prices_of(slot)) {
    row.prices.push_back({price.from_unix, names_->regions[price.region],
                          names_->currencies[price.currency],
                          price.amount < 0 ? std::nullopt : std::optional(price.amount)});
  }
  for (const uint32_t id : page_of(record).locations_of(slot)) {
    row.texts[kLocationField].push_back(names_->locations[id]);
  }
  return row;
}

std::optional<InventoryColumns::Location> InventoryColumns::FindLocation(
    const std::string& folded) const {
  const auto found = names_->location_ids.find(folded);
  if (found == names_->location_ids.end()) return std::nullopt;
  return Location{names_->locations[found->second], found->second,
                  names_->location_records[found->second]};
}

bool InventoryColumns::has_price(uint32_t record) const {
  const std::span<const Price> prices = page_of(record).prices_of(record % kPageRecords);
  return std::ranges::any_of(
      prices, [&](const Price& price) { return names_->regions[price.region].empty(); });
}

std::optional<int64_t> InventoryColumns::PriceOf(uint32_t record, const std::string& currency,
                                                 const std::string& region,
                                                 int64_t now_unix) const {
  const std::span<const Price> prices = page_of(record).prices_of(record % kPageRecords);
  std::optional<int64_t> everywhere, regional;
  for (size_t i = 0; i < prices.size();) {
    const Price& first = prices[i];
    size_t last = i++;  // the step of this region and currency that holds now
    while (i < prices.size() && IsSameList(first, prices[i])) {
      if (prices[i].from_unix <= now_unix) last = i;
      ++i;
    }
    const Price& price = prices[last];
    if (price.amount < 0) continue;
    if (!currency.empty() && names_->currencies[price.currency] != currency) continue;
    const std::string& where = names_->regions[price.region];
    if (where.empty() && !everywhere) everywhere = price.amount;
    if (!where.empty() && where == region && !regional) regional = price.amount;
  }
  return regional ? regional : everywhere;
}

void InventoryColumns::KeepStates(const Filter& filter, RecordSet& set) const {
  const auto keep = [&](const auto& wanted, auto state_of) {
    if (wanted.empty()) return;
    std::array<bool, 256> passes{};
    for (const auto each : wanted) passes[static_cast<uint8_t>(each)] = true;
    set.KeepIf([&](uint32_t record) { return passes[state_of(entry(record))]; });
  };
  keep(filter.availability, [](const Entry& each) { return each.availability; });
  keep(filter.conditions, [](const Entry& each) { return each.condition; });
  if (filter.min_rating) {
    // Ratings are stored as floats: 4.6 must meet 4.6.
    const float least = static_cast<float>(*filter.min_rating);
    set.KeepIf([&](uint32_t record) { return rating(record) >= 0 && rating(record) >= least; });
  }
}

void InventoryColumns::KeepPrice(const Filter& filter, int64_t now_unix, RecordSet& set) const {
  if (!filter.has_price()) return;
  const int64_t low = filter.min_price.value_or(0);
  const int64_t high = filter.max_price.value_or(std::numeric_limits<int64_t>::max());
  const auto known = names_->currency_ids.find(filter.currency);
  const uint32_t currency = known == names_->currency_ids.end() ? UINT32_MAX : known->second;
  if (!filter.currency.empty() && currency == UINT32_MAX) {
    set = RecordSet(set.size());
    return;
  }
  set.KeepIf([&](uint32_t record) {
    const std::span<const Price> prices = page_of(record).prices_of(record % kPageRecords);
    // Most records have one price, which always holds.
    if (prices.size() == 1 && names_->regions[prices[0].region].empty()) {
      return (filter.currency.empty() || prices[0].currency == currency) &&
             prices[0].amount >= low && prices[0].amount <= high;
    }
    const auto price = PriceOf(record, filter.currency, filter.region, now_unix);
    return price && *price >= low && *price <= high;
  });
}

void InventoryColumns::KeepLocation(const std::string& folded, RecordSet& set) const {
  if (folded.empty()) return;
  const auto known = FindLocation(folded);
  set.KeepIf([&](uint32_t record) {
    const auto stores = page_of(record).locations_of(record % kPageRecords);
    return known && std::binary_search(stores.begin(), stores.end(), known->id);
  });
}

void InventoryColumns::Keep(const Filter& folded, int64_t now_unix, RecordSet& set) const {
  KeepLocation(folded.location, set);
  KeepStates(folded, set);
  KeepPrice(folded, now_unix, set);
}

size_t InventoryColumns::byte_size() const {
  size_t bytes = ByteCount(names_->currencies) + ByteCount(names_->regions) +
                 ByteCount(names_->locations) + ByteCount(names_->location_records) +
                 ByteCount(names_->currency_ids) + ByteCount(names_->region_ids) +
                 ByteCount(names_->location_ids);
  for (const auto& page : pages_) {
    bytes += sizeof(Page) + ByteCount(page->entries) + ByteCount(page->prices) +
             ByteCount(page->locations);
  }
  return bytes;
}

}  // namespace emptor::retrieval
