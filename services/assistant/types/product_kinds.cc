// Votes of the nearest neighbours by cosines of sets of attributes, weighted by how rare an
// attribute is (Salton and Buckley 1988; Cover and Hart 1967).
#include "services/assistant/types/product_kinds.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "services/assistant/types/trade_names.h"
#include "services/assistant/types/type_names.h"

namespace emptor::services {
namespace {

constexpr double kRichKeys = 6;     // attributes of a product, on average
constexpr size_t kDescribed = 6;    // attributes of a product whose neighbours are known
constexpr size_t kVoters = 12;      // neighbours of a known kind
constexpr size_t kNeighbours = 24;  // that are kept
constexpr float kVotes = 0.25f;     // cosine of a neighbour that votes
constexpr size_t kCommonShare = 8;  // an attribute of more than this part of the shop tells nothing
constexpr size_t kFewProducts = 100;  // which an attribute may always tell apart
constexpr size_t kLongList = 4000;    // products of an attribute with which one is compared
constexpr int kRounds = 5;
constexpr double kOtherName = 0.6;  // of a vote: for a name in the title that is not its kind
/// A product without a name takes the kind that this share votes for, if one is so near.
constexpr double kAdopts = 0.6;
constexpr float kNearAdopted = 0.5f;
/// Of several names in a title, the one with this share is its kind.
constexpr double kChooses = 0.5;
/// An ambiguous name that few neighbours share gives way to what nearly all of them are.
constexpr size_t kFewShare = 4;  // a name of fewer neighbours than this part is alone
constexpr double kOverrules = 0.8;
constexpr float kNearOverruled = 0.6f;

/// A "notebook" is of paper, or a German laptop: its neighbours tell.
std::set<std::string> OtherTypesNamed(const TitleName& name) {
  std::set<std::string> others;
  for (const std::string_view language : {"de", "fr", "es"}) {
    const auto other = name.is_type ? TypeNamed(name.text, language) : std::nullopt;
    if (!other) continue;
    const std::string& canonical = TheLexiconTypes()[*other].canonical;
    if (canonical != name.name) others.insert(canonical);
  }
  return others;
}

/// A "case fan" is a fan.
bool IsKindOfName(std::string_view name, std::string_view wider) {
  return name.size() > wider.size() + 1 && name.ends_with(wider) &&
         name[name.size() - wider.size() - 1] == ' ';
}

}  // namespace

uint32_t ProductKinds::KindNumber(std::string_view name, bool is_type) {
  std::string kind = is_type ? std::string(name) : "(" + std::string(name) + ")";
  const auto [found, is_new] = kind_numbers_.emplace(kind, static_cast<uint32_t>(kinds_.size()));
  if (is_new) kinds_.push_back(std::move(kind));
  return found->second;
}

void ProductKinds::AddName(const TitleName& name, Row& row) {
  if (name.is_measured) {
    row.otherwise = KindNumber(name.name, name.is_type);
    return;
  }
  const std::set<std::string> others = OtherTypesNamed(name);
  for (const std::string& other : others) row.names.push_back(KindNumber(other, true));
  row.names.push_back(KindNumber(name.name, name.is_type));
  // A title may name the console that a game is for.
  const bool is_platform = IsTradeName(name.text) && IsPlatform(name.name);
  row.kind = others.empty() && !is_platform ? row.names.back() : 0;
}

void ProductKinds::Add(const catalog::Product& product) {
  Row row;
  row.id = product.id;
  for (const TitleName& each : NamesInTitle(product.title)) AddName(each, row);
  const bool is_titled = !row.names.empty();
  for (const catalog::Attribute& each : product.attributes) {
    const auto number = static_cast<uint32_t>(key_numbers_.size());
    row.keys.push_back(key_numbers_.emplace(each.name, number).first->second);
    if (is_titled || !StatesType(each.name)) continue;
    const std::vector<TitleName> stated = NamesInTitle(each.value);
    if (!stated.empty() && stated.back().is_type) AddName(stated.back(), row);
  }
  std::sort(row.keys.begin(), row.keys.end());
  row.keys.erase(std::unique(row.keys.begin(), row.keys.end()), row.keys.end());
  stated_ += row.keys.size();
  rows_.push_back(std::move(row));
}

bool ProductKinds::is_rich() const {
  return !rows_.empty() &&
         static_cast<double>(stated_) >= kRichKeys * static_cast<double>(rows_.size());
}

size_t ProductKinds::CountOf(const std::string& attribute) const {
  const auto known = key_numbers_.find(attribute);
  return known == key_numbers_.end() ? 0 : key_counts_[known->second];
}

void ProductKinds::Finish() {
  key_counts_.assign(key_numbers_.size(), 0);
  for (const Row& row : rows_) {
    for (const uint32_t key : row.keys) ++key_counts_[key];
  }
  if (is_rich()) Vote();
  // What no neighbour decides is what the name means in English.
  for (Row& row : rows_) {
    if (row.kind == 0) row.kind = row.names.empty() ? row.otherwise : row.names.back();
  }
}

void ProductKinds::Vote() {
  WeighKeys();
  named_.assign(kinds_.size(), 0);
  for (const Row& row : rows_) {
    const std::set<uint32_t> names(row.names.begin(), row.names.end());
    for (const uint32_t name : names) ++named_[name];
  }
  const std::vector<Neighbours> neighbours = FindNeighbours();
  for (int round = 0; round < kRounds; ++round) {
    std::vector<uint32_t> kinds;
    for (size_t i = 0; i < rows_.size(); ++i) {
      kinds.push_back(KindAfter(rows_[i], CountVotes(neighbours[i])));
    }
    for (size_t i = 0; i < rows_.size(); ++i) rows_[i].kind = kinds[i];
  }
}

void ProductKinds::WeighKeys() {
  weights_.assign(key_numbers_.size(), 0);
  for (const Row& each : rows_) {
    for (const uint32_t key : each.keys) weights_[key] += 1;
  }
  const auto all = static_cast<double>(rows_.size());
  for (double& weight : weights_) {
    const double idf = std::log(all / weight);
    weight = idf * idf;
  }
  for (Row& each : rows_) {
    for (const uint32_t key : each.keys) each.norm += weights_[key];
    each.norm = std::sqrt(each.norm);
  }
}

std::vector<std::vector<uint32_t>> ProductKinds::RowsByKey() const {
  std::vector<std::vector<uint32_t>> rows(weights_.size());
  for (uint32_t row = 0; row < rows_.size(); ++row) {
    for (const uint32_t key : rows_[row].keys) rows[key].push_back(row);
  }
  for (std::vector<uint32_t>& each : rows) {
    if (each.size() > std::max(kFewProducts, rows_.size() / kCommonShare)) each.clear();
    if (each.size() <= kLongList) continue;
    for (size_t i = 0; i < kLongList; ++i) each[i] = each[i * each.size() / kLongList];
    each.resize(kLongList);
  }
  return rows;
}

/// The nearest ones, and the nearest of a known kind: many products of a maker are all alike.
void ProductKinds::KeepNearest(Neighbours& found) const {
  const auto is_nearer = [](const Neighbour& a, const Neighbour& b) {
    return std::pair(-a.cosine, a.row) < std::pair(-b.cosine, b.row);
  };
  const auto nearest = [&](Neighbours::iterator begin, Neighbours::iterator end, size_t count) {
    const auto kept = std::min(static_cast<ptrdiff_t>(count), end - begin);
    std::partial_sort(begin, begin + kept, end, is_nearer);
    return begin + kept;
  };
  const auto others = nearest(found.begin(), found.end(), kNeighbours);
  const auto unknown = std::partition(
      others, found.end(), [&](const Neighbour& each) { return rows_[each.row].kind != 0; });
  found.erase(nearest(others, unknown, kVoters), found.end());
}

std::vector<ProductKinds::Neighbours> ProductKinds::FindNeighbours() const {
  const std::vector<std::vector<uint32_t>> by_key = RowsByKey();
  std::vector<Neighbours> all(rows_.size());
  std::vector<double> common(rows_.size());
  std::vector<uint32_t> touched;
  for (uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].keys.size() < kDescribed) continue;
    touched.clear();
    for (const uint32_t key : rows_[row].keys) {
      for (const uint32_t other : by_key[key]) {
        if (common[other] == 0) touched.push_back(other);
        common[other] += weights_[key];
      }
    }
    Neighbours& found = all[row];
    for (const uint32_t other : touched) {
      const double norms = rows_[row].norm * rows_[other].norm;
      const auto cosine = static_cast<float>(norms > 0 ? common[other] / norms : 0);
      common[other] = 0;
      if (other != row && cosine >= kVotes) found.push_back({other, cosine});
    }
    KeepNearest(found);
    found.shrink_to_fit();
  }
  return all;
}

ProductKinds::Votes ProductKinds::CountVotes(const Neighbours& neighbours) const {
  Votes votes;
  size_t voters = 0;
  double all = 0;
  for (const Neighbour& each : neighbours) {
    const Row& row = rows_[each.row];
    ++votes.neighbours;
    for (const uint32_t name : row.names) ++votes.named[name];
    if (row.kind == 0) continue;
    if (++voters > kVoters) continue;
    const double weight = static_cast<double>(each.cosine) * each.cosine;
    all += weight;
    votes.nearest = std::max(votes.nearest, each.cosine);
    votes.shares[row.kind] += weight;
    votes.kinds[row.kind] += weight;
    for (size_t i = 0; i < row.names.size(); ++i) {
      const auto known = row.names.begin() + static_cast<std::ptrdiff_t>(i);
      const bool is_first = std::find(row.names.begin(), known, row.names[i]) == known;
      if (is_first && row.names[i] != row.kind) votes.shares[row.names[i]] += kOtherName * weight;
    }
  }
  for (auto& [kind, share] : votes.shares) share /= all;
  return votes;
}

uint32_t ProductKinds::KindAfter(const Row& row, const Votes& votes) const {
  const auto share = [&](uint32_t kind) {
    const auto found = votes.shares.find(kind);
    return found == votes.shares.end() ? 0.0 : found->second;
  };
  // A rare name says more: all neighbours of a laptop screen protector name both.
  const auto weight = [&](uint32_t name) {
    return share(name) *
           std::sqrt(std::log(static_cast<double>(rows_.size()) / (1.0 + named_[name])));
  };
  uint32_t kind = row.kind;
  double known = 0;  // votes of products that are of the kind
  for (const uint32_t name : row.names) {
    const auto found = votes.kinds.find(name);
    if (row.kind != 0 || found == votes.kinds.end() || found->second <= known) continue;
    kind = name;
    known = found->second;
  }
  for (const uint32_t name : row.names) {
    const bool is_closer = IsKindOfName(kinds_[name], kinds_[kind]);
    if (row.kind != 0 && share(name) >= kChooses && (weight(name) > weight(kind) || is_closer))
      kind = name;
  }
  uint32_t most = 0;
  for (const auto& [each, each_share] : votes.shares) {
    if (most == 0 || each_share > share(most)) most = each;
  }
  const bool adopts =
      kind == 0 && row.names.empty() && share(most) >= kAdopts && votes.nearest >= kNearAdopted;
  const bool is_alone = std::none_of(row.names.begin(), row.names.end(), [&](uint32_t name) {
    const auto named = votes.named.find(name);
    return named != votes.named.end() && named->second * kFewShare > votes.neighbours;
  });
  const bool gives_way = row.kind == 0 && !row.names.empty() && is_alone &&
                         share(most) >= kOverrules && votes.nearest >= kNearOverruled;
  return adopts || gives_way ? most : kind;
}

std::vector<std::string> ProductKinds::Members(const ProductType& type) const {
  std::vector<bool> is_of(kinds_.size());
  for (size_t kind = 1; kind < kinds_.size(); ++kind) is_of[kind] = IsKindOf(kinds_[kind], type);
  std::vector<std::string> members;
  for (const Row& each : rows_) {
    if (is_of[each.kind]) members.push_back(each.id);
  }
  return members;
}

}  // namespace emptor::services
