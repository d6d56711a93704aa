// What a message says to customer service, and of the shop's policies.
#include <algorithm>
#include <string>
#include <vector>

#include "retrieval/text/measure.h"
#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/fact_senses.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {
namespace {

constexpr size_t kFewWords = 4;          // "and the warranty?"
constexpr size_t kMaxFollowUpWords = 9;  // of a question that goes on about a policy
// Least probabilities of an act; chosen on held-out messages.
constexpr double kLikely = 0.45;
constexpr double kPossible = 0.3;   // where goods are unlikely
constexpr double kUnlikely = 0.25;  // of goods
constexpr double kFocus = 0.65;     // next to products that were shown
constexpr double kCertain = 0.85;   // where the message names goods as well
constexpr double kAlarming = 0.45;  // of danger, which is worse to miss than to suspect
constexpr double kOverruled = 0.5;  // of what a person takes over
constexpr double kGoods = 0.8;      // of a message about goods

/// What needs help at once.
bool IsAlarming(DeskAct act) { return act == DeskAct::kCrisis || act == DeskAct::kMedical; }

/// What a person of the shop takes over. Goods and policies are often named along with it.
bool IsForPerson(DeskAct act) {
  return act == DeskAct::kHuman || act == DeskAct::kOrder || act == DeskAct::kComplaint;
}

}  // namespace

void MessageReader::ReadDesk() {
  result_.desk = ReadDeskAct(input_.message);
  result_.policy = FindPolicyTopic(folded_);
  result_.asks_for_goods = Says(Cue::kMore) && !Says(Cue::kDetail);
  const bool is_goods = LooksForGoods();
  const bool asks_for_goods = is_goods && (Says(Cue::kMore) || Says(Cue::kRequest));
  if (result_.desk == DeskAct::kNone && !asks_for_goods) result_.desk = GuessDesk();
  if (result_.desk == DeskAct::kNone && IsTalk()) result_.desk = DeskAct::kThanks;
  // "Thx, put that one in the cart".
  const bool is_cart = FindIntents(tokens_, false, false).front() == Intent::kCartAction;
  if (result_.desk == DeskAct::kThanks && is_cart) result_.desk = DeskAct::kNone;
  // "What do you have on sale".
  if (result_.desk == DeskAct::kCatalog && Says(Cue::kSale)) result_.desk = DeskAct::kNone;
  const bool is_policy_act = result_.desk == DeskAct::kPolicy;
  if (is_policy_act) result_.desk = DeskAct::kNone;
  if (result_.desk != DeskAct::kNone) return;
  result_.policy_question = input_.message;
  // "How long is the warranty on the Packwyn Atlas Suitcase" asks a record as well.
  const bool names_product = named_type_ && !result_.filter.brands.empty() && KeyAsked() != nullptr;
  // "Where do I get filters for it" asks the shop, "what warranty does it have" first the record.
  const bool asks_where = Says(Cue::kWhere);
  const bool asks_record = (AsksRecord() ||
                            (StatesAsked() && (Says(Cue::kDetail) || Says(Cue::kPossessive) ||
                                               folded_.word_count() <= kFewWords)) ||
                            RecordTells()) &&
                           !asks_where;
  const bool is_claim = result_.policy && is_policy_act && !StatesAsked();
  const bool is_other =
      is_goods || describes_need_ || WantsGoods() || WantsWithout() || AsksOfShownLast();
  if (is_other) result_.policy.reset();
  result_.asks_policy =
      is_claim ||
      (is_policy_act && !is_goods && !result_.policy && !AsksOfParts() && !Says(Cue::kSelling)) ||
      (result_.policy && !asks_record && !names_product && !NamesGoods());
  const bool is_short = folded_.word_count() <= kMaxFollowUpWords;
  if (follows_policy() && is_short) result_.policy_context = last_->policy_question;
  if (!result_.asks_policy && ContinuesPolicy()) {
    result_.asks_policy = true;
    // "How long does that take" says nothing by itself, "is there a points thing" does.
    const ActGuess& guess = guesses_.front();
    const bool is_own = guess.act == DeskAct::kPolicy && guess.probability >= kPossible &&
                        !Says(Cue::kPolicyFollow);
    if (!is_own) result_.policy_question = last_->policy_question;
  }
  if (!result_.asks_policy) {
    result_.policy.reset();
    result_.policy_context.clear();
  } else {
    if (!result_.policy) result_.policy = NearestPolicyTopic(result_.policy_question);
    NarrowPolicy();
  }
}

/// "My mother in law broke our gravy boat and now she's coming back. so, a gravy boat".
bool MessageReader::LooksForGoods() const {
  constexpr double kSurely = 0.7, kMayBe = 0.4;
  if (result_.goods.empty() || result_.goods.front().probability < kSurely) return false;
  const GoodsCandidate& best = result_.goods.front();
  const bool is_said = best.features[static_cast<size_t>(GoodsFeature::kWordsSaid)] > 0;
  return (is_said || folded_.FindLongest(best.type.words).found()) &&
         ProbabilityOf(DeskAct::kNone, guesses_) >= kMayBe;
}

/// "Something simple without installation": a policy that is denied is none.
bool MessageReader::WantsWithout() const {
  const FoldedMessage::Span without = FindCue(folded_, Cue::kLack);
  if (!without.found() || !named_type_) return false;
  const std::string behind(folded_.text().substr(without.end));
  const std::vector<std::string> words = SplitWords(behind);
  if (words.empty()) return false;
  const size_t end = without.end + behind.find(words.front()) + words.front().size();
  const std::string rest = std::string(folded_.text().substr(0, without.begin)) +
                           std::string(folded_.text().substr(end));
  return !FindPolicyTopic(FoldedMessage(rest));
}

/// "I dont want my kid on the internet. Does it need wifi": the question alone counts.
bool MessageReader::AsksOfShownLast() const {
  const std::vector<std::string> sentences = SplitSentences(input_.message);
  if (!has_list() || sentences.size() < 2) return false;
  const FoldedMessage last(sentences.back());
  return AsksYesOrNo(sentences.back(), last) &&
         PointsAtOne(retrieval::TokenizeQuery(sentences.back())) && !FindPolicyTopic(last);
}

/// "We are on the 4th floor without elevator, need something to push her around in".
bool MessageReader::WantsGoods() const {
  constexpr double kSurely = 0.6;
  const bool asks = Says(Cue::kYesNo) || Says(Cue::kWh) || Says(Cue::kDetail) ||
                    input_.message.find('?') != std::string::npos;
  return !asks && Says(Cue::kMore) && guesses_.front().act == DeskAct::kNone &&
         guesses_.front().probability >= kSurely;
}

void MessageReader::NarrowPolicy() {
  if (!result_.policy) return;
  std::string said(folded_.text());
  // "Must I send it back", of what arrived broken.
  said += " " + std::string(FoldedMessage(result_.policy_context).text());
  if (has_list() && last_->type) {
    said += " " + last_->type->name;
    for (const std::string& each : last_->type->categories) said += " " + each;
    // "Bicycle", of goods that are called bikes; "bicycle helmet" and "自行车头盔" name others.
    for (const std::string& each : last_->type->words) {
      if (each.find(' ') == std::string::npos && !IsWideText(each)) said += " " + each;
    }
  }
  auto narrowed = NarrowPolicyTopic(*result_.policy, FoldedMessage(said));
  result_.is_policy_narrowed = narrowed.has_value();
  if (narrowed) result_.policy = std::move(narrowed);
}

bool MessageReader::StatesAsked() const {
  const SchemaKey* const key = KeyAsked();
  const std::string focus = last_ == nullptr ? std::string() : FocusOf(*last_);
  const std::string id =
      !result_.referenced_products.empty() ? result_.referenced_products.front() : focus;
  if (key == nullptr || id.empty() || !input_.record_of || !result_.policy) return false;
  // "If my back hates it" asks for no chair's back.
  if (!FoldedMessage(result_.policy->words).Has(key->folded)) return false;
  const auto product = input_.record_of(id);
  return product && ValueOf(*product, key->name) != nullptr;
}

bool MessageReader::RecordTells() const {
  const bool asks_yes_no = AsksYesOrNo(input_.message, folded_);
  const bool asks = asks_yes_no || Says(Cue::kDetail) || Says(Cue::kWh);
  if (!asks || !has_list() || !input_.record_of || rank_ || result_.comparison) return false;
  const std::vector<std::string>& referenced = result_.referenced_products;
  const std::string id = referenced.size() == 1 ? referenced.front() : FocusOf(*last_);
  const auto product = id.empty() ? std::nullopt : input_.record_of(id);
  if (!product) return false;
  const auto fact = FindAskedFact(WithoutName(folded_, *product), *product, asks_yes_no, "");
  return fact && fact->answers_all;
}

bool MessageReader::AsksOnlyForGoods() const {
  if (!named_type_ || !Says(Cue::kMore)) return false;
  const FoldedMessage rest = folded_.Without(folded_.FindLongest(named_type_->words));
  const auto words = TellingWords(rest.Without(FindCue(rest, Cue::kMore)));
  return std::all_of(words.begin(), words.end(), IsStruckOut);
}

DeskAct MessageReader::GuessDesk() const {
  // "I want a TV": the classifier knows "I want to" from worse.
  if (AsksOnlyForGoods()) return DeskAct::kNone;
  // "Ok, order both" puts goods into the cart; no order is in the way.
  if (FindIntents(tokens_, false, false).front() == Intent::kCartAction) return DeskAct::kNone;
  // "Price?", of what was shown.
  const bool asks_shown = Says(Cue::kPrice) || result_.comparison || rank_ || NamesProperty();
  if (has_list() && IsFragment() && asks_shown) return DeskAct::kNone;
  const auto [act, probability] = guesses_.front();
  const bool names_goods =
      named_type_ || !result_.filter.empty() || AsksRecord() || NamesKeyOfShown();
  const bool has_focus = has_list() || (has_topic() && last_->type);
  double least = names_goods ? kCertain : has_focus ? kFocus : kLikely;
  if (!names_goods && !has_focus && ProbabilityOf(DeskAct::kNone, guesses_) < kUnlikely) {
    least = kPossible;
  }
  if (act == DeskAct::kHarmful) least = kFocus;
  if (IsForPerson(act)) least = kOverruled;
  if (IsAlarming(act)) least = kAlarming;
  const bool overrules = IsForPerson(act) || IsAlarming(act) || act == DeskAct::kHarmful;
  if (!overrules && (RecordTells() || describes_need_)) return DeskAct::kNone;
  if (result_.policy && !overrules) return DeskAct::kNone;
  return probability < least ? DeskAct::kNone : act;
}

bool MessageReader::IsTalk() const {
  const bool asks = Says(Cue::kRequest) || Says(Cue::kMore) || Says(Cue::kDetail) ||
                    Says(Cue::kYesNo) || Says(Cue::kWh) || Says(Cue::kWhich) ||
                    Says(Cue::kCompare) || Says(Cue::kTotal) || Says(Cue::kPrice) ||
                    input_.message.find('?') != std::string::npos;
  if (last_ == nullptr || asks || result_.policy || !constraints_.filter.empty() ||
      result_.comparison || rank_) {
    return false;
  }
  // "My cat ate the last one lol" is about no goods, "kettles lol" and "a hose then lol" are.
  const bool is_story = Says(Cue::kLaughter) && folded_.word_count() > kFewWords &&
                        !(named_type_ && Says(Cue::kIndefinite));
  return is_story || (Says(Cue::kThanks) && !named_type_);
}

bool MessageReader::AsksRecord() const {
  const bool selects = has_list() && Says(Cue::kWhich);
  const bool asks_live = Says(Cue::kReviews) || Says(Cue::kStock) || Says(Cue::kListPrice) ||
                         (Says(Cue::kPrice) && NamesPlaces(tokens_));
  const bool counts =
      has_list() && CountAsked(folded_) > 1 && (Says(Cue::kPrice) || Says(Cue::kTotal));
  const bool is_about_shown = !result_.referenced_products.empty() || selects;
  // "Quelle différence entre la moins chère et la plus chère".
  if (ComparedShown().size() > 1 || IsSum()) return true;
  return counts || (is_about_shown && (KeyAsked() != nullptr || asks_live));
}

bool MessageReader::NamesKeyOfShown() const {
  if (!has_list() || schema_ == nullptr) return false;
  const auto keys = RankKeys(WithoutType(), *schema_);
  return !keys.empty() && keys.front().is_named;
}

bool MessageReader::NamesGoods() const {
  const bool selects = has_list() && Says(Cue::kWhich);
  const bool is_of_topic = result_.type && result_.type->is_whole &&
                           (Says(Cue::kMore) || selects) &&
                           (result_.budget || !result_.filter.brands.empty());
  if (is_of_topic) return true;
  const bool is_request = Says(Cue::kMore) || Says(Cue::kRequest) ||
                          !(Says(Cue::kDetail) || Says(Cue::kYesNo) || Says(Cue::kWh));
  if (named_type_ && named_type_->is_whole && is_request && NamesGoodsFirst()) return true;
  const bool limits = result_.budget || !result_.filter.brands.empty() ||
                      !result_.filter.ranges.empty() ||
                      !retrieval::FindMeasures(input_.message, 1).empty();
  return named_type_ && named_type_->is_whole && is_request && limits;
}

bool MessageReader::NamesGoodsFirst() const {
  const FoldedMessage::Span goods = folded_.FindLongest(named_type_->words);
  if (!goods.found() || !result_.policy) return false;
  const FoldedMessage rest =
      FoldedMessage::FromFolded(std::string(folded_.text().substr(goods.end)));
  const FoldedMessage front =
      FoldedMessage::FromFolded(std::string(folded_.text().substr(0, goods.begin)));
  const bool is_behind = !FindPolicyTopic(front) && FindPolicyTopic(rest);
  // "Label printer for shipping labels", "looking for a shredder that can do credit cards".
  return is_behind && (Says(Cue::kMore) || Says(Cue::kRequest) || HasCue(rest, Cue::kPurpose)) &&
         input_.message.find('?') == std::string::npos;
}

bool MessageReader::ContinuesPolicy() const {
  if (!follows_policy() || result_.policy_context.empty()) return false;
  if (named_type_ || !result_.filter.empty() || NamesPlaces(tokens_)) return false;
  if ((has_list() && KeyAsked() != nullptr) || AsksRecord()) return false;
  if (HasCue(folded_, Cue::kPolicyFollow)) return true;
  const ActGuess& guess = guesses_.front();
  const bool is_goods = has_list() || Says(Cue::kMore) || guess.probability >= kGoods;
  return guess.act == DeskAct::kPolicy || (guess.act == DeskAct::kNone && !is_goods);
}

}  // namespace emptor::services
