// Candidates of four sources, their features, and a softmax.
#include "services/assistant/reading/goods_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "services/assistant/reading/asked_name.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

using Feature = GoodsFeature;

constexpr size_t kMaxNeeds = 6, kMaxMeant = 6, kMaxAlternatives = 2;
constexpr double kUsualMeant = 5;  // standard deviations
// Of probabilities: other goods than the rules read must be clear.
constexpr double kClear = 0.35, kOverRead = 1.5, kNear = 0.6;

// By services/assistant/training/train_goods.py, as are the figures of kClear and kOverRead.
constexpr GoodsFeatures kWeights = {2.68,  1.06,  -1.05, -1.47, 1.19,  -0.93, 2.07, 0.24,
                                    0.38,  2.49,  -1.77, 9.23,  -1.28, -0.94, 2.89, -2.59,
                                    0.70,  -0.95, 0.58,  -1.13, 1.70,  -2.20, 0.92, 0.85,
                                    -0.26, 0.33,  -0.81, 0.78,  1.61};

std::string LastWord(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

class Ranking {
 public:
  explicit Ranking(const GoodsReading& reading) : reading_(reading) {
    AddRead();
    AddFound();
    AddNeeds();
    AddMeant();
    for (Entry& each : entries_) {
      AddSaid(each);
      AddJoint(each);
    }
  }

  std::vector<GoodsCandidate> Run() {
    std::vector<GoodsCandidate> ranked;
    double sum = 0;
    for (Entry& each : entries_) {
      const double score = std::inner_product(kWeights.begin(), kWeights.end(),
                                              each.candidate.features.begin(), double{0});
      each.candidate.probability = std::exp(score);
      sum += each.candidate.probability;
      ranked.push_back(std::move(each.candidate));
    }
    for (GoodsCandidate& each : ranked) each.probability /= sum;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    return ranked;
  }

 private:
  struct Entry {
    std::string name;  // singular
    GoodsCandidate candidate;
    double& Of(Feature feature) { return candidate.features[static_cast<size_t>(feature)]; }
  };

  static std::string NameOf(const std::string& name) {
    const std::vector<std::string> words = SingularWords(name);
    return words.empty() ? "" : JoinWords(words, 0, words.size());
  }

  /// Null: the shop has no such goods.
  Entry* EntryOf(const std::string& kind) {
    const std::string name = NameOf(kind);
    if (name.empty()) return nullptr;
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& each) { return each.name == name; });
    if (known != entries_.end()) return &*known;
    auto type = FindProductType(kind, "en", reading_.profile);
    if (!type) type = ProductType{name, {}, {name, name + "s"}, true};
    if (!reading_.is_sold(*type)) return nullptr;
    const std::string own = NameOf(type->name);
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& each) { return each.name == own; });
    if (same != entries_.end()) return &*same;
    entries_.push_back({own, {.type = *std::move(type)}});
    return &entries_.back();
  }

  void AddRead() {
    const auto& read = reading_.read;
    if (!read) return;
    const std::vector<std::string> help = HelpOf(*read);
    entries_.push_back(
        {NameOf(help.empty() ? read->name : help.front()), {.type = *read, .is_read = true}});
    Entry& entry = entries_.back();
    const bool is_said = reading_.message.FindLongest(read->words).found();
    entry.Of(Feature::kRead) = 1;
    entry.Of(Feature::kReadAsNeed) = read->is_advised;
    entry.Of(Feature::kReadInFull) = !read->is_advised && is_said && read->is_whole;
    entry.Of(Feature::kReadByName) = !read->is_advised && IsAskedByName(reading_.message, *read);
  }

  void AddFound() {
    const auto count = static_cast<double>(reading_.found.size());
    for (size_t i = 0; i < reading_.found.size(); ++i) {
      const FoundKind& found = reading_.found[i];
      Entry* const entry = EntryOf(found.name);
      if (entry == nullptr) continue;
      entry->Of(Feature::kFoundFirst) += i == 0;
      double& place = entry->Of(Feature::kFoundPlace);
      place = std::max(place, 1 / static_cast<double>(1 + i));
      double& score = entry->Of(Feature::kFoundScore);
      score = std::max(score, found.score);
      double& near = entry->Of(Feature::kFoundNear);
      near = std::max(near, found.similarity);
      entry->Of(Feature::kFoundShare) += 1 / count;
    }
    for (Entry& each : entries_) {
      for (const FoundKind& found : reading_.found) {
        const std::string name = NameOf(found.name);
        if (!name.empty() && LastWord(name) == LastWord(each.name))
          each.Of(Feature::kFoundHeads) += 1 / count;
      }
    }
  }

  void AddNeeds() {
    size_t added = 0;
    double best = 0;
    for (const NeededType& each : reading_.needs) {
      if (added == kMaxNeeds) break;
      Entry* const entry = each.name == kNothingNeeded ? nullptr : EntryOf(each.name);
      if (entry == nullptr || entry->Of(Feature::kNeedScore) > 0) continue;
      if (added++ == 0) best = each.score;
      entry->Of(Feature::kNeedScore) = each.score;
      entry->Of(Feature::kNeedShare) = best > 0 ? each.score / best : 0;
      entry->Of(Feature::kNeedFirst) = added == 1;
    }
  }

  void AddMeant() {
    for (size_t i = 0; i < std::min(kMaxMeant, reading_.meant.size()); ++i) {
      Entry* const entry = EntryOf(reading_.meant[i].name);
      if (entry == nullptr || entry->Of(Feature::kMeantScore) > 0) continue;
      const double score = std::max(0.0, reading_.meant[i].score);
      entry->Of(Feature::kMeantScore) = score / kUsualMeant;
      entry->Of(Feature::kMeantShare) = score / std::max(reading_.meant.front().score, score);
      entry->Of(Feature::kMeantFirst) = i == 0;
    }
  }

  void AddSaid(Entry& entry) const {
    const FoldedMessage::Span name = reading_.message.FindLongest(entry.candidate.type.words);
    const std::vector<std::string> words = SplitWords(entry.name);
    const std::vector<std::string> said = SingularWords(reading_.message.text());
    const auto is_said = [&](const std::string& word) {
      return std::find(said.begin(), said.end(), word) != said.end();
    };
    entry.Of(Feature::kWordsSaid) =
        static_cast<double>(std::count_if(words.begin(), words.end(), is_said)) /
        static_cast<double>(std::max<size_t>(1, words.size()));
    entry.Of(Feature::kHeadSaid) = !words.empty() && is_said(words.back());
    if (!name.found()) return;
    const auto size = static_cast<double>(std::max<size_t>(1, reading_.message.text().size()));
    const std::string_view text = reading_.message.text();
    entry.Of(Feature::kSaid) = 1;
    entry.Of(Feature::kSaidInWords) = text.substr(name.begin, name.size()).find(' ') != text.npos;
    entry.Of(Feature::kSaidEarly) = 1 - static_cast<double>(name.begin) / size;
    entry.Of(Feature::kAskedByName) = IsAskedByName(reading_.message, entry.candidate.type);
    const auto lead = LeadOfName(reading_.message, entry.candidate.type);
    entry.Of(Feature::kPurpose) = lead && lead->is_purpose;
    const std::vector<std::string> before = SplitWords(text.substr(0, name.begin));
    entry.Of(Feature::kOwned) = !before.empty() && IsOwnerWord(before.back());
  }

  static void AddJoint(Entry& entry) {
    const double found = entry.Of(Feature::kFoundFirst), needed = entry.Of(Feature::kNeedFirst);
    const double said = std::max(entry.Of(Feature::kSaid), entry.Of(Feature::kHeadSaid));
    entry.Of(Feature::kFirstOfAll) =
        found + needed + entry.Of(Feature::kMeantFirst) + entry.Of(Feature::kRead);
    entry.Of(Feature::kFoundAndNeeded) = found * entry.Of(Feature::kNeedShare);
    entry.Of(Feature::kFoundAndSaid) = entry.Of(Feature::kFoundPlace) * said;
    entry.Of(Feature::kNeededNotSaid) = needed * (1 - said);
    entry.Of(Feature::kReadAlone) =
        entry.Of(Feature::kRead) * (entry.Of(Feature::kFoundShare) == 0);
  }

  const GoodsReading& reading_;
  std::vector<Entry> entries_;
};

/// "A laptop with 16 GB of RAM", "a label maker": what is asked for by its name comes with the name
/// of other goods.
bool SaysMoreOf(const GoodsCandidate& read, const GoodsCandidate& best) {
  const bool is_asked = read.features[static_cast<size_t>(Feature::kReadByName)] > 0;
  const bool is_said = best.features[static_cast<size_t>(Feature::kSaid)] > 0;
  return is_asked && is_said && LastWord(read.type.name) != LastWord(best.type.name);
}

/// "Unsere Waschmaschine ist hin": words of other records that a search happens to find say
/// nothing.
bool IsFoundAlone(const GoodsCandidate& best) {
  const auto of = [&](Feature feature) { return best.features[static_cast<size_t>(feature)]; };
  return of(Feature::kNeedScore) == 0 && of(Feature::kSaid) == 0 && of(Feature::kHeadSaid) == 0;
}

}  // namespace

std::vector<GoodsCandidate> RankGoods(const GoodsReading& reading) {
  return Ranking(reading).Run();
}

std::optional<ProductType> ChooseGoods(const GoodsReading& reading,
                                       const std::vector<GoodsCandidate>& ranked) {
  // A gift may be of many types.
  const auto& rules = reading.read;
  if (rules && rules->is_advised && rules->advised.empty()) return std::nullopt;
  if (ranked.empty() || ranked.front().is_read) return std::nullopt;
  const GoodsCandidate& best = ranked.front();
  const auto read = std::find_if(ranked.begin(), ranked.end(),
                                 [](const GoodsCandidate& each) { return each.is_read; });
  if (best.probability < kClear) return std::nullopt;
  if (IsFoundAlone(best)) return std::nullopt;
  if (read != ranked.end()) {
    const bool is_over = best.probability >= kOverRead * read->probability;
    if (!is_over || SaysMoreOf(*read, best)) return std::nullopt;
  }
  ProductType chosen = best.type;
  const bool is_said = reading.message.FindLongest(chosen.words).found();
  if (is_said || !TypeNamed(chosen.name, "en")) return chosen;
  ProductType needed;
  needed.name = chosen.name;
  needed.is_whole = needed.is_advised = true;
  needed.advised = {chosen.name};
  for (size_t i = 1; i < ranked.size() && needed.alternatives.size() < kMaxAlternatives; ++i) {
    if (ranked[i].probability < kNear * best.probability) break;
    if (!ranked[i].type.is_advised) needed.alternatives.push_back(ranked[i].type.name);
  }
  return needed;
}

}  // namespace emptor::services
