// Counts of words by department, and the votes of a title's words.
#include "services/assistant/types/departments.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMaxFeatures = 40;     // of a title
constexpr size_t kMinBytes = 3;         // of a word
constexpr float kFewTitles = 3;         // a word of fewer tells nothing
constexpr size_t kMaxRows = 30000;      // titles from which it is learned
constexpr size_t kFewRows = 2000;       // a shop of fewer titles has too few words of each
constexpr double kPrior = 100;          // features of a department that are as in the whole shop
constexpr double kMaxVote = 1.5;        // of a word, for one department against another
constexpr double kMaxCategoryVote = 4;  // of a category
constexpr double kContradicts = 5;      // votes by which another department must be ahead
constexpr std::string_view kDigits = "0123456789";
constexpr char kCategoryMark = '>';   // before a category among the features
constexpr char kAttributeMark = '=';  // before the name of an attribute

bool IsTelling(const std::string& word) {
  return word.size() >= kMinBytes && word.find_first_of(kDigits) == std::string::npos;
}

/// The department of a type by its canonical name, that of the widest one; 0: none.
size_t DepartmentOf(const std::string& canonical) {
  auto known = TypeNamed(canonical, "en");
  while (known) {
    const LexiconType& type = TheLexiconTypes()[*known];
    if (type.wider.empty()) return type.department;
    known = TypeNamed(type.wider, "en");
  }
  return 0;
}

/// The words of a title, its categories and attributes, each once.
Words FeaturesOf(const catalog::Product& product) {
  Words features;
  for (std::string& word : SingularWords(product.title)) {
    const bool is_new = std::find(features.begin(), features.end(), word) == features.end();
    if (IsTelling(word) && is_new && features.size() < kMaxFeatures) {
      features.push_back(std::move(word));
    }
  }
  for (const std::string& category : product.categories) {
    features.push_back(kCategoryMark + category);
  }
  for (const catalog::Attribute& each : product.attributes) {
    features.push_back(kAttributeMark + each.name);
  }
  return features;
}

}  // namespace

Departments::FeatureId Departments::Intern(const std::string& feature) {
  const auto [known, is_new] = ids_.try_emplace(feature, static_cast<FeatureId>(ids_.size()));
  if (is_new) {
    kinds_.push_back(feature.front() == kCategoryMark    ? Kind::kCategory
                     : feature.front() == kAttributeMark ? Kind::kAttribute
                                                         : Kind::kWord);
  }
  return known->second;
}

void Departments::Add(const catalog::Product& product) {
  Add(product, NamesInTitle(product.title));
}

void Departments::Add(const catalog::Product& product, const std::vector<TitleName>& names) {
  if (rows_.size() >= kMaxRows) return;
  if (names.empty() || !names.back().is_type) return;
  const size_t department = DepartmentOf(names.back().name);
  if (department == 0 || department >= kMaxDepartments) return;
  Row row{features_.size(), 0, static_cast<uint8_t>(department), false};
  row.is_plain = names.back().text.find(' ') != std::string::npos;
  const Words named = SingularWords(names.back().text);
  for (const std::string& feature : FeaturesOf(product)) {
    // The name itself would vote for its department in every title.
    const bool is_name = std::find(named.begin(), named.end(), feature) != named.end();
    if (!is_name) features_.push_back(Intern(feature));
  }
  row.end = features_.size();
  rows_.push_back(row);
}

void Departments::CountRows(const std::vector<bool>& counted) {
  counts_.assign(ids_.size(), Counts{});
  totals_ = attribute_totals_ = {};
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (!counted[i]) continue;
    const Row& row = rows_[i];
    for (size_t at = row.begin; at < row.end; ++at) {
      counts_[features_[at]][row.department] += 1;
      const bool is_attribute = kinds_[features_[at]] == Kind::kAttribute;
      (is_attribute ? attribute_totals_ : totals_)[row.department] += 1;
    }
  }
}

double Departments::Margin(std::vector<FeatureId> features, size_t department) const {
  // Of one department all attributes are alike: they would outvote its words.
  std::erase_if(features, [&](FeatureId each) { return kinds_[each] == Kind::kAttribute; });
  std::array<double, kMaxDepartments> votes = {};
  const double all = std::accumulate(totals_.begin(), totals_.end(), 0.0);
  for (const FeatureId feature : features) {
    const Counts& counts = counts_[feature];
    const float said = std::accumulate(counts.begin(), counts.end(), 0.0f);
    if (said < kFewTitles || totals_[department] == 0) continue;
    const double usual = said / all;
    const auto share = [&](size_t each) {
      return std::log((counts[each] + kPrior * usual) / (totals_[each] + kPrior));
    };
    const double own = share(department);
    const double limit = kinds_[feature] == Kind::kCategory ? kMaxCategoryVote : kMaxVote;
    for (size_t each = 1; each < kMaxDepartments; ++each) {
      if (totals_[each] == 0) continue;
      votes[each] += std::clamp(share(each) - own, -limit, limit);
    }
  }
  return *std::max_element(votes.begin(), votes.end());
}

void Departments::Finish() {
  std::vector<bool> counted;
  if (rows_.size() >= kFewRows) {
    for (const Row& row : rows_) counted.push_back(row.is_plain);
    CountRows(counted);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto begin = features_.begin() + static_cast<std::ptrdiff_t>(rows_[i].begin);
      const auto end = features_.begin() + static_cast<std::ptrdiff_t>(rows_[i].end);
      counted[i] = Margin({begin, end}, rows_[i].department) < kContradicts;
    }
    CountRows(counted);
  }
  features_ = {};
  rows_ = {};
}

bool Departments::MayHold(const catalog::Product& product, const ProductType& type) const {
  if (counts_.empty()) return true;
  const std::vector<TitleName> names = NamesInTitle(product.title, &type);
  // A smartwatch is a watch, but sold in another department.
  const bool is_named = !names.empty() && names.back().is_type;
  const size_t department = DepartmentOf(is_named ? names.back().name : type.name);
  if (department == 0 || department >= kMaxDepartments) return true;
  const Words named = names.empty() ? Words{} : SingularWords(names.back().text);
  return Margin(KnownFeatures(product, named), department) < kContradicts;
}

bool Departments::IsToyOf(const catalog::Product& product, const ProductType& type) const {
  static const size_t kToys = DepartmentNamed("[toys]"), kOffice = DepartmentNamed("[office]");
  const size_t department = DepartmentOf(type.name);
  // Children's pens are pens.
  if (counts_.empty() || department == kToys || department == kOffice) return false;
  double votes = 0;
  for (const FeatureId feature : KnownFeatures(product, {})) {
    const bool is_attribute = kinds_[feature] == Kind::kAttribute;
    const Counts& totals = is_attribute ? attribute_totals_ : totals_;
    const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
    const double toys = totals[kToys];
    const Counts& counts = counts_[feature];
    const float said = std::accumulate(counts.begin(), counts.end(), 0.0f);
    if (said < kFewTitles) continue;
    const double prior = kPrior * said / all;
    const double of_toys = (counts[kToys] + prior) / (toys + kPrior);
    const double of_others = (said - counts[kToys] + prior) / (all - toys + kPrior);
    votes += std::clamp(std::log(of_toys / of_others), -kMaxVote, kMaxVote);
  }
  return votes >= kContradicts;
}

std::vector<Departments::FeatureId> Departments::KnownFeatures(const catalog::Product& product,
                                                               const Words& named) const {
  std::vector<FeatureId> features;
  for (const std::string& feature : FeaturesOf(product)) {
    const auto known = ids_.find(feature);
    const bool is_name = std::find(named.begin(), named.end(), feature) != named.end();
    if (known != ids_.end() && !is_name) features.push_back(known->second);
  }
  return features;
}

}  // namespace emptor::services
