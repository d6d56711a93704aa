// What several products cost together: "that suitcase and the first tote", "one of each".
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "services/assistant/reading/choice_changes.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/part_words.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/rank_senses.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinCompound = 4;  // bytes of "lampe", the end of "fahrradlampe"

/// "One of the first".
bool SaysOneOf(const FoldedMessage& part) {
  const std::vector<std::string> words = SplitWords(part.text());
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_one = LengthAtStart(words, i, "one") > 0;
    if (is_one && LengthAtStart(words, i + 1, "of them") > 0) return true;
  }
  return false;
}

/// "Both", of one kind that two searches were about: the product of the latest turn that came to
/// none of `list`, then `latest`; `latest` alone where there is none.
std::vector<std::string> FocusOfLists(const std::vector<ConversationTurn>& turns,
                                      const std::vector<std::string>& list,
                                      const std::string& latest) {
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    if (turn->shown_products.empty()) continue;
    const std::string id = FirstOfTurn(*turn);
    const bool is_listed = std::find(list.begin(), list.end(), id) != list.end();
    if (!is_listed) return {id, latest};
  }
  return {latest};
}

/// What is left of a part without the words that ask for a sum; struck out words are dropped.
std::string WithoutAsking(const FoldedMessage& part) {
  constexpr std::array kAsking = {Cue::kTotal,   Cue::kPrice, Cue::kAdds,    Cue::kBoth,
                                  Cue::kHowMany, Cue::kCart,  Cue::kRequest, Cue::kWh};
  FoldedMessage rest = part;
  for (const Cue cue : kAsking) {
    for (auto span = FindCue(rest, cue); span.found(); span = FindCue(rest, cue)) {
      rest = rest.Without(span);
    }
  }
  std::string text;
  for (std::string& word : SplitWords(rest.text())) {
    // In Chinese the rest of a word is left.
    if (IsWideText(part.text())) std::erase(word, 'x');
    if (!word.empty() && !IsStruckOut(word)) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

/// "The lamp", "die Lampe" of a question about a "Fahrradlampe", "秤" of "行李秤": a word of goods.
bool SaysWordOf(const FoldedMessage& part, const std::string& question) {
  if (IsWideText(part.text())) {
    const std::string said = WithoutAsking(part);
    return !said.empty() && question.find(said) != std::string::npos;
  }
  const std::vector<std::string> asked = TellingWords(FoldedMessage(question));
  const std::vector<std::string> said = TellingWords(part);
  return std::any_of(said.begin(), said.end(), [&](const std::string& word) {
    return std::any_of(asked.begin(), asked.end(), [&](const std::string& each) {
      return each == word || StemOf(each) == StemOf(word) ||
             (word.size() >= kMinCompound && each.ends_with(word));
    });
  });
}

}  // namespace

std::string MessageReader::ChosenIn(const ConversationTurn& turn) const {
  for (const ChosenProduct& each : last_->chosen) {
    if (each.topic == TopicOf(turn)) return each.id;
  }
  if (!turn.winner.empty() || turn.shown_products.size() < 2 || !input_.record_of) {
    return FirstOfTurn(turn);
  }
  const auto degrees = FindDegrees(FoldedMessage(turn.question), *schema_or_none(), {});
  const bool wants_cheap = std::any_of(degrees.begin(), degrees.end(), [](const auto& each) {
    return each.rank.key == "price" && each.rank.is_least;
  });
  std::string chosen = FirstOfTurn(turn);
  std::optional<int64_t> least;
  for (const std::string& id : turn.shown_products) {
    const auto product = wants_cheap ? input_.record_of(id) : std::nullopt;
    if (!product || !product->price || (least && product->price->amount >= *least)) continue;
    least = product->price->amount;
    chosen = id;
  }
  return chosen;
}

bool MessageReader::NamesTypeOf(const std::string& part, const ConversationTurn& turn) const {
  const auto types = FindProductTypes(part, result_.language, *input_.profile);
  return std::any_of(types.begin(), types.end(),
                     [&](const ProductType& type) { return IsSameType(type, *turn.type); });
}

bool MessageReader::MeansTurn(const std::string& part, const ConversationTurn& turn) const {
  const FoldedMessage folded(part);
  const auto types = FindProductTypes(part, result_.language, *input_.profile);
  const std::string& name = turn.type->name;
  const bool is_type = std::any_of(types.begin(), types.end(), [&](const ProductType& type) {
    return IsSameType(type, *turn.type) || name.ends_with(" " + type.name);
  });
  return is_type || folded.FindLongest(turn.type->words).found() ||
         folded.Has(name.substr(name.rfind(' ') + 1)) || SaysWordOf(folded, turn.question);
}

std::vector<std::string> MessageReader::FindPart(const std::string& part) const {
  const std::vector<retrieval::QueryToken> tokens = retrieval::TokenizeQuery(part);
  const FoldedMessage folded(part);
  const bool names_places = NamesPlaces(tokens);
  const ConversationTurn* latest = nullptr;
  // "Bike and helmet", after "a bike helmet": the bike has its name from a list of its own.
  const bool is_named = std::any_of(
      input_.turns.begin(), input_.turns.end(),
      [&](const ConversationTurn& turn) { return turn.type && NamesTypeOf(part, turn); });
  // "The light gray tree from before" may be of an earlier list than the latest trees.
  for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
    if (!turn->type || turn->shown_products.empty()) continue;
    if (is_named ? !NamesTypeOf(part, *turn) : !MeansTurn(part, *turn)) continue;
    if (latest == nullptr) latest = &*turn;
    if (turn->type->name != latest->type->name || names_places) break;
    const std::vector<std::string>& list =
        turn->listed_products.empty() ? turn->shown_products : turn->listed_products;
    const std::string chosen = FindNamed(part, list, turn->type->words, false);
    if (!chosen.empty()) return {chosen};
  }
  if (latest != nullptr) {
    return names_places ? FindInTurn(tokens, *latest) : std::vector{ChosenIn(*latest)};
  }
  const auto types = FindProductTypes(part, result_.language, *input_.profile);
  if (types.empty() && !names_places && !HasCue(folded, Cue::kYesNo)) {
    const std::string shown = FindNamed(part, ShownProducts(input_.turns), {}, true);
    if (!shown.empty()) return {shown};
  }
  // "I'll take it, how much with the tent", "the tent and 2 of those".
  const bool is_it =
      (PointsAtOne(tokens) || CountAsked(folded) > 1) && !HasCue(folded, Cue::kYesNo);
  if (!types.empty() || !(names_places || is_it)) return {};
  // "The tent and 2 of those": the tent was recalled, and "those" came after it.
  const bool is_before = is_recalled_ && is_it && !names_places;
  return FindInTurn(tokens, is_before ? input_.turns[input_.turns.size() - 2] : *last_);
}

bool MessageReader::MaySum() const {
  // "A coffee maker with a carafe, cheaper than the Quellin" is a search.
  const bool says_plus = Says(Cue::kPlus) || HasPlusSign(input_.message);
  const bool adds = says_plus && !result_.comparison && !Says(Cue::kIndefinite);
  const bool sums = Says(Cue::kTotal) || Says(Cue::kPrice) || adds ||
                    FindIntents(tokens_, false, false).front() == Intent::kCartAction;
  return sums && !returns_ && !Says(Cue::kCompare) && has_list() && input_.profile != nullptr &&
         !PointsAtBeginning(tokens_);
}

/// "2 covers", after a list of car covers; 0: it counts no goods of the conversation.
int MessageReader::CountOfTopic(const FoldedMessage& part) const {
  const std::vector<std::string> words = SplitWords(part.text());
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const int number = NumberOfWord(words[i]);
    if (number < 2 || number > kMaxPieces) continue;
    const std::string stem = StemOf(words[i + 1]);
    const auto types = FindProductTypes(words[i + 1], result_.language, *input_.profile);
    const bool is_topic =
        std::any_of(input_.turns.begin(), input_.turns.end(), [&](const ConversationTurn& turn) {
          if (!turn.type) return false;
          const std::string& name = turn.type->name;
          return StemOf(name.substr(name.rfind(' ') + 1)) == stem ||
                 std::any_of(types.begin(), types.end(),
                             [&](const auto& each) { return IsSameType(each, *turn.type); });
        });
    if (is_topic) return number;
  }
  return 0;
}

void MessageReader::AddPart(const std::string& part, Sum& sum) const {
  // "The second one, how much is it": the same one.
  const auto tokens = retrieval::TokenizeQuery(part);
  const bool is_same = !sum.products.empty() && PointsAtOne(tokens) && !NamesPlaces(tokens);
  const FoldedMessage folded(part);
  if (is_same && HasCue(folded, Cue::kDetail)) return;
  const int asked = std::max(CountAsked(folded), CountOfTopic(folded));
  const int count = asked > 1 || SaysOneOf(folded) ? asked : 0;
  for (const std::string& id : FindPart(part)) {
    if (std::find(sum.products.begin(), sum.products.end(), id) != sum.products.end()) continue;
    sum.products.push_back(id);
    sum.quantities.push_back(count);
  }
}

bool MessageReader::NamesOtherGoods(const std::string& text) const {
  const auto types = FindProductTypes(text, result_.language, *input_.profile);
  const bool names_type = std::any_of(types.begin(), types.end(), [&](const ProductType& type) {
    return type.is_whole && !is_unknown_type(type) && !NamesKeyOfTopic(FoldedMessage(type.name));
  });
  if (names_type) return true;
  // "Yellow and cyan as well", of ink.
  const RecordWords& records = schema_or_none()->words();
  const auto values = FindNamedValues(FoldedMessage(text), result_.language);
  return Says(Cue::kAdds) && types.empty() &&
         std::any_of(values.begin(), values.end(), [&](const NamedValue& each) {
           return records.Knows(DemandOf(each, each.canonical));
         });
}

std::string MessageReader::FindAddedBy(const std::string& part) const {
  const std::string text = WithoutAsking(FoldedMessage(part));
  return !text.empty() && NamesOtherGoods(text) ? text : std::string();
}

std::vector<std::string> MessageReader::FindAdded() const {
  if (!Says(Cue::kTotal) && !Says(Cue::kPrice)) return {};
  std::vector<std::string> added;
  bool points = Says(Cue::kTotal);
  for (const std::string& part : SplitSum(input_.message)) {
    const FoldedMessage rest(WithoutAsking(FoldedMessage(part)));
    const bool is_it = PointsAtOne(retrieval::TokenizeQuery(part));
    if (std::string text = is_it ? "" : FindAddedBy(part);
        !text.empty() && FindPart(part).empty()) {
      added.push_back(std::move(text));
      continue;
    }
    const bool is_bare = IsWideText(rest.text()) ? rest.text().empty() : TellingWords(rest).empty();
    // "How much is one with a timer" asks for other goods.
    const bool is_other = HasCue(rest, Cue::kIndefinite) || (HasCue(rest, Cue::kList) && !is_it);
    const bool is_shown = !FindPart(part).empty();
    if (!is_shown && (!is_bare || is_other)) return {};
    points |= is_it || is_shown || (has_focus() && rest.text().empty());
  }
  return points ? added : std::vector<std::string>();
}

MessageReader::Sum MessageReader::FindSum() const {
  Sum sum;
  if (!MaySum()) return sum;
  sum.products = FindOneOfEach();
  sum.quantities.assign(sum.products.size(), 1);
  for (const std::string& part : SplitSum(input_.message)) {
    if (!Says(Cue::kOneOfEach)) AddPart(part, sum);
  }
  sum.added = FindAdded();
  if (!sum.added.empty() && sum.products.empty()) sum.products = {LikelySubject()};
  if (sum.products.size() == 1 && sum.added.empty() && AddsToChosen()) {
    // "Plus the sonquell, what do I pay": and what was chosen before.
    std::vector<std::string> all = ChosenSoFar();
    AppendNew(sum.products, all);
    sum = {std::move(all), {}, {}};
  }
  // "Total with 2 covers".
  const bool has_several =
      sum.products.size() > 1 || (sum.products.size() == 1 && CountOfTopic(folded_) > 1);
  if (!has_several && sum.added.empty()) {
    sum.products = FindSumOfTopics();
    sum.quantities.clear();
  }
  sum.quantities.resize(sum.products.size(), 0);
  for (const ChosenProduct& each : last_->chosen) {
    const auto at = std::find(sum.products.begin(), sum.products.end(), each.id);
    int* const count = at == sum.products.end()
                           ? nullptr
                           : &sum.quantities[static_cast<size_t>(at - sum.products.begin())];
    if (count != nullptr && *count == 0) *count = each.quantity;
  }
  std::replace(sum.quantities.begin(), sum.quantities.end(), 0, 1);
  const int pieces = std::accumulate(sum.quantities.begin(), sum.quantities.end(), 0);
  if (pieces + static_cast<int>(sum.added.size()) < 2) return {};
  return sum;
}

bool MessageReader::IsSum() const {
  const bool sums = Says(Cue::kTotal) || Says(Cue::kPrice) || HasPlusSign(input_.message);
  return sums && !FindSum().products.empty();
}

void MessageReader::ReadSum() {
  Sum sum = FindSum();
  if (sum.products.empty()) return;
  // "Both under 500 possible".
  if (!result_.budget && constraints_.filter.max_price) {
    const std::string& currency = constraints_.filter.currency;
    result_.budget = catalog::Money{*constraints_.filter.max_price,
                                    currency.empty() ? input_.vocabulary.currency : currency};
  }
  // Whether the shop has them is not known here: without them the message means something else.
  result_.added_goods = std::move(sum.added);
  if (!result_.added_goods.empty()) {
    result_.summed_products = std::move(sum.products);
    return;
  }
  result_.referenced_products = std::move(sum.products);
  result_.quantities = std::move(sum.quantities);
  refers_across_ = true;
}

std::vector<std::string> MessageReader::FindSumOfTopics() const {
  const bool is_both = Says(Cue::kTotal) || Says(Cue::kBoth);
  const bool asks = is_both && (Says(Cue::kPrice) || Says(Cue::kTotal)) && !rank_;
  // "Can I pay for both together in parts".
  const bool is_policy = guesses_.front().act == DeskAct::kPolicy && FindPolicyTopic(folded_);
  if (!asks || named_type_ || NamesPlaces(tokens_) || is_policy) return {};
  const bool has_pieces =
      last_->chosen.size() > 1 || (last_->chosen.size() == 1 && last_->chosen.front().quantity > 1);
  std::vector<std::string> chosen = ChosenSoFar();
  if (chosen.size() > 1 || (has_pieces && !chosen.empty())) return chosen;
  // "Both", of two that were set side by side or asked about one after the other.
  const FoldedMessage before(last_->question);
  const bool added = HasCue(before, Cue::kAdds) || HasCue(before, Cue::kAbout);
  const bool has_two = result_.referenced_products.size() == 2 && Says(Cue::kBoth) && !added;
  if (has_two) return {};
  std::vector<std::string> found =
      FocusOfTopics(input_.turns, Says(Cue::kEverything),
                    [&](const ConversationTurn& turn) { return ChosenIn(turn); });
  return found.size() == 1 && Says(Cue::kBoth) ? FocusOfLists(input_.turns, List(), found.front())
                                               : found;
}

bool MessageReader::AddsToChosen() const {
  const bool adds = Says(Cue::kPlus) || Says(Cue::kAdds);
  return adds && (Says(Cue::kTotal) || Says(Cue::kPrice)) && !last_->chosen.empty() &&
         CountAsked(folded_) == 1;
}

std::vector<std::string> MessageReader::ChosenSoFar() const {
  if (last_->chosen.empty()) return {};
  std::vector<std::string> ids;
  for (const ChosenProduct& each : last_->chosen) ids.push_back(each.id);
  // The goods that were looked at last count, too, where another list came after the choice.
  const auto& chosen = last_->chosen;
  const bool is_other = !last_->shown_products.empty() &&
                        std::none_of(chosen.begin(), chosen.end(), [&](const ChosenProduct& each) {
                          return each.topic == TopicOf(*last_);
                        });
  if (is_other) AppendNew({ChosenIn(*last_)}, ids);
  const bool is_of_two = Says(Cue::kBoth) || Says(Cue::kRefTwo);
  if (is_of_two && ids.size() > 2) ids.erase(ids.begin(), ids.end() - 2);
  return ids;
}

std::vector<std::string> MessageReader::FindOneOfEach() const {
  if (!Says(Cue::kOneOfEach) || named_type_ || NamesPlaces(tokens_)) return {};
  std::vector<std::string> chosen =
      FocusOfTopics(input_.turns, Says(Cue::kEverything),
                    [&](const ConversationTurn& turn) { return ChosenIn(turn); });
  return chosen.size() > 1 ? chosen : List();
}

}  // namespace emptor::services
