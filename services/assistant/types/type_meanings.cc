// Similarities are compared by their distribution over the kinds of one shop, as cosines of
// different embedders have different ranges.
#include "services/assistant/types/type_meanings.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxKinds = 4000;
constexpr size_t kMaxTitles = 6;  // of each kind
constexpr size_t kTitleBytes = 160;
constexpr size_t kMinKinds = 12;

void AddUnit(std::span<const float> vector, double weight, std::vector<float>& sum) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * double{value};
  if (squares <= 0) return;
  const auto scale = static_cast<float>(weight / std::sqrt(squares));
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += scale * vector[i];
}

std::vector<float> Unit(std::span<const float> vector) {
  std::vector<float> unit(vector.size());
  AddUnit(vector, 1, unit);
  return unit;
}

}  // namespace

void TypeTitles::Add(const std::string& name, const std::string& title) {
  if (name.empty() || (titles_.size() >= kMaxKinds && !titles_.contains(name))) return;
  std::vector<std::string>& known = titles_[name];
  if (known.size() >= kMaxTitles) return;
  const std::string text = title.substr(0, kTitleBytes);
  if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
}

void TypeTitles::Add(const catalog::Product& product, const std::vector<TitleName>& named) {
  if (!named.empty() && named.back().is_type) Add(named.back().name, product.title);
  for (const std::string& category : product.categories) {
    Add(retrieval::FoldWords(LeafOf(category)), product.title);
  }
}

absl::StatusOr<std::shared_ptr<const TypeMeanings>> TypeMeanings::Make(const ShopReader& shop,
                                                                       const TypeTitles& titles) {
  std::vector<std::string> texts;
  for (const auto& [name, own] : titles.titles()) {
    texts.push_back(name);
    texts.insert(texts.end(), own.begin(), own.end());
  }
  const auto vectors = shop.EmbedTexts(texts);
  if (!vectors.ok()) return vectors.status();
  auto meanings = std::make_shared<TypeMeanings>();
  size_t at = 0;
  for (const auto& [name, own] : titles.titles()) {
    std::vector<float> of_titles((*vectors)[at].size()), sum(of_titles.size());
    AddUnit((*vectors)[at++], 1, sum);
    for (size_t i = 0; i < own.size(); ++i) AddUnit((*vectors)[at++], 1, of_titles);
    AddUnit(of_titles, 1, sum);
    meanings->names_.push_back(name);
    meanings->vectors_.push_back(Unit(sum));
  }
  return std::shared_ptr<const TypeMeanings>(std::move(meanings));
}

std::vector<MeantKind> TypeMeanings::Rank(std::span<const float> query) const {
  if (names_.size() < kMinKinds) return {};
  const std::vector<float> unit = Unit(query);
  std::vector<MeantKind> ranked;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < names_.size(); ++i) {
    const double score =
        std::inner_product(unit.begin(), unit.end(), vectors_[i].begin(), double{0});
    ranked.push_back({names_[i], score});
    sum += score;
    squares += score * score;
  }
  const double n = static_cast<double>(names_.size()), mean = sum / n;
  const double deviation = std::sqrt(std::max(0.0, squares / n - mean * mean));
  if (!(deviation > 0)) return {};
  for (MeantKind& each : ranked) each.score = (each.score - mean) / deviation;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const MeantKind& a, const MeantKind& b) { return a.score > b.score; });
  return ranked;
}

}  // namespace emptor::services
