// What a message changes of what the shopper has settled on: "make it 3", "drop the mouse".
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/phrases.h"
#include "services/grounding/product_names.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using Kind = ChoiceChange::Kind;

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
  FindGoing(chosen);
  if (change_->goods.front().products.empty()) return false;
  const int count = change_->goods.front().count;
  for (const std::string& id : change_->goods.front().products) {
    const auto place = std::find_if(chosen.begin(), chosen.end(),
                                    [&](const ChosenProduct& each) { return each.id == id; });
    if (place == chosen.end()) continue;
    const bool is_part = count > 0 && count < place->quantity;
    SayChange(is_part ? "dropped_count" : "dropped", id, count);
    if (is_part) {
      place->quantity -= count;
    } else {
      chosen.erase(place);
    }
  }
  return true;
}

/// "The 599 one", of what was chosen.
void Answer::FindGoing(const std::vector<ChosenProduct>& chosen) {
  CountedGoods& goes = change_->goods.front();
  if (!goes.products.empty()) return;
  const std::string found = FindPiece(goes.text, turns_);
  const bool is_chosen = std::any_of(chosen.begin(), chosen.end(),
                                     [&](const ChosenProduct& each) { return each.id == found; });
  if (is_chosen) goes.products = {found};
}

bool Answer::SwapChoice(std::vector<ChosenProduct>& chosen) {
  FindGoing(chosen);
  if (change_->goods.front().products.empty()) return false;
  const std::string& goes = change_->goods.front().products.front();
  const auto place = std::find_if(chosen.begin(), chosen.end(),
                                  [&](const ChosenProduct& each) { return each.id == goes; });
  // "The cheaper one" is of the list that showed what goes.
  const auto shows = [&](const ConversationTurn& turn) {
    return TopicOf(turn) == place->topic && turn.listed_products.size() > 1;
  };
  const auto turn = std::find_if(turns_.rbegin(), turns_.rend(), shows);
  const std::vector<ConversationTurn> before(turns_.begin(), turn.base());
  std::string comes = FindPiece(change_->goods.back().text, before.empty() ? turns_ : before);
  if (comes.empty() || comes == goes) comes = FindPiece(change_->goods.back().text, turns_);
  if (comes.empty() || comes == goes) return false;
  SayChange("dropped", goes, 1);
  SayChange("chosen_count", comes, place->quantity);
  place->id = std::move(comes);
  return true;
}

bool Answer::TakeChoices(std::vector<ChosenProduct>& chosen) {
  bool adds = change_->adds || change_->goods.size() > 1;
  for (CountedGoods& goods : change_->goods) {
    if (goods.products.empty()) {
      const std::string found = FindPiece(goods.text, turns_);
      if (found.empty() || !(goods.is_counted || IsLikeShown(found))) return false;
      goods.products = {found};
    }
    adds |= goods.products.size() > 1;
    for (const std::string& id : goods.products) {
      chosen = WithChosen(std::move(chosen), {TopicOfProduct(id), id, goods.count}, adds);
      SayChange("chosen_count", id, goods.count);
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
  const std::string& language = understanding_.language;
  if (!choice_notes_.empty()) choice_notes_ += language == "zh" ? "" : " ";
  choice_notes_ += Phrase(
      language, phrase, 0,
      {{"title", CleanText(ShortName((*product)->title))}, {"number", std::to_string(count)}});
}

/// What the message means then: what each costs, and all together.
void Answer::ListChoices(std::vector<ChosenProduct> chosen) {
  const ConversationTurn& last = turns_.back();
  understanding_.message = message_;
  understanding_.type = last.type;
  understanding_.search_text = last.search_text;
  understanding_.filter.locale = last.filter.locale;
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
  std::string text = choice_notes_;
  if (chosen_->empty()) {
    text += (understanding_.language == "zh" ? "" : " ") +
            Phrase(understanding_.language, "none_chosen");
  }
  if (!text.empty()) Emit(DeltaEvent{text + (lists ? "\n" : "")});
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
