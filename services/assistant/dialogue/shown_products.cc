// Counts the words of a text that each record has.
#include "services/assistant/dialogue/shown_products.h"

#include <algorithm>
#include <utility>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxShown = 24;

/// What the text demands: values in any of their names, and single words.
std::vector<WordCondition> DemandsOf(const ShownNaming& naming) {
  FoldedMessage rest = naming.text.Without(naming.text.FindLongest(naming.type_words));
  std::vector<WordCondition> demands;
  if (!naming.titles_only) {
    for (const NamedValue& value : FindNamedValues(rest, std::string(naming.language))) {
      demands.push_back(DemandOf(value, rest.text().substr(value.span.begin, value.span.size())));
      rest = rest.Without(value.span);
    }
  }
  for (const std::string& word : TellingWords(rest)) demands.push_back(DemandOf(word));
  return demands;
}

/// By price and attributes; the price is that of the record.
std::optional<double> NumberFor(const catalog::Product& product, const std::string& key) {
  if (key != "price") return NumberOf(product, key, 0, {});
  if (!product.price) return std::nullopt;
  return static_cast<double>(product.price->amount);
}

/// A name that stands only far in the title: "liners for air fryers of Agaro" are none of Agaro.
bool IsNamedElsewhere(const std::string& title, const std::string& name) {
  constexpr size_t kBeginning = 6;  // words
  if (IsLexiconWord(name) || IsOrdinaryWord(name)) return false;
  const std::vector<std::string> words = SplitWords(FoldedMessage(title).text());
  const auto at = std::find(words.begin(), words.end(), name);
  return at != words.end() && at - words.begin() >= static_cast<std::ptrdiff_t>(kBeginning);
}

/// "The brightest lamp".
std::string FindBest(const std::vector<catalog::Product>& products, const FoldedMessage& text) {
  std::vector<const catalog::Product*> records;
  for (const catalog::Product& each : products) records.push_back(&each);
  const auto rank = ResolveRank(text, TypeSchema::Learn(records));
  if (!rank || !rank->is_superlative) return "";
  std::string best;
  std::optional<double> most;
  for (const catalog::Product& each : products) {
    auto number = NumberFor(each, rank->key);
    if (!number) continue;
    if (rank->is_least) *number = -*number;
    if (most && *number <= *most) continue;
    most = number;
    best = each.id;
  }
  return best;
}

}  // namespace

std::vector<std::string> ShownProducts(const std::vector<ConversationTurn>& turns) {
  std::vector<std::string> ids;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    AppendNew(turn->listed_products, ids);
    AppendNew(turn->shown_products, ids);
  }
  if (ids.size() > kMaxShown) ids.resize(kMaxShown);
  return ids;
}

std::string FindNamedShown(const std::vector<std::string>& ids, const ShownNaming& naming,
                           const RecordLookup& record_of) {
  if (!record_of) return "";
  std::vector<catalog::Product> products;
  for (const std::string& id : ids) {
    if (auto product = record_of(id)) products.push_back(*std::move(product));
  }
  if (!naming.titles_only) {
    if (std::string best = FindBest(products, naming.text); !best.empty()) return best;
  }
  const std::vector<WordCondition> demands = DemandsOf(naming);
  if (demands.empty()) return "";
  std::string named;
  size_t most = 0;
  bool is_clear = false;
  for (const catalog::Product& each : products) {
    const RecordWords words = RecordWords::Learn({&each});
    const auto has = [&](const WordCondition& demand) {
      if (naming.takes_first && IsNamedElsewhere(each.title, demand.text)) return false;
      return Meets(each.title, demand) || (!naming.titles_only && words.Knows(demand));
    };
    const auto count = static_cast<size_t>(std::count_if(demands.begin(), demands.end(), has));
    if (count == most && !naming.takes_first) is_clear = false;
    if (count <= most) continue;
    most = count;
    named = each.id;
    is_clear = true;
  }
  const bool is_enough = naming.titles_only ? most == demands.size() : 2 * most >= demands.size();
  return is_clear && is_enough ? named : "";
}

std::string FirstOfTurn(const ConversationTurn& turn) {
  if (!turn.winner.empty()) return turn.winner;
  return turn.cited_products.empty() ? turn.shown_products.front() : turn.cited_products.front();
}

std::vector<std::string> FocusOfTopics(const std::vector<ConversationTurn>& turns, bool is_all,
                                       const ChosenOfTurn& chosen) {
  std::vector<std::string> topics, ids;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    if (turn->shown_products.empty()) continue;
    const std::string name = TopicOf(*turn);
    if (std::find(topics.begin(), topics.end(), name) != topics.end()) continue;
    topics.push_back(name);
    AppendNew({chosen(*turn)}, ids);
    if (!is_all && ids.size() == 2) break;
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

}  // namespace emptor::services
