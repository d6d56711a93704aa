// Recombination of real products.
#include "tests/support/passage_grower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

namespace emptor::testing {
namespace {

std::vector<std::string_view> Split(std::string_view text, std::string_view ends) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(ends), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string CategoryOf(const catalog::Product& product) {
  return product.categories.empty() ? std::string() : product.categories.front();
}

/// Parts of `a`, some of them replaced by those of `b` at the same place.
std::string Recombine(std::string_view a, std::string_view b, std::string_view ends,
                      std::string_view joint, unsigned per_cent, std::mt19937_64& random) {
  const auto own = Split(a, ends);
  const auto other = Split(b, ends);
  std::string text;
  for (size_t i = 0; i < own.size(); ++i) {
    if (i > 0) text += joint;
    text += i < other.size() && random() % 100 < per_cent ? other[i] : own[i];
  }
  return text;
}

}  // namespace

PassageGrower::PassageGrower(std::vector<catalog::Product> seeds, uint64_t random_seed)
    : seeds_(std::move(seeds)), random_(random_seed) {
  assert(!seeds_.empty());
  for (size_t i = 0; i < seeds_.size(); ++i) by_category_[CategoryOf(seeds_[i])].push_back(i);
}

const catalog::Product& PassageGrower::Sibling(const catalog::Product& product) {
  const std::vector<size_t>& siblings = by_category_.at(CategoryOf(product));
  return seeds_[siblings[Below(siblings.size())]];
}

catalog::Product PassageGrower::Next() {
  const catalog::Product& a = seeds_[Below(seeds_.size())];
  const catalog::Product& b = Sibling(a);
  catalog::Product product = a;
  product.id = fmt::format("g{:09}", grown_++);
  product.gtin.clear();
  product.mpn = fmt::format("{}{}-{}", static_cast<char>('A' + Below(26)),
                            static_cast<char>('A' + Below(26)), 1000 + Below(90000));
  product.title = Recombine(a.title, b.title, " ", " ", 30, random_);
  if (Below(2) == 0) product.title += ' ' + product.mpn;
  product.description = Recombine(a.description, b.description, ".", ".", 50, random_);
  for (catalog::Attribute& attribute : product.attributes) {
    if (Below(2) == 0) continue;
    const auto same = std::find_if(b.attributes.begin(), b.attributes.end(),
                                   [&](const auto& other) { return other.name == attribute.name; });
    if (same != b.attributes.end()) attribute.value = same->value;
  }
  if (product.price) {
    product.price->amount = product.price->amount * static_cast<int64_t>(50 + Below(100)) / 100;
  }
  return product;
}

std::string PassageGrower::RandomQuery() {
  const catalog::Product& product = seeds_[Below(seeds_.size())];
  std::string_view text = product.title;
  if (!product.attributes.empty() && Below(4) == 0) {
    text = product.attributes[Below(product.attributes.size())].value;
  }
  const auto words = Split(text, " ");
  std::string query = Below(4) == 0 ? product.brand : std::string();
  if (words.empty()) return query.empty() ? CategoryOf(product) : query;
  const size_t begin = Below(words.size());
  const size_t end = std::min(words.size(), begin + 1 + Below(4));
  for (size_t i = begin; i < end; ++i) {
    if (!query.empty()) query += ' ';
    query += words[i];
  }
  return query;
}

}  // namespace emptor::testing
