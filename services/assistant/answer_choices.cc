// What a message changes of what the shopper has settled on: "make it 3", "drop the mouse".
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/reading/asked_name.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/search/price_pointers.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/phrases.h"
#include "services/grounding/product_names.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using Kind = ChoiceChange::Kind;

std::vector<ChosenProduct>::iterator FindChosen(std::vector<ChosenProduct>& chosen,
                                                const std::string& id) {
  return std::find_if(chosen.begin(), chosen.end(),
                      [&](const ChosenProduct& each) { return each.id == id; });
}

}  // namespace

/// Makes the change, and the message one that lists what is chosen then. False: it means nothing
/// that is known, and the message is read as any other.
bool Answer::ChangeChoices() {
  if (!change_ || turns_.empty()) return false;
  const std::string& before = turns_.back().language;
  understanding_.language = LanguageOfMessage(message_, before);
  if (understanding_.language.empty()) understanding_.language = before.empty() ? "en" : before;
  const auto profile = parts_.shop.profile();
  const RecordLookup record_of = Records();
  change_ =
      ResolveChange(*std::move(change_), {understanding_.language, turns_, *profile, record_of});
  if (!change_) return false;
  std::vector<ChosenProduct> chosen = turns_.back().chosen;
  const bool is_made = change_->kind == Kind::kList   ? true
                       : change_->kind == Kind::kDrop ? DropChoices(chosen)
                       : change_->kind == Kind::kSwap ? SwapChoice(chosen)
                                                      : TakeChoices(chosen);
  if (!is_made) {
    change_.reset();
    return false;
  }
  ListChoices(std::move(chosen));
  return true;
}

bool Answer::DropChoices(std::vector<ChosenProduct>& chosen) {
  for (CountedGoods& goods : change_->goods) {
    if (!FindGoing(chosen, goods)) return false;
    for (const std::string& id : goods.products) {
      const auto place = FindChosen(chosen, id);
      if (place == chosen.end()) continue;
      const bool is_part = goods.count > 0 && goods.count < place->quantity;
      SayChange(is_part ? "dropped_count" : "dropped", id, goods.count);
      if (is_part) {
        place->quantity -= goods.count;
      } else {
        chosen.erase(place);
      }
    }
  }
  return true;
}

/// Also "the 599 one". False: nothing that was chosen is meant.
bool Answer::FindGoing(const std::vector<ChosenProduct>& chosen, CountedGoods& goods) const {
  if (!goods.products.empty()) return true;
  // "Drop the price" names no goods.
  const bool names = !TellingWords(FoldedMessage(goods.text)).empty() ||
                     NamesPlaces(retrieval::TokenizeQuery(goods.text)) ||
                     !FindPricePointers(goods.text).empty();
  const std::string found = names ? FindPiece(goods.text, turns_).id : "";
  const bool is_chosen = std::any_of(chosen.begin(), chosen.end(),
                                     [&](const ChosenProduct& each) { return each.id == found; });
  if (is_chosen) goods.products = {found};
  return is_chosen;
}

bool Answer::SwapChoice(std::vector<ChosenProduct>& chosen) {
  if (!FindGoing(chosen, change_->goods.front())) return false;
  const std::string goes = change_->goods.front().products.front();
  const auto place = FindChosen(chosen, goes);
  if (place == chosen.end()) return false;
  // "The cheaper one" is of the list that showed what goes.
  const auto shows = [&](const ConversationTurn& turn) {
    return TopicOf(turn) == place->topic && turn.listed_products.size() > 1;
  };
  const auto turn = std::find_if(turns_.rbegin(), turns_.rend(), shows);
  const std::vector<ConversationTurn> before(turns_.begin(), turn.base());
  FoundPiece comes = FindPiece(change_->goods.back().text, before.empty() ? turns_ : before);
  if (comes.id.empty() || comes.id == goes) comes = FindPiece(change_->goods.back().text, turns_);
  if (comes.id.empty() || comes.id == goes) return false;
  const auto other = FindChosen(chosen, comes.id);
  const int known = other == chosen.end() ? 0 : other->quantity;
  const int count = std::min(known + place->quantity, kMaxPieces);
  SayChange("dropped", goes, 1);
  SayChange("chosen_count", comes.id, count);
  if (other != chosen.end()) {
    other->quantity = count;
    chosen.erase(place);
  } else {
    place->id = std::move(comes.id);
    place->topic = std::move(comes.topic);
  }
  return true;
}

bool Answer::TakeChoices(std::vector<ChosenProduct>& chosen) {
  bool adds = change_->adds || change_->goods.size() > 1;
  for (CountedGoods& goods : change_->goods) {
    std::string topic;
    if (goods.products.empty()) {
      FoundPiece found = FindPiece(goods.text, turns_);
      if (found.id.empty() || !(goods.is_counted || IsLikeShown(found.id))) return false;
      goods.products = {std::move(found.id)};
      topic = std::move(found.topic);
    }
    adds |= goods.products.size() > 1;
    for (const std::string& id : goods.products) {
      const auto known = FindChosen(chosen, id);
      const int before = goods.is_more && known != chosen.end() ? known->quantity : 0;
      const int count = std::min(before + goods.count, kMaxPieces);
      const size_t size = chosen.size();
      const std::string oldest = chosen.empty() ? "" : chosen.front().id;
      chosen = WithChosen(std::move(chosen),
                          {topic.empty() ? TopicOfProduct(id) : topic, id, count}, adds);
      // The list is bounded.
      const bool is_full = size == kMaxChosen && chosen.size() == size;
      if (is_full && FindChosen(chosen, oldest) == chosen.end()) SayChange("dropped", oldest, 1);
      SayChange("chosen_count", id, count);
    }
  }
  return true;
}

/// It was shown, or is a sibling of what was: the first words of their titles are the same.
bool Answer::IsLikeShown(const std::string& id) const {
  constexpr size_t kSameWords = 3;
  const auto words_of = [&](const std::string& each) {
    const auto product = parts_.shop.FindProduct(each);
    if (!product.ok() || !*product) return std::vector<std::string>();
    std::vector<std::string> words = SplitWords(FoldedMessage((*product)->title).text());
    words.resize(std::min(words.size(), kSameWords));
    return words;
  };
  const std::vector<std::string> words = words_of(id);
  const std::vector<std::string> shown = ShownProducts(turns_);
  return std::any_of(shown.begin(), shown.end(), [&](const std::string& each) {
    return each == id || (words.size() == kSameWords && words_of(each) == words);
  });
}

/// The topic of the latest turn that showed it.
std::string Answer::TopicOfProduct(const std::string& id) const {
  const auto holds = [&](const std::vector<std::string>& ids) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const auto turn = std::find_if(turns_.rbegin(), turns_.rend(), [&](const ConversationTurn& each) {
    return holds(each.shown_products) || holds(each.listed_products);
  });
  return TopicOf(turn == turns_.rend() ? turns_.back() : *turn);
}

/// "Noted: 3 x Vexmere Vista Monitor." of the answer's first lines.
void Answer::SayChange(std::string_view phrase, const std::string& id, int count) {
  const auto product = parts_.shop.FindProduct(id);
  if (!product.ok() || !*product) return;
  AddNote(Phrase(
      understanding_.language, phrase, 0,
      {{"title", CleanText(ShortName((*product)->title))}, {"number", std::to_string(count)}}));
}

void Answer::AddNote(const std::string& sentence) {
  const bool is_spaced = !choice_notes_.empty() && understanding_.language != "zh";
  choice_notes_ += (is_spaced ? " " : "") + sentence;
}

/// What the message means then: what each costs, and all together.
void Answer::ListChoices(std::vector<ChosenProduct> chosen) {
  const ConversationTurn& last = turns_.back();
  understanding_.message = message_;
  understanding_.type = last.type;
  understanding_.search_text = last.search_text;
  understanding_.filter.locale = last.filter.locale;
  // What the shop no longer has has no price.
  const RecordLookup record_of = Records();
  const size_t gone = std::erase_if(
      chosen, [&](const ChosenProduct& each) { return !record_of(each.id).has_value(); });
  if (gone > 0) AddNote(Phrase(understanding_.language, "left_shop"));
  std::vector<std::string> ids;
  for (const ChosenProduct& each : chosen) ids.push_back(each.id);
  understanding_ = WithSum(std::move(understanding_), std::move(ids));
  understanding_.quantities.clear();
  for (const ChosenProduct& each : chosen) understanding_.quantities.push_back(each.quantity);
  understanding_.lists_choices = true;
  understanding_.turn_rule = "changes what is chosen";
  if (understanding_.type) table_ = TableOf(*understanding_.type);
  ChooseLocale();
  chosen_ = std::move(chosen);
  key_.reset();  // it is of this conversation alone
}

/// What was changed, in words. False: nothing follows it.
bool Answer::SayChoices() {
  const bool lists = lists_choices_ && !chosen_->empty();
  if (chosen_->empty()) AddNote(Phrase(understanding_.language, "none_chosen"));
  if (!choice_notes_.empty()) Emit(DeltaEvent{choice_notes_ + (lists ? "\n" : "")});
  return lists;
}

/// What is chosen then. One product that the message takes is in focus.
ConversationTurn Answer::WithChange(ConversationTurn turn) const {
  if (!chosen_) return turn;
  turn.chosen = *chosen_;
  const std::vector<CountedGoods>& goods = change_->goods;
  const bool is_one =
      change_->kind == Kind::kTake && goods.size() == 1 && goods.front().products.size() == 1;
  if (is_one) turn.winner = goods.front().products.front();
  return turn;
}

}  // namespace emptor::services
