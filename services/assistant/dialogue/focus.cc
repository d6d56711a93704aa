// The table of weights, and what each pointing takes of the entry that weighs most.
#include "services/assistant/dialogue/focus.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr int kAgeing = 10;  // what an entry loses with every turn

/// How well an entry of the role fits the pointing; 0: not at all.
struct Weight {
  Pointing pointing;
  FocusRole role;
  int weight;
  size_t least = 1, most = SIZE_MAX;  // products of the entry
};

constexpr std::array kWeights = {
    Weight{Pointing::kPage, FocusRole::kPage, 100},
    Weight{Pointing::kBefore, FocusRole::kWinner, 200},
    Weight{Pointing::kBefore, FocusRole::kShown, 195, 1, 1},
    Weight{Pointing::kOther, FocusRole::kCompared, 100, 2, 2},
    Weight{Pointing::kOther, FocusRole::kPair, 90, 2, 2},
    Weight{Pointing::kOther, FocusRole::kListed, 80, 2},
    Weight{Pointing::kOther, FocusRole::kShown, 70, 2},
    Weight{Pointing::kOthers, FocusRole::kListed, 100, 2},
    Weight{Pointing::kOthers, FocusRole::kShown, 90, 2},
    Weight{Pointing::kBeginning, FocusRole::kFirstList, 100},
    Weight{Pointing::kTwo, FocusRole::kCited, 100, 2, 2},
    Weight{Pointing::kTwo, FocusRole::kPair, 90, 2, 2},
    Weight{Pointing::kTwo, FocusRole::kCompared, 80, 2, 2},
    Weight{Pointing::kThey, FocusRole::kWinner, 100},
    Weight{Pointing::kAll, FocusRole::kListed, 100},
    Weight{Pointing::kAll, FocusRole::kShown, 90},
    Weight{Pointing::kSeveral, FocusRole::kCompared, 100},
    Weight{Pointing::kSeveral, FocusRole::kListed, 90},
    Weight{Pointing::kSeveral, FocusRole::kShown, 80},
    // Of a list of one there is no cheaper one: the two before are meant.
    Weight{Pointing::kMoreOfTwo, FocusRole::kListed, 100, 2},
    Weight{Pointing::kMoreOfTwo, FocusRole::kCompared, 110, 2},
    Weight{Pointing::kMoreOfTwo, FocusRole::kShown, 95, 2},
    Weight{Pointing::kMoreOfTwo, FocusRole::kPair, 90, 2, 2},
    Weight{Pointing::kOne, FocusRole::kWinner, 100},
    Weight{Pointing::kOne, FocusRole::kCited, 90},
    Weight{Pointing::kOne, FocusRole::kShown, 80},
};

bool Holds(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// The only product of the latest answer, or the one that it ranked first; empty: there is none.
std::string FocusIn(const std::vector<FocusEntry>& entries) {
  std::string shown;
  for (const FocusEntry& each : entries) {
    if (each.age > 0) break;
    if (each.role == FocusRole::kWinner) return each.products.front();
    if (each.role == FocusRole::kShown && each.products.size() == 1) shown = each.products.front();
  }
  return shown;
}

int WeightOf(Pointing pointing, const FocusEntry& entry, const std::string& focus) {
  // "The other one" needs one that it is other than.
  const bool is_other = pointing == Pointing::kOther || pointing == Pointing::kOthers;
  if (is_other && focus.empty()) return 0;
  // "The previous one" is not the one in focus.
  const bool is_before = pointing == Pointing::kBefore;
  if (is_before && (entry.age == 0 || entry.products.front() == focus)) return 0;
  // What is compared without the one in focus has no other one.
  if (pointing == Pointing::kOther && entry.role == FocusRole::kCompared &&
      !Holds(entry.products, focus)) {
    return 0;
  }
  // Earlier answers count by their products in focus alone.
  if (entry.age > 0 && !is_before) return 0;
  for (const Weight& each : kWeights) {
    const bool fits = each.pointing == pointing && each.role == entry.role &&
                      entry.products.size() >= each.least && entry.products.size() <= each.most;
    if (fits) return each.weight - kAgeing * entry.age;
  }
  return 0;
}

/// What the pointing takes of the products of its entry.
std::vector<std::string> TakenOf(Pointing pointing, const std::vector<std::string>& products,
                                 const std::string& focus) {
  if (pointing == Pointing::kOne || pointing == Pointing::kBefore) return {products.front()};
  if (pointing != Pointing::kOther && pointing != Pointing::kOthers) return products;
  std::vector<std::string> others = products;
  std::erase(others, focus);
  if (pointing == Pointing::kOther && others.size() > 1) others.resize(1);
  return others;
}

}  // namespace

std::vector<FocusEntry> FocusEntriesOf(const std::vector<ConversationTurn>& turns) {
  std::vector<FocusEntry> entries;
  const auto add = [&](FocusRole role, std::vector<std::string> products, int age) {
    if (!products.empty()) entries.push_back({role, std::move(products), age});
  };
  int age = 0;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn, ++age) {
    if (!turn->winner.empty()) add(FocusRole::kWinner, {turn->winner}, age);
    add(FocusRole::kShown, turn->shown_products, age);
    if (age > 0) continue;
    // What earlier turns hold of these is in the latest turn.
    add(FocusRole::kCited, turn->cited_products, age);
    add(FocusRole::kCompared, turn->compared_products, age);
    add(FocusRole::kListed, turn->listed_products, age);
    add(FocusRole::kFirstList, turn->first_list, age);
    add(FocusRole::kPair, LatestTwo(turns), age);
    if (!turn->page_product_id.empty()) add(FocusRole::kPage, {turn->page_product_id}, age);
  }
  return entries;
}

std::vector<Pointing> PointingsOf(const std::vector<retrieval::QueryToken>& tokens) {
  constexpr std::array<std::pair<Cue, Pointing>, 11> kCues = {{
      {Cue::kRefPage, Pointing::kPage},
      {Cue::kRefBefore, Pointing::kBefore},
      {Cue::kRefThanOther, Pointing::kOtherThan},
      {Cue::kRefOthers, Pointing::kOthers},
      {Cue::kRefOther, Pointing::kOther},
      {Cue::kRefBeginning, Pointing::kBeginning},
      {Cue::kRefTwo, Pointing::kTwo},
      {Cue::kRefThey, Pointing::kThey},
      {Cue::kRefAll, Pointing::kAll},
      {Cue::kRefSeveral, Pointing::kSeveral},
      {Cue::kRefWith, Pointing::kWithFocus},
  }};
  const FoldedMessage message = FoldedOf(tokens);
  std::vector<Pointing> pointings;
  const bool is_several = HasCue(message, Cue::kRefSeveral);
  for (const auto& [cue, pointing] : kCues) {
    if (!HasCue(message, cue)) continue;
    // "All" and "the cheaper" point at nothing by themselves: "all of these", "the cheaper of
    // them".
    if (pointing == Pointing::kAll && !is_several) continue;
    if (pointing == Pointing::kSeveral && HasCue(message, Cue::kRefMore)) {
      pointings.push_back(Pointing::kMoreOfTwo);
    }
    pointings.push_back(pointing);
    // Where only one was in focus, the previous one is next to it.
    if (pointing == Pointing::kBefore) pointings.push_back(Pointing::kOther);
  }
  if (PointsAtOne(tokens)) pointings.push_back(Pointing::kOne);
  return pointings;
}

std::vector<std::string> Resolve(Pointing pointing, const std::vector<FocusEntry>& entries) {
  const std::string focus = FocusIn(entries);
  if (pointing == Pointing::kWithFocus) return {};
  if (pointing == Pointing::kOtherThan) {
    std::vector<std::string> both = Resolve(Pointing::kOther, entries);
    if (!both.empty()) both.insert(both.begin(), focus);
    return both;
  }
  const FocusEntry* best = nullptr;
  int most = 0;
  for (const FocusEntry& each : entries) {
    const int weight = WeightOf(pointing, each, focus);
    if (weight <= most) continue;
    most = weight;
    best = &each;
  }
  return best == nullptr ? std::vector<std::string>() : TakenOf(pointing, best->products, focus);
}

}  // namespace emptor::services
