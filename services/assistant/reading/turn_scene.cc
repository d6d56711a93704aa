// The products of a conversation, looked up once each.
#include "services/assistant/reading/turn_scene.h"

#include <algorithm>
#include <unordered_map>

#include "services/assistant/reading/message_features.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxTurns = 12, kMaxProducts = 24;

template <typename Holds>
const std::vector<size_t>* FindLast(const std::vector<std::vector<size_t>>& turns, Holds holds) {
  const auto found = std::find_if(turns.rbegin(), turns.rend(), holds);
  return found == turns.rend() ? nullptr : &*found;
}

/// The product that the answer ranked first, those of its cards that it speaks of, else all.
std::vector<std::string> CameTo(const ConversationTurn& turn) {
  const auto& cited = turn.cited_products;
  const bool speaks_of_some = !cited.empty() && cited.size() < turn.shown_products.size();
  const bool speaks_of_winner = std::find(cited.begin(), cited.end(), turn.winner) != cited.end();
  if (!turn.winner.empty() && (speaks_of_winner || !speaks_of_some)) return {turn.winner};
  return speaks_of_some ? cited : turn.shown_products;
}

}  // namespace

const std::vector<size_t>* TurnScene::Latest() const {
  return FindLast(turns, [](const auto& turn) { return !turn.empty(); });
}

const std::vector<size_t>* TurnScene::LatestList() const {
  return FindLast(turns, [](const auto& turn) { return turn.size() > 1; });
}

TurnScene MakeTurnScene(const std::vector<ConversationTurn>& turns, const RecordLookup& record_of) {
  TurnScene scene;
  if (!record_of) return scene;
  std::unordered_map<std::string, size_t> places;
  const size_t count = std::min(turns.size(), kMaxTurns);
  scene.turns.resize(count);
  for (size_t back = 0; back < count; ++back) {
    for (const std::string& id : CameTo(turns[turns.size() - 1 - back])) {
      auto place = places.find(id);
      if (place == places.end()) {
        if (scene.products.size() == kMaxProducts) continue;
        const auto record = record_of(id);
        if (!record) continue;
        place = places.emplace(id, scene.products.size()).first;
        scene.products.push_back(
            {id, MatchedWords(record->title), record->price ? record->price->amount : 0});
      }
      scene.turns[count - 1 - back].push_back(place->second);
    }
  }
  return scene;
}

}  // namespace emptor::services
