// Keys of articles, and a table of their hashes.
#include "catalog/import/duplicates.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/encoding/hash64.h"

namespace emptor::catalog {
namespace {

constexpr size_t kGtinDigits = 14;
constexpr size_t kMaxOfOneKey = 64;
constexpr size_t kMinPartBytes = 3;

/// Placeholders that merchants write for an unknown value.
constexpr std::array<std::string_view, 16> kSaysNothing = {
    "na",           "none",          "null",    "nil",         "no",      "unknown",
    "unbranded",    "generic",       "default", "nobrand",     "various", "notspecified",
    "doesnotapply", "notapplicable", "tbd",     "notavailable"};

bool HasRightCheckDigit(std::string_view digits) {
  int sum = 0;
  int weight = 3;  // of the digit next to the check digit, then 1, 3, ...
  for (size_t i = digits.size() - 1; i-- > 0; weight = 4 - weight)
    sum += (digits[i] - '0') * weight;
  return (10 - sum % 10) % 10 == digits.back() - '0';
}

/// Lower-case ASCII letters, digits, and bytes of other scripts; empty for a placeholder.
std::string Squeeze(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80) {
      out += c;
    }
  }
  const bool says_nothing =
      std::find(kSaysNothing.begin(), kSaysNothing.end(), out) != kSaysNothing.end() ||
      out.find_first_not_of('0') == std::string::npos;
  return says_nothing ? std::string() : out;
}

/// A used article, or a listing in another language, is another offer.
std::string OfferOf(const Product& product) {
  return '\x1f' + std::string(ToString(product.condition)) + '\x1f' + product.locale;
}

}  // namespace

std::optional<std::string> NormalizeGtin(std::string_view text) {
  const bool fits = text.size() == 8 || (text.size() >= 12 && text.size() <= kGtinDigits);
  const bool all_digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!fits || !all_digits || !HasRightCheckDigit(text)) return std::nullopt;
  std::string gtin(kGtinDigits - text.size(), '0');
  gtin += text;
  // The prefix of 13-digit numbers follows the indicator digit; 8-digit numbers have another.
  const std::string_view number = std::string_view(gtin).substr(1);
  const bool is_short = number.starts_with("00000");
  if (is_short && number.find_first_not_of('0') == std::string_view::npos) return std::nullopt;
  if (is_short) {
    const char first = number[5];  // of a GTIN-8: 0 and 2 are for use within a store
    return first == '0' || first == '2' ? std::nullopt : std::optional(gtin);
  }
  for (const std::string_view prefix : {"02", "04", "2", "98", "99"}) {
    if (number.starts_with(prefix)) return std::nullopt;
  }
  return gtin;
}

ArticleKeys MakeArticleKeys(const Product& product) {
  ArticleKeys keys;
  if (const auto gtin = NormalizeGtin(product.gtin)) keys.gtin = "g" + *gtin + OfferOf(product);
  const std::string brand = Squeeze(product.brand);
  const std::string part = Squeeze(product.mpn);
  if (!brand.empty() && part.size() >= kMinPartBytes) {
    keys.part = "m" + brand + '\x1f' + part + OfferOf(product);
  }
  return keys;
}

Product ArticleOf(const Product& product) {
  Product article;
  article.id = product.id;
  article.brand = product.brand;
  article.gtin = product.gtin;
  article.mpn = product.mpn;
  article.condition = product.condition;
  article.item_group_id = product.item_group_id;
  article.locale = product.locale;
  return article;
}

std::string_view FindSameness(const Product& a, const Product& b) {
  const ArticleKeys left = MakeArticleKeys(a), right = MakeArticleKeys(b);
  if (!left.gtin.empty() && !right.gtin.empty()) return left.gtin == right.gtin ? "gtin" : "";
  const bool are_variants = !a.item_group_id.empty() && a.item_group_id == b.item_group_id;
  return !left.part.empty() && left.part == right.part && !are_variants ? "mpn" : "";
}

void DuplicateIndex::Add(const Product& product) {
  const ArticleKeys keys = MakeArticleKeys(product);
  const std::lock_guard lock(mutex_);
  if (!keys.gtin.empty()) AddKey(keys.gtin, product.id);
  if (!keys.part.empty()) AddKey(keys.part, product.id);
}

void DuplicateIndex::AddKey(std::string_view key, std::string_view id) {
  const auto number = static_cast<uint32_t>(entries_.size());
  const auto [slot, is_new] = first_.try_emplace(Hash64(key), number);
  if (!is_new) {
    uint32_t last = slot->second;
    for (size_t count = 1;; ++count, last = entries_[last].next) {
      if (id == ids_.c_str() + entries_[last].id) return;
      if (count == kMaxOfOneKey) return;
      if (entries_[last].next == kEnd) break;
    }
    entries_[last].next = number;
  }
  entries_.push_back({kEnd, static_cast<uint32_t>(ids_.size())});
  ids_.append(id).push_back('\0');
}

absl::Status DuplicateIndex::AddAll(const ProductStore& store) {
  return store.ScanProducts([this](const Product& product, std::string_view) {
    Add(product);
    return true;
  });
}

std::vector<std::string> DuplicateIndex::IdsOf(std::string_view key) const {
  std::vector<std::string> ids;
  if (key.empty()) return ids;
  const std::lock_guard lock(mutex_);
  const auto slot = first_.find(Hash64(key));
  if (slot == first_.end()) return ids;
  for (uint32_t at = slot->second; at != kEnd; at = entries_[at].next) {
    ids.emplace_back(ids_.c_str() + entries_[at].id);
  }
  return ids;
}

absl::StatusOr<std::optional<DuplicateIndex::Match>> DuplicateIndex::Find(
    const Product& product, const ProductFinder& find) const {
  const ArticleKeys keys = MakeArticleKeys(product);
  for (const std::string& key : {keys.gtin, keys.part}) {
    for (std::string& id : IdsOf(key)) {
      if (id == product.id) continue;
      const auto other = find(id);
      if (!other.ok()) return other.status();
      if (!other->has_value()) continue;
      const std::string_view field = FindSameness(product, **other);
      if (!field.empty()) return Match{std::move(id), std::string(field)};
    }
  }
  return std::optional<Match>();
}

size_t DuplicateIndex::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace emptor::catalog
