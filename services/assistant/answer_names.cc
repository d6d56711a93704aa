// Products that a message names, looked for among all of the topic's goods before anything else is.
#include <algorithm>
#include <optional>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/search/named_pair.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/assistant/search/price_pointers.h"
#include "services/assistant/search/shop_names.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

bool Holds(const std::shared_ptr<const TypeTable>& table, const std::string& id) {
  return table != nullptr &&
         std::find(table->members.begin(), table->members.end(), id) != table->members.end();
}

}  // namespace

/// The table of a type that understanding looked at, or looks at now; null: it cannot be learned.
std::shared_ptr<const TypeTable> Answer::TableOf(const ProductType& type) {
  SchemaOf(type, understanding_.language);
  const auto table = tables_.find(TypeCatalog::KeyOf(type, FilterLocale(understanding_.language)));
  return table == tables_.end() ? nullptr : table->second;
}

/// "Bosch or bajaj, which is better rated", "how much is the crompton": the goods of the topic come
/// first, then those that the message itself names, as the name of a product may be that of a type:
/// "the brick"; then all of the shop.
absl::Status Answer::ResolveNames() {
  // What was shown is compared: no other products of these names are meant.
  const bool is_shown_pair = understanding_.is_pair_named;
  if (understanding_.desk != DeskAct::kNone || is_shown_pair) return absl::OkStatus();
  if (absl::Status status = ResolvePriced(); !status.ok()) return status;
  if (understanding_.turn_rule == kPointsByPrice) return absl::OkStatus();
  if (absl::Status status = ResolveAdded(); !status.ok()) return status;
  if (!understanding_.quantities.empty()) return SumPieces();
  std::vector<std::optional<ProductType>> types;
  if (!turns_.empty() && turns_.back().type) types.push_back(turns_.back().type);
  const bool has_topic = !types.empty();
  const bool is_other =
      understanding_.type && (!has_topic || types.front()->name != understanding_.type->name);
  if (is_other) types.push_back(understanding_.type);
  for (const std::optional<ProductType>& type : types) {
    const auto table = TableOf(*type);
    if (table == nullptr) continue;
    Understanding of_type = understanding_;
    of_type.type = type;
    auto pair = FindNamedPair({parts_.shop, *table, of_type, turns_, parts_.now_unix(), market_});
    if (!pair.ok()) return pair.status();
    if (pair->ids.size() < 2) continue;
    if (pair->unmatched > 0) {
      // The whole shop may have what is named to the letter.
      absl::Status status = ResolvePairOfShop(pair->unmatched);
      if (!status.ok() || understanding_.is_pair_named) return status;
    }
    understanding_ = WithPair(std::move(of_type), *std::move(pair));
    table_ = table;
    return absl::OkStatus();
  }
  if (absl::Status status = ResolvePairOfShop(); !status.ok()) return status;
  if (understanding_.is_pair_named) return absl::OkStatus();
  // What was named across the shop has no type that is known: the names of what was shown count.
  const std::vector<std::string> shown = ShownProducts(turns_);
  if (!has_topic && !shown.empty()) {
    if (absl::Status status = ResolveShown(shown); !status.ok()) return status;
  }
  if (has_topic) {
    if (absl::Status status = ResolveSubject(*types.front(), is_other); !status.ok()) return status;
  }
  if (absl::Status status = ResolveShopName(); !status.ok()) return status;
  CompletePair();
  InheritQuestion();
  return SumPieces();
}

/// "And the kestrin?", after a question about another one, asks the same of it.
void Answer::InheritQuestion() {
  constexpr size_t kMaxWords = 4;
  const FoldedMessage message(understanding_.message);
  const bool is_bare = HasCue(message, Cue::kAbout) && message.word_count() <= kMaxWords &&
                       understanding_.referenced_products.size() == 1 &&
                       understanding_.inherited_key.empty() &&
                       (understanding_.turn_rule == kNamesProducts || understanding_.is_shop_name);
  if (!is_bare || turns_.empty() || turns_.back().asked_key.empty()) return;
  const ConversationTurn& last = turns_.back();
  understanding_.inherited_key = last.asked_key;
  understanding_.follows_up = false;
  understanding_.intents = {Intent::kProductDetails};
  const bool asked_yes_no = AsksYesOrNo(last.question, FoldedMessage(last.question));
  understanding_.fact_question = asked_yes_no ? last.question : "";
}

/// "The 170 one, is that down", "what's the difference between the 31.95 and the 33.95": of the
/// latest topic that has goods at these prices.
absl::Status Answer::ResolvePriced() {
  const FoldedMessage message(understanding_.message);
  const bool asks_other = understanding_.asks_policy || HasCue(message, Cue::kTotal) ||
                          !understanding_.quantities.empty() || !understanding_.added_goods.empty();
  if (turns_.empty() || asks_other) return absl::OkStatus();
  std::vector<ProductType> topics;
  const auto add = [&](const std::optional<ProductType>& type) {
    const bool is_new = type && std::none_of(topics.begin(), topics.end(), [&](const auto& each) {
                          return each.name == type->name;
                        });
    if (is_new) topics.push_back(*type);
  };
  // "The kensington mouse for 19.95" names its type.
  add(understanding_.type);
  for (auto turn = turns_.rbegin(); turn != turns_.rend(); ++turn) add(turn->type);
  for (const ProductType& topic : topics) {
    const auto table = TableOf(topic);
    if (table == nullptr) continue;
    Understanding of_type = understanding_;
    of_type.type = topic;
    auto priced = FindPriced({parts_.shop, *table, of_type, turns_});
    if (!priced.ok()) return priced.status();
    // "126.99 is steep. the cheaper ones won't fit": others are asked for.
    const bool is_one = priced->size() == 1;
    if (priced->empty() || (is_one && (understanding_.comparison || understanding_.rank))) continue;
    const bool is_pair = priced->size() > 1;
    understanding_ = WithSubject(std::move(of_type), *std::move(priced));
    understanding_.turn_rule = kPointsByPrice;
    if (is_pair) {
      understanding_.intents = {Intent::kProductComparison};
      understanding_.is_pair_named = true;
    }
    table_ = table;
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

/// Two products of any type, or one of which the other side is not sold.
absl::Status Answer::ResolvePairOfShop(size_t max_unmatched) {
  const FoldedMessage message(understanding_.message);
  const bool compares = HasCue(message, Cue::kCompare) || HasCue(message, Cue::kOr) ||
                        HasCue(message, Cue::kPriceDifference);
  const std::vector<std::string> texts = TextsOfSides(understanding_.message);
  // "Pampers vs huggies - show me the huggies" searches.
  if (!compares || texts.size() < 2 || HasCue(message, Cue::kMore)) return absl::OkStatus();
  auto table = FindNameCandidates(parts_.shop, texts, understanding_.filter.locale);
  if (!table.ok()) return table.status();
  Understanding of_shop = understanding_;
  of_shop.type.reset();
  auto pair = FindNamedPair(
      {parts_.shop, *table, of_shop, turns_, parts_.now_unix(), market_, /*of_shop=*/true});
  if (!pair.ok()) return pair.status();
  const bool is_known = pair->ids.size() > 1 || (pair->ids.size() == 1 && !pair->unsold.empty());
  if (!is_known || pair->unmatched >= max_unmatched) return absl::OkStatus();
  if (pair->ids.size() > 1) pair->unsold.clear();
  const std::string first = pair->ids.front();
  understanding_ = WithPair(std::move(of_shop), *std::move(pair));
  return TurnTo(first);
}

/// "Redmi note 11": a name alone, or with a question, where the topic has no such product.
absl::Status Answer::ResolveShopName() {
  const Understanding& said = understanding_;
  const bool refers = !said.referenced_products.empty() && !said.is_subject_guessed;
  if (refers || said.is_pair_named || said.follows_up) return absl::OkStatus();
  auto named = FindShopName(parts_.shop, said);
  if (!named.ok()) return named.status();
  if (named->empty()) return absl::OkStatus();
  std::vector<std::string> ids;
  for (const catalog::Product& each : *named) ids.push_back(each.id);
  const std::string first = ids.front();
  // The search of its own type finds it, and knows what else the message says.
  if (Holds(table_, first)) return absl::OkStatus();
  understanding_ = WithSubject(std::move(understanding_), std::move(ids));
  understanding_.turn_rule = "names a product of the shop";
  return TurnTo(first);
}

/// One of the products that were shown, of goods of no known type: "the front camera of the a40".
absl::Status Answer::ResolveShown(const std::vector<std::string>& ids) {
  auto table = TableOfProducts(parts_.shop, ids);
  if (!table.ok()) return table.status();
  Understanding of_shown = understanding_;
  of_shown.type.reset();
  auto subject =
      FindNamedSubject({parts_.shop, *table, of_shown, turns_, understanding_.type.has_value()});
  if (!subject.ok()) return subject.status();
  if (!subject->empty()) understanding_ = WithSubject(std::move(of_shown), *std::move(subject));
  return absl::OkStatus();
}

/// The type of a product that is named becomes the topic.
absl::Status Answer::TurnTo(const std::string& id) {
  auto product = parts_.shop.FindProduct(id);
  if (!product.ok()) return product.status();
  if (!*product) return absl::OkStatus();
  understanding_.is_shop_name = true;
  const auto take = [&](std::optional<ProductType> type) {
    table_ = type ? TableOf(*type) : nullptr;
    const bool is_of_type = Holds(table_, id);
    understanding_.type = is_of_type ? std::move(type) : std::nullopt;
    if (!is_of_type) table_ = nullptr;
    return is_of_type;
  };
  const auto profile = parts_.shop.profile();
  if (take(understanding_.type) || take(TypeOfNamed((*product)->title, *profile))) {
    return absl::OkStatus();
  }
  for (const std::string& path : (*product)->categories) {
    if (take(FindProductType(LeafOf(path), "en", *profile))) break;
  }
  return absl::OkStatus();
}

/// "How much more is the second", "what is the price difference": the other one is that of the
/// latest turns.
void Answer::CompletePair() {
  std::vector<std::string>& asked = understanding_.referenced_products;
  const FoldedMessage message(understanding_.message);
  // "How much do I save compared to the list price" is asked of one product.
  const bool asks = HasCue(message, Cue::kPriceDifference) && !HasCue(message, Cue::kSaving) &&
                    !HasCue(message, Cue::kListPrice);
  if (!asks || turns_.empty() || asked.size() == 2) return;
  std::vector<std::string> two = LatestPair(turns_);
  if (asked.size() == 1 && two.size() == 2 && two[0] != asked[0] && two[1] != asked[0]) {
    two = {asked[0], FocusOf(turns_.back()).empty() ? two[0] : FocusOf(turns_.back())};
  }
  if (two.size() < 2) return;
  if (asked.size() == 1 && two[1] == asked[0]) std::swap(two[0], two[1]);
  understanding_ = WithSubject(std::move(understanding_), std::move(two));
  understanding_.intents = {Intent::kProductComparison};
  understanding_.is_pair_named = true;
}

/// One name, or a value of the product in question, within the topic.
absl::Status Answer::ResolveSubject(const ProductType& type, bool names_other_type) {
  const auto table = TableOf(type);
  if (table == nullptr) return absl::OkStatus();
  Understanding of_type = understanding_;
  of_type.type = type;
  const SubjectInput input{parts_.shop, *table, of_type, turns_, names_other_type};
  auto shared = FindSharedValue(input);
  if (!shared.ok()) return shared.status();
  if (!shared->condition.name.empty()) {
    understanding_ = WithSharedValue(std::move(of_type), turns_.back(), *std::move(shared));
    table_ = table;
    return absl::OkStatus();
  }
  auto subject = FindVariants(input, parts_.now_unix(), market_);
  if (subject.ok() && subject->empty()) subject = FindNamedSubject(input);
  if (!subject.ok()) return subject.status();
  if (subject->empty()) return absl::OkStatus();
  understanding_ = WithSubject(std::move(of_type), *std::move(subject));
  table_ = table;
  return absl::OkStatus();
}

/// Sides of a comparison that no record of the type has are said to be missing.
void Answer::JudgePair() {
  if (!understanding_.is_pair_named || understanding_.missing.empty()) return;
  NeedReport report;
  report.needs = NeedsOf(understanding_, understanding_.filter, {}, {}, nullptr);
  std::vector<FoundProduct> found;
  for (const Source& each : retrieved_.sources) {
    if (each.product() != nullptr) found.push_back({*each.product(), {}});
  }
  const auto verdicts = JudgeNeeds({report.needs, table_.get(), asked_unix_, market_}, found);
  for (size_t i = 0; i < found.size(); ++i) report.verdicts[found[i].product.id] = verdicts[i];
  retrieved_.needs = std::move(report);
}

}  // namespace emptor::services
