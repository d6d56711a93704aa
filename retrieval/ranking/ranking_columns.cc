// Rows in, columns out; the columns as bytes.
#include "retrieval/ranking/ranking_columns.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "retrieval/byte_count.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxTitle = 64, kMaxBrand = 8, kMaxCategory = 24;

void AppendTerms(const Analyzer& analyzer, std::string_view text, size_t most,
                 std::vector<uint32_t>& terms) {
  analyzer.ForEachTerm(text, TextRole::kRecord, [&](std::string_view term) {
    if (terms.size() < most) terms.push_back(HashTerm(term));
  });
}

uint64_t HashGroup(std::string_view id) {
  if (id.empty()) return 0;
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash == 0 ? 1 : hash;
}

/// A record's fixed part in the file.
struct StoredRow {
  uint64_t group;
  float popularity, rating;
  uint16_t description_terms;
  uint8_t title, brand, category, flags;  // numbers of terms
};
static_assert(sizeof(StoredRow) == 24);
enum : uint8_t { kInStock = 1, kHasPrice = 2, kHasImage = 4 };

/// After the first read behind the end `ok` stays false.
struct Reader {
  std::span<const uint8_t> rest;
  bool ok = true;

  void Read(void* to, size_t size) {
    ok = ok && size <= rest.size();
    if (!ok || size == 0) return;
    std::memcpy(to, rest.data(), size);
    rest = rest.subspan(size);
  }
};

void Append(const void* from, size_t size, std::string& bytes) {
  if (size > 0) bytes.append(static_cast<const char*>(from), size);
}

}  // namespace

float PopularitySign(const catalog::Product& product) {
  if (!product.popularity || *product.popularity <= 0) return 0;
  return std::log1p(static_cast<float>(*product.popularity));
}

RecordSigns MakeRecordSigns(const catalog::Product& product) {
  RecordSigns signs;
  signs.popularity = PopularitySign(product);
  if (product.rating) signs.rating = static_cast<float>(product.rating->value);
  const auto words = std::count(product.description.begin(), product.description.end(), ' ');
  signs.description_terms = static_cast<uint16_t>(
      product.description.empty() ? 0 : std::min<std::ptrdiff_t>(words + 1, UINT16_MAX));
  signs.in_stock = product.availability != catalog::Availability::kOutOfStock;
  signs.has_price = product.price.has_value();
  signs.has_image = !product.image_link.empty();
  return signs;
}

RankingRow MakeRankingRow(const Analyzer& analyzer, const catalog::Product& product) {
  RankingRow row;
  AppendTerms(analyzer, product.title, kMaxTitle, row.title);
  AppendTerms(analyzer, product.brand, kMaxBrand, row.brand);
  for (const std::string& category : product.categories) {
    AppendTerms(analyzer, category, kMaxCategory, row.category);
  }
  row.signs = MakeRecordSigns(product);
  row.group = HashGroup(product.item_group_id);
  return row;
}

void RankingColumns::Add(const RankingRow& row) {
  for (const auto* field : {&row.title, &row.brand, &row.category}) {
    terms_.insert(terms_.end(), field->begin(), field->end());
    ends_.push_back(static_cast<uint32_t>(terms_.size()));
  }
  signs_.push_back(row.signs);
  groups_.push_back(row.group);
}

void RankingColumns::Seal() {
  by_group_.clear();
  for (uint32_t r = 0; r < groups_.size(); ++r) {
    if (groups_[r] != 0) by_group_.push_back(r);
  }
  by_group_.shrink_to_fit();
  std::stable_sort(by_group_.begin(), by_group_.end(),
                   [this](uint32_t a, uint32_t b) { return groups_[a] < groups_[b]; });
}

std::span<const uint32_t> RankingColumns::members(uint64_t group) const {
  const auto first =
      std::lower_bound(by_group_.begin(), by_group_.end(), group,
                       [this](uint32_t record, uint64_t g) { return groups_[record] < g; });
  const auto last =
      std::upper_bound(first, by_group_.end(), group,
                       [this](uint64_t g, uint32_t record) { return g < groups_[record]; });
  return {first, last};
}

RecordTerms RankingColumns::terms(uint32_t record) const {
  const auto field = [&](size_t f) {
    const size_t at = record * kFields + f;
    const uint32_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::span(terms_).subspan(begin, ends_[at] - begin);
  };
  return {.title = field(0), .brand = field(1), .category = field(2)};
}

RankingRow RankingColumns::row(uint32_t record) const {
  const RecordTerms all = terms(record);
  RankingRow row;
  row.title.assign(all.title.begin(), all.title.end());
  row.brand.assign(all.brand.begin(), all.brand.end());
  row.category.assign(all.category.begin(), all.category.end());
  row.signs = signs_[record];
  row.group = groups_[record];
  return row;
}

std::string RankingColumns::Encode() const {
  std::string bytes;
  Append(&kRankingColumnsVersion, sizeof kRankingColumnsVersion, bytes);
  const auto count = static_cast<uint32_t>(record_count());
  Append(&count, sizeof count, bytes);
  for (uint32_t r = 0; r < count; ++r) {
    const RecordTerms all = terms(r);
    const RecordSigns& signs = signs_[r];
    const int flags = (signs.in_stock ? kInStock : 0) | (signs.has_price ? kHasPrice : 0) |
                      (signs.has_image ? kHasImage : 0);
    const StoredRow row = {groups_[r],
                           signs.popularity,
                           signs.rating,
                           signs.description_terms,
                           static_cast<uint8_t>(all.title.size()),
                           static_cast<uint8_t>(all.brand.size()),
                           static_cast<uint8_t>(all.category.size()),
                           static_cast<uint8_t>(flags)};
    Append(&row, sizeof row, bytes);
    for (const auto field : {all.title, all.brand, all.category}) {
      Append(field.data(), field.size_bytes(), bytes);
    }
  }
  return bytes;
}

absl::StatusOr<RankingColumns> RankingColumns::Decode(std::span<const uint8_t> bytes) {
  Reader in{bytes};
  uint32_t version = 0, count = 0;
  in.Read(&version, sizeof version);
  in.Read(&count, sizeof count);
  if (in.ok && version != kRankingColumnsVersion) {
    return absl::DataLossError("ranking columns: expected another version");
  }
  RankingColumns columns;
  for (uint32_t r = 0; r < count && in.ok; ++r) {
    StoredRow stored{};
    in.Read(&stored, sizeof stored);
    RankingRow row;
    row.title.resize(stored.title);
    row.brand.resize(stored.brand);
    row.category.resize(stored.category);
    for (auto* field : {&row.title, &row.brand, &row.category}) {
      in.Read(field->data(), field->size() * sizeof(uint32_t));
    }
    if (!std::isfinite(stored.popularity) || !std::isfinite(stored.rating)) in.ok = false;
    row.signs = {.popularity = stored.popularity,
                 .rating = stored.rating,
                 .description_terms = stored.description_terms,
                 .in_stock = (stored.flags & kInStock) != 0,
                 .has_price = (stored.flags & kHasPrice) != 0,
                 .has_image = (stored.flags & kHasImage) != 0};
    row.group = stored.group;
    columns.Add(row);
  }
  if (!in.ok || !in.rest.empty()) {
    return absl::DataLossError("ranking columns: cut, or bytes are left over");
  }
  columns.Seal();
  return columns;
}

size_t RankingColumns::byte_size() const {
  return ByteCount(terms_) + ByteCount(ends_) + ByteCount(signs_) + ByteCount(groups_);
}

}  // namespace emptor::retrieval
