// What others said of a need and what the shop's goods are called count together.
#include "services/assistant/reading/needed_type.h"

#include <algorithm>
#include <unordered_map>

#include "services/assistant/reading/asked_name.h"
#include "services/assistant/reading/meant_type.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNeeded = 3;
constexpr size_t kMaxRanked = 16, kMaxMeant = 6;  // candidates
// Of scores; chosen on the open parts of data/eval/needs and data/eval/answers.
constexpr double kMeantShare = 0.1;   // of a standard deviation
constexpr double kClear = 0.42;       // nothing is named
constexpr double kOverNeed = 0.8;     // a need of needs.txt is said in other words
constexpr double kOverListed = 0.95;  // it is one of those that help with such a need
constexpr double kOverName = 0.6;     // goods are named by the way
constexpr double kOverTopic = 0.8;    // other goods were shown
constexpr double kNear = 0.85;        // of the best score: helps as well
constexpr double kNearestSold = 0.6;  // of the best score, where the best is not sold
constexpr double kNamedShare = 0.45;  // of the best score: what is named is wanted
constexpr double kHeadShare = 0.3;    // the same, where a noun that a message is built on names it
constexpr double kMinSaid = 0.3;      // of what others said, else the shop's own kinds say more
constexpr double kMinSaidBehind = 0.55;  // the same, behind other goods
constexpr double kCertain = 0.75;        // of what others said
constexpr double kCertainShare = 0.35;   // of the best score: less is not wanted
constexpr size_t kSentence = 6;          // words of a message that may tell something
constexpr double kCollective = 0.85;  // of the score of "car accessories", which help with anything

struct Candidate {
  std::string name;
  double score = 0;
  bool is_sold = false;
  bool is_meant = false;  // by the shop's kinds alone
};

/// "Car accessories", "baby feeding": goods of many kinds.
bool IsCollective(const std::string& name) {
  const FoldedMessage last(name.substr(name.rfind(' ') + 1));
  return HasCue(last, Cue::kNotName) || last.text() == "care";
}

class Reader {
 public:
  explicit Reader(const NeedReading& reading) : reading_(reading) {
    for (const MeantKind& each : reading.meant) {
      meant_.emplace(each.name, kMeantShare * std::max(0.0, each.score));
    }
    AddRanked();
    AddMeant();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  }

  std::optional<ProductType> Run() const {
    if (found_.empty() || found_.front().score < MinScore() || IsNamed()) return std::nullopt;
    const bool is_said =
        !reading_.ranked.empty() && reading_.ranked.front().name != kNothingNeeded &&
        reading_.ranked.front().score >= (reading_.has_topic ? kMinSaidBehind : kMinSaid);
    if (!is_said) return std::nullopt;
    ProductType needed;
    needed.is_whole = needed.is_advised = true;
    const double best = found_.front().score;
    for (const Candidate& each : found_) {
      const double near = needed.advised.empty() ? kNearestSold : kNear;
      const size_t needs = needed.advised.size() + needed.alternatives.size();
      if (each.score < near * best || needs == kMaxNeeded) break;
      // What is near by its name alone: toy trains, of "noise on my train journey".
      if (!each.is_sold || (each.is_meant && !needed.advised.empty())) continue;
      (needs == 0 ? needed.advised : needed.alternatives).push_back(each.name);
    }
    if (!needed.advised.empty()) {
      needed.name = needed.advised.front();
      // "Wireless presenter with a laser pointer": it is named.
      auto best_type = FindProductType(needed.name, "en", reading_.profile);
      if (best_type && reading_.message.FindLongest(best_type->words).found()) return best_type;
      return needed;
    }
    if (reading_.named || reading_.has_topic) return std::nullopt;
    return FindProductType(found_.front().name, "en", reading_.profile);
  }

 private:
  double MeantScore(const ProductType& type) {
    double best = 0;
    for (const std::string& kind : KindsOf(type)) {
      const auto found = meant_.find(kind);
      if (found == meant_.end()) continue;
      best = std::max(best, found->second);
      covered_.push_back(kind);
    }
    return best;
  }

  void AddRanked() {
    for (const NeededType& each : reading_.ranked) {
      if (found_.size() == kMaxRanked) break;
      if (each.name == kNothingNeeded) continue;
      const auto type = FindProductType(each.name, "en", reading_.profile);
      if (!type) continue;
      const bool is_sold = reading_.is_sold(*type);
      const double meant = is_sold && reading_.is_english ? MeantScore(*type) : 0;
      const double score = each.score + meant;
      found_.push_back({each.name, IsCollective(each.name) ? kCollective * score : score, is_sold});
    }
  }

  void AddMeant() {
    if (!reading_.is_english) return;
    for (size_t i = 0; i < std::min(kMaxMeant, reading_.meant.size()); ++i) {
      const std::string& name = reading_.meant[i].name;
      if (std::find(covered_.begin(), covered_.end(), name) != covered_.end()) continue;
      found_.push_back({name, meant_.at(name), true, true});
    }
  }

  double MinScore() const {
    if (reading_.has_topic) return kOverTopic;
    if (!reading_.named) return kClear;
    return reading_.named->is_advised ? kOverNeed : kOverName;
  }

  /// A need of needs.txt lists what is nearest; what the message names is asked for by its name, or
  /// as near to what it says.
  bool IsNamed() const {
    if (!reading_.named) return false;
    if (reading_.named->is_advised) return IsListed();
    // "Razor burn every single morning" begins with a name, and asks for nothing by it.
    const bool is_other = reading_.ranked.front().score >= kCertain &&
                          OwnScore() < kCertainShare * found_.front().score &&
                          !HasCue(reading_.message, Cue::kMore) &&
                          !HasCue(reading_.message, Cue::kRequest) &&
                          reading_.message.word_count() >= kSentence;
    if (IsAskedByName(reading_.message, *reading_.named)) return !is_other;
    if (!is_other && !reading_.is_sold(*reading_.named)) return true;  // the answer will say so
    const bool is_literal = reading_.message.FindLongest(reading_.named->words).found();
    if (!is_other && !is_literal && !reading_.is_english) return true;
    return OwnScore() >= (is_literal ? kNamedShare : kHeadShare) * found_.front().score;
  }

  bool IsListed() const {
    const std::vector<std::string> listed = HelpOf(*reading_.named);
    const auto best = std::find_if(found_.begin(), found_.end(),
                                   [](const Candidate& each) { return each.is_sold; });
    return best == found_.end() || best->score < kNearestSold * found_.front().score ||
           IsCollective(best->name) ||
           (best->score < kOverListed &&
            std::find(listed.begin(), listed.end(), best->name) != listed.end());
  }

  double OwnScore() const {
    double own = 0;
    for (const std::string& kind : KindsOf(*reading_.named)) {
      const auto found = meant_.find(kind);
      if (found != meant_.end()) own = std::max(own, found->second);
    }
    for (const Candidate& each : found_) {
      const auto type = FindProductType(each.name, "en", reading_.profile);
      if (type && type->name == reading_.named->name) own = std::max(own, each.score);
    }
    return own;
  }

  const NeedReading& reading_;
  std::unordered_map<std::string, double> meant_;  // kind -> its part of a score
  std::vector<std::string> covered_;               // kinds of types that were ranked
  std::vector<Candidate> found_;                   // the best first
};

}  // namespace

std::optional<ProductType> FindNeededType(const NeedReading& reading) {
  return Reader(reading).Run();
}

}  // namespace emptor::services
