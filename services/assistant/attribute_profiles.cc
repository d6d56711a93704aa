// Cosines of sets of attributes, weighted by how rare an attribute is (Salton and Buckley 1988).
#include "services/assistant/attribute_profiles.h"

#include <algorithm>
#include <cmath>

namespace emptor::services {
namespace {

constexpr double kRichKeys = 6;        // attributes of a product, on average
constexpr size_t kDescribed = 8;       // attributes of a product that shows what its type states
constexpr size_t kManyDescribed = 5;   // such products that outweigh the rest
constexpr size_t kCompared = 40;       // products with which one is compared
constexpr double kShareOfNear = 0.35;  // of the cosine between typical products
constexpr double kTypical = 0.1;       // cosine to a typical product
constexpr double kSame = 0.6;          // cosine of two products of one type
constexpr size_t kMaxTypical = 400;    // typical products that need no others
constexpr int kRounds = 5;

/// Some of many, evenly.
template <typename Items>
Items Sample(const Items& items, size_t count) {
  if (items.size() <= count) return items;
  Items some;
  for (size_t i = 0; i < count; ++i) some.push_back(items[i * items.size() / count]);
  return some;
}

}  // namespace

void AttributeProfiles::Add(const catalog::Product& product) {
  Profile profile{product.id, {}, 0};
  for (const catalog::Attribute& each : product.attributes) {
    const auto number = static_cast<uint32_t>(key_numbers_.size());
    profile.keys.push_back(key_numbers_.emplace(each.name, number).first->second);
  }
  std::sort(profile.keys.begin(), profile.keys.end());
  profile.keys.erase(std::unique(profile.keys.begin(), profile.keys.end()), profile.keys.end());
  stated_ += profile.keys.size();
  rows_.emplace(product.id, static_cast<uint32_t>(profiles_.size()));
  profiles_.push_back(std::move(profile));
}

void AttributeProfiles::Finish() {
  weights_.assign(key_numbers_.size(), 0);
  for (const Profile& each : profiles_) {
    for (const uint32_t key : each.keys) weights_[key] += 1;
  }
  const auto all = static_cast<double>(profiles_.size());
  for (double& weight : weights_) {
    const double idf = std::log(all / weight);
    weight = idf * idf;
  }
  for (Profile& each : profiles_) {
    for (const uint32_t key : each.keys) each.norm += weights_[key];
    each.norm = std::sqrt(each.norm);
  }
}

bool AttributeProfiles::is_rich() const {
  return static_cast<double>(stated_) >= kRichKeys * static_cast<double>(profiles_.size());
}

std::vector<std::string> AttributeProfiles::Typical(const std::vector<std::string>& seeds) const {
  const Rows rows = RowsOf(seeds);
  const Rows core = CoreOf(rows);
  if (!is_rich() || core.size() < kManyDescribed) return seeds;
  const Rows compared = Sample(core, kCompared);
  // How near products of the type are to each other says how far what is of it may be.
  std::vector<double> near;
  for (const uint32_t row : compared) near.push_back(SecondNearest(profiles_[row], compared));
  std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2),
                   near.end());
  const bool is_known = core.size() >= kCompared / 2;
  const double least = is_known ? kShareOfNear * near[near.size() / 2] : kTypical;
  std::vector<std::string> typical;
  for (const uint32_t row : rows) {
    const Profile& profile = profiles_[row];
    // A product is no evidence for itself.
    const bool is_compared = std::find(compared.begin(), compared.end(), row) != compared.end();
    const double nearest =
        is_compared ? SecondNearest(profile, compared) : Nearest(profile, compared);
    if (nearest >= least) typical.push_back(profile.id);
  }
  return typical;
}

std::vector<std::string> AttributeProfiles::Similar(const std::vector<std::string>& typical) const {
  std::vector<std::string> similar;
  if (!is_rich() || typical.size() > kMaxTypical) return similar;
  Rows front = CoreOf(RowsOf(typical));
  std::unordered_set<uint32_t> known(front.begin(), front.end());
  for (const uint32_t row : RowsOf(typical)) known.insert(row);
  for (int round = 0; round < kRounds && !front.empty(); ++round) {
    const Rows compared = Sample(front, kCompared);
    front.clear();
    std::vector<bool> stated(weights_.size());  // by any of those compared
    for (const uint32_t row : compared) {
      for (const uint32_t key : profiles_[row].keys) stated[key] = true;
    }
    for (uint32_t row = 0; row < profiles_.size(); ++row) {
      const bool is_described = profiles_[row].keys.size() >= kDescribed;
      if (!is_described || known.contains(row) || !MayBeNear(profiles_[row], stated)) continue;
      if (Nearest(profiles_[row], compared) < kSame) continue;
      front.push_back(row);
      known.insert(row);
      similar.push_back(profiles_[row].id);
    }
  }
  return similar;
}

AttributeProfiles::Rows AttributeProfiles::RowsOf(const std::vector<std::string>& ids) const {
  Rows rows;
  for (const std::string& id : ids) {
    const auto found = rows_.find(id);
    if (found != rows_.end()) rows.push_back(found->second);
  }
  return rows;
}

AttributeProfiles::Rows AttributeProfiles::CoreOf(const Rows& rows) const {
  std::vector<size_t> counts;
  for (const uint32_t row : rows) counts.push_back(profiles_[row].keys.size());
  if (counts.empty()) return {};
  std::nth_element(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2),
                   counts.end());
  const size_t least = std::max(kDescribed, counts[counts.size() / 2]);
  Rows core;
  for (const uint32_t row : rows) {
    if (profiles_[row].keys.size() >= least) core.push_back(row);
  }
  return core;
}

double AttributeProfiles::Cosine(const Profile& a, const Profile& b) const {
  if (a.norm == 0 || b.norm == 0) return 0;
  double common = 0;
  for (size_t i = 0, j = 0; i < a.keys.size() && j < b.keys.size();) {
    if (a.keys[i] == b.keys[j]) {
      common += weights_[a.keys[i]];
      ++i;
      ++j;
    } else if (a.keys[i] < b.keys[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return common / (a.norm * b.norm);
}

bool AttributeProfiles::MayBeNear(const Profile& profile, const std::vector<bool>& stated) const {
  double common = 0;
  for (const uint32_t key : profile.keys) {
    if (stated[key]) common += weights_[key];
  }
  // What both state is at most the square of the other one's norm.
  return std::sqrt(common) >= kSame * profile.norm;
}

double AttributeProfiles::SecondNearest(const Profile& profile, const Rows& rows) const {
  double nearest = 0, second = 0;
  for (const uint32_t row : rows) {
    const double cosine = Cosine(profile, profiles_[row]);
    second = std::max(second, std::min(cosine, nearest));
    nearest = std::max(nearest, cosine);
  }
  return second;
}

double AttributeProfiles::Nearest(const Profile& profile, const Rows& rows) const {
  double nearest = 0;
  for (const uint32_t row : rows) nearest = std::max(nearest, Cosine(profile, profiles_[row]));
  return nearest;
}

}  // namespace emptor::services
