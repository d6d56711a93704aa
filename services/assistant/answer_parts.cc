// A message of several acts is several turns: each part before the last is answered from the
// records, and the last goes on behind them in the same answer.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/reading/message_spelling.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/search/price_pointers.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/phrases.h"

namespace emptor::services {
namespace {

/// Every word of the text that no lexicon knows, which may be a name: "torvane".
bool HasNamesOf(const catalog::Product& product, const std::string& text) {
  const FoldedMessage title(product.title + " " + product.brand);
  const std::vector<std::string> words = TellingWords(FoldedMessage(text));
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    const bool is_name =
        IsUnknownWord(word) && word.find_first_of("0123456789") == std::string::npos;
    return !is_name || title.Has(word);
  });
}

}  // namespace

AssistantParts ForNobody(AssistantParts parts) {
  parts.generator = nullptr;
  parts.on_answer = nullptr;
  parts.on_trace = nullptr;
  parts.answers = nullptr;
  parts.has_reader = false;
  return parts;
}

/// Where a part settles on nothing that is known, the message is read as a whole.
void Answer::AnswerParts(const ShopProfile& profile) {
  if (is_part_) return;
  const std::string before = turns_.empty() ? "" : turns_.back().language;
  std::string language = LanguageOfMessage(message_, before);
  if (language.empty()) language = before.empty() ? "en" : before;
  const auto own_names = parts_.types->NamesOf(parts_.shop);
  const std::string message =
      language == "en" ? CorrectWords(message_, parts_.shop.vocabulary(), own_names.get())
                       : message_;
  const std::vector<MessagePart> parts =
      SplitMessage({message, language, turns_, profile, Records()});
  settles_ = parts.back().is_choice;
  change_ = parts.back().change;
  if (settles_) chosen_text_ = parts.back().text;
  if (parts.size() == 1) return;
  const std::vector<ConversationTurn> turns = turns_;
  const auto answers = [this](const MessagePart& part) { return AnswerPart(part); };
  if (!std::all_of(parts.begin(), parts.end() - 1, answers)) {
    turns_ = turns;
    parts_before_.clear();
    sources_before_ = 0;
    settles_ = false;
    change_.reset();
    return;
  }
  message_ = parts.back().text;
  key_.reset();  // what is kept for others is an answer to the whole message
}

/// False: it settles on nothing, or cannot be answered.
bool Answer::AnswerPart(const MessagePart& part) {
  AssistRequest request = request_;
  request.message = part.text;
  request.history.clear();
  const auto collector = std::make_shared<PartCollector>();
  const auto answer =
      std::make_shared<Answer>(options_, ForNobody(parts_), std::move(request), collector);
  answer->settles_ = part.is_choice;
  answer->change_ = part.change;
  answer->lists_choices_ = part.is_confirmed;
  if (part.is_choice && part.text.empty()) answer->focus_ = FocusOf(turns_.back());
  auto turn = answer->RunAsPart(turns_, sources_before_);
  if (!turn.ok()) return false;
  const bool is_said = !part.is_choice || part.is_confirmed;
  AnsweredPart answered = is_said ? std::move(collector->part) : AnsweredPart();
  // The list comes behind the last change.
  if (part.change && !part.is_confirmed) answered.cards.clear();
  // What was looked at and not shown leaves no gap.
  for (const ProductCard& card : answered.cards) {
    sources_before_ = std::max(sources_before_, card.n);
  }
  for (const Citation& said : answered.citations) {
    sources_before_ = std::max(sources_before_, said.n);
  }
  answered.is_choice = part.is_choice;
  answered.turn = *std::move(turn);
  turns_.push_back(answered.turn);
  parts_before_.push_back(std::move(answered));
  return true;
}

absl::StatusOr<ConversationTurn> Answer::RunAsPart(std::vector<ConversationTurn> before,
                                                   int sources) {
  is_part_ = true;
  turns_ = std::move(before);
  sources_before_ = sources;
  const bool had_change = change_.has_value();
  if (absl::Status status = Prepare(); !status.ok()) return status;
  const std::string settled = FindSettled();
  if (settles_ && settled.empty()) return absl::NotFoundError("the part settles on nothing");
  if (had_change && !change_) return absl::NotFoundError("the part changes nothing");
  if (settles_) {
    retrieved_.sources.resize(1);
    retrieved_.why.resize(1);
  }
  EmitStart();
  settles_ ? ConfirmChoice() : FinishWithRecords();
  return MakeTurn();
}

/// "Noted: the kettle costs $58.99."
void Answer::ConfirmChoice() {
  is_from_records_ = true;
  answer_step_ = "code";
  MakeHydrator();
  const bool is_priced = retrieved_.sources.front().product()->price.has_value();
  const std::string title = "[1:title] [1]";
  Show(hydrator_->Push(is_priced ? Phrase(understanding_.language, "chosen", 0,
                                          {{"title", title}, {"price", "[1:price]"}})
                                 : title));
  Show(hydrator_->Finish());
}

/// "Ok take it": what is in focus, whatever the words say.
void Answer::TakeFocus() {
  const ConversationTurn& last = turns_.back();
  understanding_.type = last.type;
  understanding_.language = last.language.empty() ? "en" : last.language;
  understanding_.search_text = last.search_text;
  understanding_.filter.locale = last.filter.locale;
  understanding_ = WithSubject(std::move(understanding_), {focus_});
  if (understanding_.type) table_ = TableOf(*understanding_.type);
  ChooseLocale();
}

/// The product that "the black one then" means; empty: none, or not one that is all that it says.
std::string Answer::FindSettled() const {
  const bool is_found = understanding_.desk == DeskAct::kNone && !understanding_.asks_policy &&
                        !retrieved_.why.empty() && retrieved_.not_sold.empty() &&
                        retrieved_.relaxed.empty() && retrieved_.lacking.empty();
  if (!settles_ || !is_found || retrieved_.sources.front().product() == nullptr) return "";
  // "The 24999 one", which none that is known costs.
  const bool is_priced = !FindPricePointers(message_).empty();
  if (is_priced && understanding_.turn_rule != kPointsByPrice) return "";
  const std::string& text = chosen_text_.empty() ? message_ : chosen_text_;
  return HasNamesOf(*retrieved_.sources.front().product(), text) ? retrieved_.sources.front().id()
                                                                 : "";
}

/// "The first one", after two requests in one message, is the first of all their cards.
void Answer::ListParts(ConversationTurn& turn) const {
  std::vector<std::string> list;
  for (const AnsweredPart& part : parts_before_) {
    for (const ProductCard& card : part.cards) {
      if (!part.is_choice) AppendNew({card.product.id}, list);
    }
  }
  if (list.empty()) return;
  AppendNew(turn.shown_products, list);
  turn.listed_products = std::move(list);
}

std::vector<ConversationTurn> Answer::TurnsOfParts() const {
  std::vector<ConversationTurn> turns;
  for (const AnsweredPart& part : parts_before_) turns.push_back(part.turn);
  return turns;
}

/// The texts of the parts before the last one, and what belongs to them.
void Answer::SayParts() {
  for (const AnsweredPart& part : parts_before_) {
    if (part.text.empty()) continue;
    if (part.handoff) Emit(*part.handoff);
    Emit(DeltaEvent{part.text + "\n\n"});
    for (const Citation& citation : part.citations) Emit(citation);
  }
}

}  // namespace emptor::services
