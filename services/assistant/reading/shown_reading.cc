// Products that were shown, where a message names them or counts on them.
#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/reading/described_parts.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/property_names.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/exact_price.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNamingWords = 6;    // of "and the octavane?"
constexpr size_t kMaxFragmentWords = 5;  // "dishwasher safe?"
constexpr size_t kMaxPartWords = 9;      // of "how long does the battery last"

/// The sides of "is A cheaper than B", folded; none where nothing is compared.
std::vector<std::string> SidesOfComparison(const FoldedMessage& message) {
  const FoldedMessage::Span than = FindCue(message, Cue::kThan);
  if (!than.found()) return {};
  return {std::string(message.text().substr(0, than.begin)),
          std::string(message.text().substr(than.end))};
}

/// What the sides are compared by. In Chinese it follows the other side, without the word for
/// "more": "A比B重吗".
std::optional<RankedKey> RankOfSides(const std::vector<std::string>& sides,
                                     const TypeSchema& schema) {
  constexpr std::string_view kMore = "更", kAsks = "吗";
  constexpr size_t kBytes = 3;  // of a character
  if (!IsWideText(sides.front())) return ResolveRank(FoldedMessage(sides.front()), schema);
  std::string_view side = sides.back();
  if (const auto rank = ResolveRank(FoldedMessage(side), schema)) return rank;
  side = side.substr(0, side.rfind(kAsks));
  for (const size_t size : {kBytes, 2 * kBytes}) {
    if (side.size() < size) continue;
    const std::string more = std::string(kMore) + std::string(side.substr(side.size() - size));
    if (const auto rank = ResolveRank(FoldedMessage(more), schema)) return rank;
  }
  return std::nullopt;
}

/// Without what ranks: "is the skye" of "is the skye heavier".
std::string WithoutRanks(const std::string& side, const TypeSchema& schema) {
  FoldedMessage rest = WithoutRankWords(FoldedMessage(side));
  for (const SchemaKey& key : schema.keys()) {
    for (const auto* phrases : {&key.less, &key.more, &key.phrases}) {
      rest = rest.Without(rest.FindLongest(*phrases));
    }
  }
  return std::string(rest.text());
}

}  // namespace

std::string MessageReader::FindNamed(const std::string& part, const std::vector<std::string>& ids,
                                     const std::vector<std::string>& type_words,
                                     bool titles_only) const {
  return FindNamedShown(ids,
                        {.text = FoldedMessage(part),
                         .language = result_.language,
                         .type_words = type_words,
                         .titles_only = titles_only},
                        input_.record_of);
}

void MessageReader::ReadMissingPlace() {
  if (!has_list() || !input_.page_product_id.empty()) return;
  const std::vector<std::string>& list = WholeList();
  const bool names_none = NamesPlaces(tokens_) && PlacesIn(tokens_, list).empty();
  const bool is_only =
      PointsAtOther(tokens_) && list.size() == 1 && ShownProducts(input_.turns).size() == 1;
  if (!names_none && !is_only) return;
  const std::vector<std::string> shown = LatestTwo(input_.turns);
  // "Does the first weigh more than the second", after one product each.
  if (list.size() == 1 && PlacesIn(tokens_, shown).size() == 2 && shown.size() == 2) {
    result_.referenced_products = PlacesIn(tokens_, shown);
    return;
  }
  result_.referenced_products = list;
  result_.comparison.reset();
  result_.lacks_place = true;
}

void MessageReader::ReadMissingSubject() {
  constexpr size_t kFewWords = 2;  // that say something: "does it come in matt black"
  const bool has_shown = !ShownProducts(input_.turns).empty() || !input_.page_product_id.empty();
  const bool is_desk = result_.desk != DeskAct::kNone || result_.asks_policy;
  // "Do you ship to Canada and how long does it take": the topic is the subject.
  const bool is_policy = FindPolicyTopic(folded_).has_value();
  if (has_shown || is_desk || is_policy || result_.type || !result_.filter.brands.empty()) return;
  const bool asks_of_it = PointsAtOne(tokens_) && TellingWords(folded_).size() <= kFewWords &&
                          (AsksYesOrNo(input_.message, folded_) || Says(Cue::kDetail));
  result_.lacks_subject = NamesPlaces(tokens_) || asks_of_it;
}

void MessageReader::ReadComparedName() {
  if (result_.comparison || !result_.referenced_products.empty() || !has_list()) return;
  const std::string than(Behind(Cue::kThan));
  // "Is the Skye cheaper than the Everest" asks, "anything cheaper than the Everest?" searches.
  const bool asks = AsksYesOrNo(input_.message, folded_) && !Says(Cue::kMore);
  if (than.empty() || asks) return;
  const auto type_words = last_->type ? last_->type->words : std::vector<std::string>();
  const std::string id = FindNamed(than, ShownProducts(input_.turns), type_words, true);
  if (id.empty()) return;
  result_.comparison = ReadComparison(tokens_, true);
  if (!result_.comparison) return;
  result_.referenced_products = {id};
  compared_name_ = than;
}

bool MessageReader::ReadPartIncluded() {
  const bool may = has_list() && last_->shown_products.size() == 1 && schema_ != nullptr &&
                   !last_->asked_key.empty() && Says(Cue::kComesWith) && KeyAsked() == nullptr &&
                   folded_.word_count() <= kMaxFragmentWords;
  if (!may) return false;
  const std::vector<std::string> asked = SingularWords(FoldedMessage(last_->asked_key).text());
  const auto& keys = schema_->keys();
  const auto part = std::find_if(keys.begin(), keys.end(), [&](const SchemaKey& key) {
    const std::vector<std::string> words = SingularWords(key.folded);
    const auto is_in = [&](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    return is_in(kIncluded) && std::any_of(asked.begin(), asked.end(), is_in);
  });
  if (part == keys.end()) return false;
  result_.referenced_products = last_->shown_products;
  result_.is_subject_guessed = false;
  result_.inherited_key = part->name;
  result_.fact_question = part->name + "?";
  Follow({TurnRole::kAboutShown, Confidence::kSure, "asks whether a part is included"});
  return true;
}

bool MessageReader::ReadShown() {
  if (ReadWhether()) return true;
  if (result_.lacks_place && !named_type_) {
    Follow({TurnRole::kAboutShown, Confidence::kSure, "a place beyond the list"});
    return true;
  }
  return ReadPartIncluded() || ReadNamedShown() || ReadDescribed() || ReadEach() || ReadNotShown();
}

bool MessageReader::ReadNamedShown() {
  if (!has_list() || !input_.record_of || named_type_ || NamesPlaces(tokens_)) return false;
  if (rank_ || result_.comparison || Says(Cue::kMore) || Says(Cue::kLike)) return false;
  const std::string question = QuestionAfterSelection(input_.message);
  const bool is_fragment = question.empty() && folded_.word_count() <= kMaxNamingWords &&
                           last_ != nullptr && !last_->asked_key.empty() &&
                           HasCue(folded_, Cue::kAbout) && !Says(Cue::kDetail);
  if (question.empty() && !is_fragment) return false;
  const std::string head = is_fragment
                               ? input_.message
                               : input_.message.substr(0, input_.message.size() - question.size());
  const FoldedMessage named(head);
  if (NamesByCode(head)) return false;
  if (!is_fragment && (HasCue(named, Cue::kDetail) || HasCue(named, Cue::kWh))) return false;
  const std::vector<std::string> list = ShownProducts({*last_});
  const auto type_words = last_->type ? last_->type->words : std::vector<std::string>();
  const std::string id = FindNamed(head, list, type_words, true);
  if (id.empty()) return false;
  result_.referenced_products = {id};
  result_.is_subject_guessed = false;
  names_shown_ = true;
  Follow({TurnRole::kAboutShown, Confidence::kSure, "names one of the list"});
  if (!is_fragment) result_.fact_question = question;
  return true;
}

bool MessageReader::ReadWhether() {
  const std::vector<std::string> sides = SidesOfComparison(folded_);
  if (sides.size() != 2 || !has_list() || !AsksWhetherOf(sides.front())) return false;
  if (Says(Cue::kMore) && !NamesPlaces(tokens_)) return false;
  const auto rank = RankOfSides(sides, *schema_or_none());
  if (!rank || rank->is_superlative) return false;
  std::vector<std::string> two;
  bool is_shown = true;
  for (const std::string& side : sides) {
    const std::string id = FindSide(side);
    is_shown = is_shown && !id.empty();
    if (!id.empty()) AppendNew({id}, two);
  }
  const bool points_elsewhere = !NamesPlaces(tokens_) && NamesNothingShown(sides);
  if (!is_shown && !points_elsewhere) return false;
  if (is_shown && two.size() != 2) return false;
  result_.referenced_products = is_shown ? two : std::vector<std::string>();
  result_.is_subject_guessed = false;
  compares_named_ = !is_shown;
  result_.comparison.reset();
  result_.rank = rank;
  result_.asks_whether = true;
  result_.turn_rule = "asks whether";
  return true;
}

bool MessageReader::ReadNotShown() {
  const bool may = has_topic() && has_list() && input_.record_of && !named_type_;
  const bool is_other = NamesPlaces(tokens_) || (rank_ && rank_->is_superlative) ||
                        Says(Cue::kCompare) || Says(Cue::kTotal) || !result_.preferences.empty();
  if (!may || is_other) return false;
  const std::vector<DescribedPart> parts = FindDescribedParts(folded_);
  if (parts.size() != 1 || !parts.front().says_one || parts.front().is_purpose) return false;
  if (!FindDescribed(parts.front(), *last_).empty()) return false;
  const FoldedMessage said = FoldedMessage::FromFolded(parts.front().text);
  const auto says = [&](const std::string& text) { return said.Has(retrieval::FoldWords(text)); };
  const auto& brands = result_.filter.brands;
  const bool is_known = std::any_of(words_.begin(), words_.end(),
                                    [&](const auto& each) { return says(each.text); }) ||
                        std::any_of(brands.begin(), brands.end(), says) || IsRead(said);
  if (!is_known) {
    // What no record of the type has is named as missing.
    std::vector<std::string> unheard = TellingWords(said);
    std::erase_if(unheard, [](const std::string& word) { return IsStoryWord(word); });
    const bool asks = Says(Cue::kPrice) || Says(Cue::kStock) || Says(Cue::kYesNo) ||
                      !QuestionAfterSelection(input_.message).empty();
    if (unheard.empty() || rank_ || !asks || schema_ == nullptr) return false;
    for (const std::string& each : unheard) result_.missing.push_back(DemandOf(each));
  }
  result_.comparison.reset();
  rank_.reset();
  Follow({TurnRole::kRefine, Confidence::kSure, "describes one that was not shown"});
  return true;
}

bool MessageReader::AsksWhetherOf(const std::string& side) const {
  const bool is_question = input_.message.ends_with('?') || input_.message.ends_with("？");
  return AsksYesOrNo(input_.message, folded_) ||
         (is_question && !HasCue(FoldedMessage(side), Cue::kWh));
}

std::string MessageReader::FindSide(const std::string& side) const {
  const auto tokens = retrieval::TokenizeQuery(side);
  const std::vector<std::string> at = PlacesIn(tokens, WholeList());
  if (!at.empty()) return at.front();
  const auto type_words = last_->type ? last_->type->words : std::vector<std::string>();
  std::string id = FindNamed(WithoutRanks(side, *schema_or_none()), ShownProducts(input_.turns),
                             type_words, true);
  if (id.empty() && PointsAtOne(tokens)) id = FocusOf(*last_);
  return id;
}

bool MessageReader::NamesNothingShown(const std::vector<std::string>& sides) const {
  return std::all_of(sides.begin(), sides.end(), [&](const std::string& side) {
    return !TellingWords(FoldedMessage(WithoutRanks(side, *schema_or_none()))).empty();
  });
}

bool MessageReader::AsksAdvice() const {
  return !rank_ && Says(Cue::kAdvice) && has_list() && !is_new_type() && input_.record_of;
}

RankedKey MessageReader::RankOfAdvice() const {
  size_t rated = 0;
  for (const std::string& id : List()) {
    const auto product = input_.record_of(id);
    if (product && product->rating) ++rated;
  }
  if (rated > 1) return {.key = "rating"};
  return {.key = "price", .is_least = true};
}

std::vector<std::string> MessageReader::RankedOfShown() const {
  // "Which is cheaper", after one product each: of these two.
  const std::vector<std::string> two = LatestTwo(input_.turns);
  // "La más barata de las dos", where the latest answer showed one.
  const bool says_two = Says(Cue::kRefTwo) && List().size() < 2;
  const bool is_of_two =
      two.size() == 2 && (!rank_->is_superlative || says_two) && !Says(Cue::kAdvice);
  return is_of_two ? two : List();
}

void MessageReader::RankList() {
  if (result_.referenced_products.size() < 2) {
    std::vector<std::string> ranked = RankedOfShown();
    // "Is the second one cheaper", of two: yes or no.
    const auto asked =
        result_.referenced_products.empty()
            ? ranked.end()
            : std::find(ranked.begin(), ranked.end(), result_.referenced_products[0]);
    const bool is_whether = Says(Cue::kYesNo) && !rank_->is_superlative && ranked.size() == 2;
    if (is_whether && asked != ranked.end()) {
      std::iter_swap(ranked.begin(), asked);
      result_.asks_whether = true;
    }
    result_.referenced_products = std::move(ranked);
  }
  result_.comparison.reset();
  result_.rank = rank_;
  const bool computes = Says(Cue::kSaving) || (CountAsked(folded_) > 1 && Says(Cue::kPrice));
  result_.asks_fact_of_best =
      !Says(Cue::kAdvice) && (computes || ReadSameOfBest() || AsksFactOfBest());
  // A rating of one review would outrank the others of a shop.
  const bool is_of_record = rank_->key != "rating" && rank_->key != "reviews";
  const bool is_of_list = Says(Cue::kThese) || Says(Cue::kBoth) || NamesPlaces(tokens_) ||
                          !last_->compared_products.empty() || rank_->place > 1;
  if (rank_->is_superlative && is_of_record && !is_of_list && !result_.asks_fact_of_best) {
    result_.ranked_search = *last_;
  }
}

bool MessageReader::ReadEach() {
  const bool asks = Says(Cue::kEach) && has_list() && !named_type_ && !Says(Cue::kMore) && !rank_;
  if (!asks || NamesPlaces(tokens_) || result_.referenced_products.size() > 1) return false;
  const bool is_asked = KeyAsked() != nullptr || Says(Cue::kPrice) || Says(Cue::kRating) ||
                        Says(Cue::kStock) || Says(Cue::kMaker);
  if (!is_asked || is_changed()) return false;
  result_.referenced_products = List();
  result_.is_subject_guessed = false;
  Follow({TurnRole::kAboutShown, Confidence::kSure, "each of the list"});
  return true;
}

bool MessageReader::ReadSameOfBest() {
  const bool follows = last_->winner.empty() && !last_->asked_key.empty() &&
                       last_->shown_products.size() == 1 && List().size() > 1;
  const bool is_same = !follows || last_->asked_key == rank_->key;
  if (is_same || folded_.word_count() > kMaxFragmentWords) return false;
  const bool chooses = !rank_->is_superlative || List().size() == 2;
  if (!chooses || !HasCue(folded_, Cue::kAbout) || Says(Cue::kDetail)) return false;
  result_.inherited_key = last_->asked_key;
  return true;
}

void MessageReader::DropRanked(ConversationTurn& before) const {
  const auto words = SplitWords(FoldedMessage(rank_->key).text());
  std::erase_if(before.filter.attributes, [&](const retrieval::AttributeCondition& each) {
    const FoldedMessage name(each.name);
    return each.name == rank_->key || std::any_of(words.begin(), words.end(),
                                                  [&](const auto& word) { return name.Has(word); });
  });
  std::erase_if(before.words, [](const WordCondition& each) { return each.quantity.has_value(); });
}

bool MessageReader::PricesType() const {
  constexpr size_t kReach = 3;  // words of "a king size bed" before "bed"
  if (!named_type_ || !Says(Cue::kPrice)) return false;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found()) return false;
  const std::vector<std::string> before = SplitWords(folded_.text().substr(0, name.begin));
  const size_t first = before.size() - std::min(before.size(), kReach);
  return std::any_of(before.begin() + static_cast<std::ptrdiff_t>(first), before.end(),
                     [](const std::string& word) {
                       return HasCue(FoldedMessage::FromFolded(word), Cue::kIndefinite);
                     });
}

/// "How long does the battery last", "and ram?", of a phone whose title speaks of RAM: what is
/// named belongs to the product in focus.
bool MessageReader::IsFragment() const {
  constexpr size_t kMaxWords = 2;
  return folded_.word_count() <= kMaxWords;
}

bool MessageReader::NamesProperty() const { return !PropertiesIn(folded_).empty(); }

bool MessageReader::NamesPartOfFocus() const {
  // "Battery?", of headphones whose title tells nothing of it.
  const bool is_asked = input_.message.ends_with('?') || (has_focus() && NamesKeyOfTopic(folded_));
  const bool is_property = IsFragment() && is_asked && NamesProperty();
  const bool may = (has_focus() || (is_property && has_list())) && !Says(Cue::kMore) &&
                   !Says(Cue::kRequest) && !Says(Cue::kSells) && !Says(Cue::kFitting) &&
                   !PricesType() && input_.record_of;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  const auto record = may && name.found() ? input_.record_of(LikelySubject()) : std::nullopt;
  if (!record) return false;
  const std::string said(folded_.text().substr(name.begin, name.size()));
  const FoldedMessage title(record->title);
  const bool is_short = folded_.word_count() <= kMaxFragmentWords && input_.message.ends_with('?');
  // The goods themselves: "is the case black", of a case.
  const std::vector<TitleName> names = NamesInTitle(record->title);
  const bool is_goods = !names.empty() && names.back().name == named_type_->name;
  if (is_goods || folded_.word_count() > kMaxPartWords) return false;
  if (is_property || (is_short && title.Has(said))) return true;
  const FoldedMessage before(folded_.text().substr(0, name.begin));
  const std::vector<std::string> words = SplitWords(before.text());
  const bool is_definite =
      !words.empty() && HasCue(FoldedMessage::FromFolded(words.back()), Cue::kDefinite);
  return is_definite && Says(Cue::kDetail) && !Says(Cue::kPrice);
}

bool MessageReader::AsksOfSelected() const {
  const std::string question = QuestionAfterSelection(input_.message);
  if (question.empty() || !has_list()) return false;
  const std::string head = input_.message.substr(0, input_.message.size() - question.size());
  const FoldedMessage asked(question), selected(head);
  // "The cheaper one" stands for a product, and names none.
  const bool selects =
      PointsBack(retrieval::TokenizeQuery(head)) ||
      (HasCue(selected, Cue::kThatOne) && ResolveRank(selected, *schema_or_none())) ||
      ExactPriceIn(head);
  const bool asks =
      HasCue(asked, Cue::kYesNo) || HasCue(asked, Cue::kDetail) || HasCue(asked, Cue::kHowMany);
  const bool points = PointsAtOne(retrieval::TokenizeQuery(question)) || ExactPriceIn(head);
  return selects && asks && points && !HasCue(asked, Cue::kMore) &&
         !selected.FindLongest(named_type_->words).found();
}

bool MessageReader::AsksAbility() const {
  const bool searches = Says(Cue::kMore) || Says(Cue::kRequest) || Says(Cue::kSells) ||
                        Says(Cue::kOthers) || Says(Cue::kWhich) || Says(Cue::kFitting);
  return has_list() && !searches && HasCue(folded_, Cue::kAbility);
}

bool MessageReader::AsksOfParts() const {
  const bool searches = Says(Cue::kRequest) || Says(Cue::kSells) || Says(Cue::kOthers) ||
                        Says(Cue::kWhich) || Says(Cue::kAnother);
  if (!has_list() || searches || !(Says(Cue::kComesWith) || Says(Cue::kMustBuy))) return false;
  const bool is_question = input_.message.ends_with('?') || input_.message.ends_with("？");
  return is_question || AsksYesOrNo(input_.message, folded_) ||
         (Says(Cue::kDetail) && !Says(Cue::kMore));
}

bool MessageReader::AsksWhichPart() const {
  const FoldedMessage::Span which = FindCue(folded_, Cue::kWhich);
  if (!has_focus() || !which.found() || Says(Cue::kMore)) return false;
  const std::string_view behind = folded_.text().substr(which.end);
  const std::vector<std::string> words = SplitWords(behind);
  if (words.size() < 2 || retrieval::IsStopWord(words.front())) return false;
  const FoldedMessage noun = FoldedMessage::FromFolded(words.front());
  if (HasCue(noun, Cue::kThatOne)) return false;
  if (last_->type && noun.FindLongest(last_->type->words).found()) return false;
  const FoldedMessage rest(behind.substr(behind.find(words.front()) + words.front().size()));
  return HasCue(rest, Cue::kYesNo);
}

bool MessageReader::NamesPartOf(const ProductType& topic) const {
  // "The audrell, is it foldable and how long is the battery".
  const FoldedMessage question(QuestionAfterSelection(input_.message));
  // "Thanks. And the other one, how much ram": of what the message points at.
  const bool points = result_.referenced_products.size() == 1 &&
                      (NamesPlaces(tokens_) || PointsAtOther(tokens_)) && Says(Cue::kWh);
  const bool begins = Says(Cue::kDetail) || HasCue(question, Cue::kDetail) || points;
  if (NamesPartOfFocus() || AsksOfSelected() || AsksAbility()) return true;
  if (AsksOfParts() || AsksWhichPart()) return true;
  const bool asks = has_list() && begins && !Says(Cue::kMore) && !Says(Cue::kRequest) &&
                    !Says(Cue::kSells) && !PricesType();
  if (!asks || topic.name == named_type_->name || !input_.schema_of) return false;
  if (Says(Cue::kFitting)) return NamesKeyOfTopic(FoldedMessage(named_type_->name));
  const auto schema = input_.schema_of(topic, result_.language);
  if (schema == nullptr) return false;
  const FoldedMessage name(named_type_->name);
  if (points && !ResolveAttributes(name, *schema).empty()) return true;
  return std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
    return FoldedMessage::FromFolded(key.folded).Has(name.text());
  });
}

}  // namespace emptor::services
