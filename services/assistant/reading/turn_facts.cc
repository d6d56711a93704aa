// The facts of a message by which its place in the conversation is decided.
#include <algorithm>

#include "services/assistant/dialogue/turn_decision.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/cue_starts.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxFragmentWords = 5;     // "dishwasher safe?"
constexpr size_t kMaxShortQuestion = 7;     // "is the second one rated better"
constexpr size_t kMaxRefinementWords = 16;  // a longer message is a search of its own

/// "套子能拆下来洗吗".
bool AsksAtEnd(const std::string& message, const FoldedMessage& folded) {
  return IsWideText(folded.text()) && AsksYesOrNo(message, folded);
}

}  // namespace

TurnFacts MessageReader::CollectFacts() const {
  using enum TurnFact;
  TurnFacts facts;
  AddFactsOfConversation(facts);
  AddFactsOfContent(facts);
  AddFactsOfWording(facts);
  return facts;
}

void MessageReader::AddFactsOfConversation(TurnFacts& facts) const {
  using enum TurnFact;
  facts.AddIf(has_topic(), kHasTopic);
  facts.AddIf(has_list(), kHasList);
  facts.AddIf(last_ != nullptr && !last_->shown_products.empty(), kHasShown);
  facts.AddIf(has_focus(), kHasFocus);
  facts.AddIf(last_ != nullptr && last_->ranks_all, kRankedAll);
  facts.AddIf(!result_.referenced_products.empty(), kRefers);
  facts.AddIf(result_.referenced_products.size() > 1, kRefersSeveral);
  facts.AddIf(result_.referenced_products.size() == 1, kRefersToOne);
  // "The second cheapest" names no place.
  facts.AddIf(NamesPlaces(tokens_) && !(rank_ && rank_->place > 1), kNamesPlaces);
  facts.AddIf(refers_across_, kRefersAcross);
  facts.AddIf(returns_, kReturnsToTopic);
  // "From your first list, which is cheapest", after the longest of the shop.
  facts.AddIf(PointsAtBeginning(tokens_) && result_.referenced_products.size() > 1, kSaysThese);
  facts.AddIf(Says(Cue::kLike), kPointsAtLike);
}

void MessageReader::AddFactsOfContent(TurnFacts& facts) const {
  using enum TurnFact;
  const retrieval::Filter& filter = result_.filter;
  facts.AddIf(result_.type.has_value(), kHasType);
  facts.AddIf(named_type_.has_value(), kNamesType);
  facts.AddIf(is_new_type(), kNamesNewType);
  facts.AddIf(PricesType(), kPricesType);
  const bool names_goods =
      !asked_.names.empty() || IsWideText(folded_.text()) || NamesTypeBeforeFitting();
  facts.AddIf(is_new_type() && asked_.fits_shown && names_goods, kAsksForFitting);
  facts.AddIf(!lifted_.empty(), kLifts);
  facts.AddIf(names_code_, kNamesCode);
  facts.AddIf(KeyAsked() != nullptr, kNamesKey);
  facts.AddIf(is_changed(), kStatesChange);
  facts.AddIf(!constraints_.filter.empty(), kStatesFilter);
  facts.AddIf(constraints_.filter.has_price(), kStatesPrice);
  facts.AddIf(!constraints_.filter.brands.empty() || !constraints_.filter.colors.empty(),
              kStatesLook);
  facts.AddIf(!bound_.attributes.empty() || !words_.empty(), kSelects);
  facts.AddIf(ChangesSearch(), kChangesSearch);
  facts.AddIf(Restates(), kRestates);
  facts.AddIf(LimitsRank() || filter.has_price() || !filter.brands.empty(), kLimitsRank);
  facts.AddIf(AsksRank(), kAsksRank);
  facts.AddIf(rank_ && rank_->is_superlative, kIsSuperlative);
  facts.AddIf(rank_.has_value(), kRanks);
  facts.AddIf(result_.comparison.has_value(), kCompares);
  facts.AddIf(Says(Cue::kCompare), kSetsBeside);
  const bool is_more = has_list() && rank_ && !rank_->is_superlative && Says(Cue::kYesNo) &&
                       !Says(Cue::kPurpose) && List().size() > 1 && compared_name_.empty() &&
                       folded_.word_count() <= kMaxShortQuestion;
  facts.AddIf(is_more, kAsksIfMore);
  facts.AddIf(FindIntents(tokens_, false, false).front() == Intent::kCartAction, kPutsInCart);
  facts.AddIf(CountAsked(folded_) > 1 && (Says(Cue::kPrice) || Says(Cue::kTotal)), kCounts);
}

bool MessageReader::Restates() const {
  if (last_ == nullptr) return false;
  const auto& before = last_->filter.attributes;
  const auto& ranges = last_->filter.ranges;
  return std::any_of(bound_.attributes.begin(), bound_.attributes.end(),
                     [&](const auto& said) {
                       const bool is_known =
                           std::any_of(before.begin(), before.end(),
                                       [&](const auto& each) { return each.name == said.name; });
                       return is_known &&
                              std::find(before.begin(), before.end(), said) == before.end();
                     }) ||
         std::any_of(result_.filter.ranges.begin(), result_.filter.ranges.end(),
                     [&](const auto& said) {
                       return std::any_of(ranges.begin(), ranges.end(), [&](const auto& each) {
                         return each.attribute == said.attribute;
                       });
                     });
}

bool MessageReader::NamesTypeBeforeFitting() const {
  if (!named_type_ || Says(Cue::kYesNo)) return false;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  const FoldedMessage::Span fitting = FindCue(folded_, Cue::kFitting);
  return name.found() && fitting.found() && name.end <= fitting.begin &&
         fitting.begin <= name.end + 1;
}

bool MessageReader::LimitsRank() const {
  if (!rank_) return !bound_.attributes.empty();
  // "The second lightest, does it have wifi" asks of the one that is chosen.
  if (const std::string question = QuestionAfterSelection(input_.message); !question.empty()) {
    // "43 inch, lowest price" is a condition with a rank, and asks nothing else.
    return ResolveRank(FoldedMessage(question), *schema_or_none(), TypesRanked()) && is_changed() &&
           !HasCue(FoldedMessage(question), Cue::kWhich);
  }
  // So does "has the cheapest one a timer".
  if (Says(Cue::kYesNo) && !Says(Cue::kMore)) return false;
  // "The most HDMI ports" limits nothing to what has HDMI.
  const FoldedMessage key(rank_->key);
  return std::any_of(bound_.attributes.begin(), bound_.attributes.end(), [&](const auto& each) {
    const bool is_of_key =
        std::any_of(each.values.begin(), each.values.end(),
                    [&](const std::string& value) { return key.Has(FoldedMessage(value).text()); });
    return !is_of_key && !key.Has(FoldedMessage(each.name).text());
  });
}

void MessageReader::AddFactsOfWording(TurnFacts& facts) const {
  using enum TurnFact;
  constexpr std::pair<Cue, TurnFact> kSaid[] = {{Cue::kMore, kSaysMore},
                                                {Cue::kAnother, kAsksForAnother},
                                                {Cue::kRefine, kSaysRefine},
                                                {Cue::kThese, kSaysThese},
                                                {Cue::kList, kSaysList},
                                                {Cue::kWhole, kSaysWhole},
                                                {Cue::kCondition, kBeginsCondition},
                                                {Cue::kDetail, kBeginsQuestion},
                                                {Cue::kYesNo, kBeginsYesNo},
                                                {Cue::kWhich, kAsksWhich},
                                                {Cue::kSameBrand, kAsksSameBrand},
                                                {Cue::kStock, kAsksStock},
                                                {Cue::kMustBe, kSaysMustBe},
                                                {Cue::kVariant, kAsksForVariant},
                                                {Cue::kOthers, kSaysOthers}};
  // "For girls or boys", "is there a sandbox", on a product page.
  const bool asks_page =
      (Says(Cue::kOr) || Says(Cue::kThereIs) || PointsAtOne(tokens_)) && AsksOfPage();
  // "Ist der leise" asks; "que no sea" begins like "que", and states.
  const size_t condition = LengthOfStart(folded_, Cue::kCondition);
  const bool states_first = condition > LengthOfStart(folded_, Cue::kDetail);
  for (const auto& [cue, fact] : kSaid) {
    const bool is_outdone = cue == Cue::kDetail      ? states_first
                            : cue == Cue::kCondition ? !states_first
                                                     : false;
    const bool is_of_page = asks_page && (cue == Cue::kCondition || cue == Cue::kMore);
    const bool is_of_focus = cue == Cue::kWhich && AsksWhichPart();
    facts.AddIf(!is_outdone && !is_of_page && !is_of_focus && Says(cue), fact);
  }
  // Other languages ask in other places: "il met combien de temps", "充电要多久".
  const bool asks_inside =
      Says(Cue::kHowMany) || (IsWideText(folded_.text()) && Says(Cue::kWh) && !Says(Cue::kWhich));
  const bool asks_at_end = AsksAtEnd(input_.message, folded_) && !is_changed();
  const bool asks = Says(Cue::kYesNo) || ((asks_at_end || asks_inside) && !Says(Cue::kMore));
  facts.AddIf(result_.language != "en" && !states_first && asks, kBeginsQuestion);
  const bool has_mark = input_.message.ends_with('?') || input_.message.ends_with("？");
  const bool states = StatesOnly(folded_) && is_changed();
  // "Water resistant to how many metres?" asks wherever the words stand.
  facts.AddIf(has_mark && Says(Cue::kHowMany) && !Says(Cue::kMore), kBeginsQuestion);
  facts.AddIf(AsksOfParts() || AsksWhichPart() || AsksOfShownLast(), kBeginsQuestion);
  // "Thickness?", "battery?" of what was shown.
  const bool is_property =
      has_list() && has_mark && IsFragment() && !is_changed() && NamesProperty();
  facts.AddIf(is_property, kBeginsQuestion);
  // "Keeps coffee warm for how long", on a product page.
  facts.AddIf(asks_page || (ReadAskedFor(folded_).is_number && AsksOfPage()), kBeginsQuestion);
  facts.AddIf(result_.asks_for_goods, kAsksForGoods);
  facts.AddIf(AsksYesOrNo(input_.message, folded_), kAsksYesNo);
  facts.AddIf(TurnsToOther(), kTurnsToOther);
  facts.AddIf(TurnsToOther() && !is_changed(), kNamesNoOther);
  const bool names_fact = facts.Has(kNamesKey) || Says(Cue::kStock) || Says(Cue::kPrice);
  facts.AddIf(has_mark || (names_fact && !states), kIsQuestion);
  facts.AddIf(folded_.word_count() < kMaxFragmentWords && input_.message.ends_with('?'),
              kIsFragment);
  facts.AddIf(folded_.word_count() <= kMaxFragmentWords, kIsShort);
  facts.AddIf(folded_.word_count() > kMaxRefinementWords, kIsLong);
}

}  // namespace emptor::services
