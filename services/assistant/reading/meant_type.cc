// Names outrank meaning where the request begins with them.
#include "services/assistant/reading/meant_type.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/reading/asked_name.h"
#include "services/assistant/types/needs.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxMeant = 3;
// Chosen on the open cases of data/eval/answers/*-kinds.jsonl, as is the factor in ClearOf.
constexpr double kClear = 3.4, kNear = 0.9;
constexpr double kUsualKinds = 150;

/// What a score must reach. Of more kinds one is as near by chance alone: the maximum of n normal
/// values grows with the root of 2 ln n.
double ClearOf(size_t kinds) {
  const auto chance = [](double n) { return std::sqrt(2 * std::log(std::max(n, 2.0))); };
  return kClear + std::max(0.0, 4 * (chance(static_cast<double>(kinds)) - chance(kUsualKinds)));
}

/// The best score of the type, or of those that help with a need.
double ScoreOf(const ProductType& type, const std::vector<MeantKind>& ranked,
               const ShopProfile& profile) {
  std::vector<std::string> kinds = KindsOf(type);
  for (const std::string& name : HelpOf(type)) {
    const auto each = FindProductType(name, "en", profile);
    if (!each) continue;
    const std::vector<std::string> own = KindsOf(*each);
    kinds.insert(kinds.end(), own.begin(), own.end());
  }
  const auto found = std::find_if(ranked.begin(), ranked.end(), [&](const MeantKind& each) {
    return std::find(kinds.begin(), kinds.end(), each.name) != kinds.end();
  });
  return found == ranked.end() ? 0 : found->score;
}

}  // namespace

std::vector<std::string> KindsOf(const ProductType& type) {
  std::vector<std::string> kinds = {type.name};
  for (const std::string& category : type.categories) {
    kinds.push_back(retrieval::FoldWords(LeafOf(category)));
  }
  return kinds;
}

std::optional<ProductType> FindMeantType(const std::vector<MeantKind>& ranked,
                                         const FoldedMessage& message,
                                         const std::optional<ProductType>& named,
                                         const ShopProfile& profile) {
  const double clear = ClearOf(ranked.size());
  if (ranked.empty() || ranked.front().score < clear) return std::nullopt;
  const double best = ranked.front().score;
  if (named && !named->is_advised && IsAskedByName(message, *named)) return std::nullopt;
  if (named && ScoreOf(*named, ranked, profile) >= best - kNear) return std::nullopt;
  // "Floor lamp for reading", of a kind of its own.
  auto literal = FindProductType(ranked.front().name, "en", profile);
  if (literal && message.FindLongest(literal->words).found()) return literal;
  ProductType meant;
  meant.is_whole = meant.is_advised = true;
  for (const MeantKind& each : ranked) {
    const bool is_meant = each.score >= clear && each.score >= best - kNear;
    const size_t kinds = meant.advised.size() + meant.alternatives.size();
    if (!is_meant || kinds == kMaxMeant) break;
    (kinds == 0 ? meant.advised : meant.alternatives).push_back(each.name);
  }
  meant.name = meant.advised.front();
  return meant;
}

}  // namespace emptor::services
