// What a message says of products: those shown before, or a search for others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "retrieval/query/relaxation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/count_conditions.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/reading/unheard_words.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/message_language.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using retrieval::QueryToken;

constexpr size_t kMaxBeforeCounted = 5;  // "ok and how many used", before what is counted
constexpr std::string_view kVocabularySize = "size";  // as ReadConstraints names it
constexpr size_t kMaxFragmentWords = 5;               // "dishwasher safe?"

}  // namespace

bool MessageReader::is_new_type() const {
  if (!named_type_) return false;
  if (!named_type_->is_whole && Says(Cue::kDetail) && !Says(Cue::kMore)) return false;
  if (last_ == nullptr || !last_->type) return true;
  if (last_->type->name == named_type_->name) return false;
  // Two names of one category; in a shop without categories names tell the types apart.
  const std::vector<std::string>& categories = named_type_->categories;
  return categories.empty() || last_->type->categories != categories;
}

const SchemaKey* MessageReader::KeyAsked() const {
  if (schema_ == nullptr) return nullptr;
  const auto keys = ResolveAttributes(WithoutType(), *schema_);
  return keys.empty() ? nullptr : keys.front();
}

void MessageReader::ReadDemands() {
  PreferMakers();
  const TypeSchema& schema = *schema_or_none();
  // "Canon is fine, too" is of no fine quality.
  FoldedMessage said = WithoutTradeName(
      FoldedMessage(WithoutDenyingNames(std::string(folded_.text()), result_.language)));
  said =
      WithoutAmounts(said.Without(FindCue(said, Cue::kAlso)), tokens_, input_.vocabulary.currency);
  // The filter has the brand: it is no value of an attribute as well ("mount: Canon EF").
  for (const std::string& brand : constraints_.filter.brands) {
    said = said.Without(said.Find(retrieval::FoldWords(brand)));
  }
  bound_ = BindConditions(said, result_.language, schema, NamesOfType(), result_.filter.ranges,
                          ExactQuantities(input_.message, result_.filter));
  result_.contradicts |= bound_.contradicts;
  // "Size L" that the type states as "XS to XXL", whatever other types call it.
  for (const KeyCondition& each : FindSizes(said, schema)) {
    std::erase_if(result_.filter.attributes, [&](const auto& known) {
      return known.name == kVocabularySize && known.name != each.key->name;
    });
  }
  if (result_.type && result_.type->is_advised) {
    LoosenConditions();
    result_.liking = LikingBeyondNeed(input_.message);
  }
  DropUnmeasured();
  // "144 Hz or faster" is a bound.
  const FoldedMessage unbounded = WithoutType();
  rank_ = ResolveRank(unbounded.Without(FindCue(unbounded, Cue::kBound)), schema, TypesRanked());
  ReadReduced();
  ReadPreferences();
  ReadWords();
  result_.min_reviews = ReadMinReviews(folded_);
  if (rank_ && IsSuperlativeOfNoun()) rank_->is_superlative = true;
  if (AsksAdvice()) rank_ = RankOfAdvice();
  result_.goods_wanted = GoodsWanted();
  NamesCode();
  if (rank_) DropWordsOfRank();
}

void MessageReader::ReadProducts() {
  ReadDemands();
  CompareByKey();
  if (has_list()) result_.list = List();
  if (CountsShop() || AsksForReduced()) return;
  const bool ranks = AsksRank();
  if (ReadComparedShown() || ComparesNamed()) return;
  // "How much do I save compared to the list price" compares no products.
  const bool compares_list = !ranks && Says(Cue::kCompare) && has_list() && !named_type_ &&
                             result_.referenced_products.empty() && !Says(Cue::kMore) &&
                             !Says(Cue::kSaving) && !Says(Cue::kListPrice);
  if (compares_list) result_.referenced_products = List();
  ReadSum();
  if (!refers_across_ && ReadShown()) return;
  result_.names_other_goods = NamesOtherGoods();
  Follow(DecideTurn(CollectFacts()));
  ReadCartCount();
}

bool MessageReader::NamesOtherGoods() const {
  if (result_.asks_if_sold || lacks_maker_ || TurnsToOther()) return true;
  if (!named_type_ || last_ == nullptr) return false;
  const bool is_of_maker =
      !result_.filter.brands.empty() && (!last_->type || last_->type->name != named_type_->name);
  return is_of_maker || (is_new_type() && named_type_->is_whole &&
                         (PricesType() || Says(Cue::kAdds) || Says(Cue::kAnother)));
}

std::vector<std::string> MessageReader::TypesRanked() const {
  const auto& type = result_.type || last_ == nullptr ? result_.type : last_->type;
  if (!type) return {};
  std::vector<std::string> names = {retrieval::FoldWords(type->name)};
  names.insert(names.end(), type->words.begin(), type->words.end());
  return names;
}

bool MessageReader::IsSuperlativeOfNoun() const {
  if (!named_type_ || (result_.language != "es" && result_.language != "fr")) return false;
  const FoldedMessage::Span name = folded_.FindLongest(NamesOfType());
  if (!name.found()) return false;
  const std::vector<std::string> before = SplitWords(folded_.text().substr(0, name.begin));
  if (before.empty()) return !has_list();
  static const std::array<std::string_view, 8> kDefinite = {"el", "la",  "los", "las",
                                                            "le", "les", "l",   "cual"};
  return std::find(kDefinite.begin(), kDefinite.end(), before.back()) != kDefinite.end();
}

bool MessageReader::AsksRank() const {
  if (rank_ && Says(Cue::kAdvice) && has_list()) return true;
  // "Is the second one cheaper than the first".
  const bool sets_apart = NamesPlaces(tokens_) && result_.referenced_products.size() == 2;
  // "Impresora más barata", with nothing shown to compare with.
  // "I need a bigger monitor" asks for none of the biggest.
  const bool compares = rank_ && rank_->is_of_type() && !rank_->is_superlative;
  const bool begins = named_type_ && !has_list() && !compares;
  return rank_ && (Says(Cue::kWhich) || rank_->is_superlative || sets_apart || begins);
}

void MessageReader::Follow(const TurnDecision& decision) {
  result_.turn_rule = decision.rule;
  const bool refers = !result_.referenced_products.empty();
  switch (decision.role) {
    case TurnRole::kRankList:
      return RankList();
    case TurnRole::kRankAll:
      return RankAll();
    case TurnRole::kSelect:
      result_.prefers_list = true;
      [[fallthrough]];
    case TurnRole::kRefine:
      result_.follows_up = true;
      // "What about the second one in red" refers, "what about the red ones" does not.
      {
        const bool refers_by_place = NamesPlaces(tokens_) && !Says(Cue::kLike);
        if (!refers_by_place && !result_.comparison) result_.referenced_products.clear();
        if (Says(Cue::kOthers)) ExcludeShown();
      }
      return BindAll();
    case TurnRole::kAboutShown:
      // "Does that one come with a wall mount" is about no wall mount.
      if (is_new_type() && !result_.is_subject_guessed && last_ != nullptr && last_->type) {
        result_.type = last_->type;
      }
      ReadFactQuestion();
      return;
    case TurnRole::kAboutFocus:
      // "Two of them" after several.
      if (!has_focus() && refers && decision.confidence == Confidence::kSure) return;
      SetSubject();
      // "Noise cancelling?" is asked of the page, whatever else has the words for its name.
      result_.is_subject_guessed = decision.confidence == Confidence::kGuess && !AsksOfPage();
      return;
    case TurnRole::kAboutList:
      result_.referenced_products = List();
      return;
    case TurnRole::kFitting:
      if (result_.referenced_products.empty()) SetSubject();
      result_.fits_product = result_.referenced_products.front();
      result_.is_subject_guessed = false;
      result_.asks_for_type = result_.asks_for_goods = true;
      result_.list_words.clear();
      result_.referenced_products.clear();
      return BindAll();
    case TurnRole::kNewSearch:
      if (is_new_type() && !result_.comparison) result_.referenced_products.clear();
      if (result_.referenced_products.empty()) BindAll();
  }
}

void MessageReader::ExcludeShown() {
  for (const ConversationTurn& turn : input_.turns) {
    const bool is_topic = turn.type && last_->type && turn.type->name == last_->type->name;
    if (is_topic) AppendNew(ShownProducts({turn}), result_.excluded_products);
  }
}

bool MessageReader::AsksForType() const {
  if (!named_type_) return false;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found()) return false;
  const std::string before(folded_.text().substr(0, name.begin));
  const std::string after(folded_.text().substr(name.end));
  const auto ends = [&](std::string_view word) { return (" " + before).ends_with(word); };
  const bool is_wanted = ends(" what ") || ends(" which ") || ends(" need ") || ends(" a ") ||
                         ends(" any ") || ends(" welchen ") || ends(" welches ") ||
                         ends(" welche ") || ends(" quel ") || ends(" quelle ") || before.empty();
  const bool has_purpose =
      after.starts_with(" for ") || after.starts_with(" fur ") || after.starts_with(" pour ") ||
      after.starts_with(" para ") || after.find(" need") != std::string::npos ||
      after.find(" fit") != std::string::npos || after.find(" brauche") != std::string::npos;
  return is_wanted && has_purpose;
}

std::optional<int> MessageReader::GoodsWanted() const {
  constexpr int kMax = 9;
  if (!named_type_) return std::nullopt;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found() || name.begin == 0) return std::nullopt;
  std::vector<std::string> before = SplitWords(folded_.text().substr(0, name.begin));
  const int number = before.empty() ? 0 : NumberOfWord(before.back());
  if (number < 2 || number > kMax) return std::nullopt;
  before.pop_back();
  // "A set with 2 rackets", "a stand for two monitors".
  const bool is_asked = std::all_of(before.begin(), before.end(), [](const std::string& word) {
    return IsOrdinaryWord(word) && !HasCue(FoldedMessage::FromFolded(word), Cue::kPurpose);
  });
  // "5 port", "4 person": a plural is counted.
  const bool is_plural =
      folded_.text().substr(name.begin, name.size()).ends_with('s') || result_.language != "en";
  return is_asked && is_plural ? std::make_optional(number) : std::nullopt;
}

void MessageReader::DropUnmeasured() {
  if (schema_ == nullptr || schema_->empty() || !input_.vocabulary.has_measure) return;
  std::erase_if(result_.filter.ranges, [&](const retrieval::NumericRange& range) {
    const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
    if (schema_->Find(range.attribute) != nullptr) return false;
    return !input_.vocabulary.has_measure(range.attribute, scale ? std::string(scale->base) : "");
  });
}

void MessageReader::LoosenConditions() {
  for (retrieval::AttributeCondition& each : bound_.attributes) {
    const SchemaKey* const key = schema_or_none()->Find(each.name);
    const bool describes = key == nullptr || key->kind == SchemaKey::Kind::kBoolean;
    if (!describes) bound_.wishes.push_back(std::move(each));
  }
  bound_.attributes.clear();
  // "I always end up without battery" excludes no batteries.
  const auto need = FindNeed(folded_);
  if (!need) return;
  const FoldedMessage said = FoldedMessage::FromFolded(
      std::string(folded_.text().substr(need->span.begin, need->span.size())));
  const auto is_said = [&](const std::string& term) {
    return said.Has(retrieval::FoldWords(term));
  };
  std::erase_if(result_.filter.excluded_terms, is_said);
  // Nor does "black stuff in the corners" ask for anything black.
  std::erase_if(result_.filter.colors, is_said);
}

void MessageReader::DropWordsOfRank() {
  std::erase_if(words_, [&](const WordCondition& each) {
    return std::any_of(rank_->said.begin(), rank_->said.end(), [&](const std::string& phrase) {
      return FoldedMessage::FromFolded(phrase).Has(each.text);
    });
  });
  const SchemaKey* const key = schema_or_none()->Find(rank_->key);
  if (key == nullptr) return;
  // "Prints black pages the fastest", by the speed of printing black, asks for no black printer.
  std::erase_if(result_.filter.colors, [&](const std::string& colour) {
    return FoldedMessage::FromFolded(key->folded).Has(retrieval::FoldWords(colour));
  });
  std::erase_if(words_, [&](const WordCondition& each) {
    const auto names = [&](const std::string& phrase) {
      return folded_.Has(phrase) && FoldedMessage::FromFolded(phrase).Has(each.text);
    };
    return FoldedMessage::FromFolded(key->folded).Has(each.text) ||
           std::any_of(key->phrases.begin(), key->phrases.end(), names) ||
           std::any_of(key->less.begin(), key->less.end(), names) ||
           std::any_of(key->more.begin(), key->more.end(), names);
  });
}

void MessageReader::CompareByKey() {
  constexpr size_t kFewWords = 4;  // "a longer battery life?"
  const bool is_of_key =
      rank_ && !rank_->is_superlative && schema_or_none()->Find(rank_->key) != nullptr;
  if (!is_of_key) return;
  std::optional<Comparison>& comparison = result_.comparison;
  if (!comparison) {
    const bool asks_of_shown = Says(Cue::kWhich) || Says(Cue::kAdvice) || NamesPlaces(tokens_) ||
                               Says(Cue::kThese) || Says(Cue::kBoth) || is_new_type() ||
                               (Says(Cue::kYesNo) && !Says(Cue::kMore));
    const bool asks_for_more = Says(Cue::kMore) || folded_.word_count() <= kFewWords;
    const bool has_amount = folded_.text().find_first_of("0123456789") != std::string_view::npos;
    if (!has_list() || asks_of_shown || !asks_for_more || has_amount) return;
    comparison = {.aspect = Comparison::Aspect::kMeasure, .wants_more = !rank_->is_least};
  }
  const bool is_alike = comparison->aspect == Comparison::Aspect::kMeasure &&
                        comparison->wants_more != rank_->is_least;
  if (!is_alike) return;
  comparison->key = rank_->key;
  result_.keys_asked.push_back(rank_->key);
}

bool MessageReader::CountsType() const {
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found()) return false;
  const FoldedMessage before(folded_.text().substr(0, name.begin));
  const FoldedMessage after(folded_.text().substr(name.end));
  // "How many cups do your kettles hold" counts no kettles.
  const bool of_shop = Says(Cue::kWhole) || Says(Cue::kSells) || Says(Cue::kMore);
  if (HasCue(before, Cue::kHowMany) && before.word_count() <= kMaxBeforeCounted && of_shop) {
    return true;
  }
  if (has_list()) return false;
  // "How many tents under 200", "monitors over 24 inch how many".
  const FoldedMessage::Span count = FindCue(folded_, Cue::kHowMany);
  const bool is_next = count.end <= name.begin && name.begin - count.end <= 1;
  if (is_next && HasCue(after, Cue::kCondition)) return true;
  return count.begin >= name.end && count.end + 1 >= folded_.text().size() &&
         before.word_count() == 0;
}

bool MessageReader::CountsShop() {
  if (!named_type_ || !named_type_->is_whole || schema_ == nullptr) return false;
  if (!Says(Cue::kHowMany) || NamesPlaces(tokens_) || !CountsType()) return false;
  result_.counts_all = true;
  result_.referenced_products.clear();
  result_.comparison.reset();
  BindAll();
  return true;
}

void MessageReader::RankAll() {
  result_.rank = rank_;
  result_.ranks_all = true;
  result_.referenced_products.clear();
  result_.comparison.reset();
  // "The cheapest with auto stop" changes the search; "the lightest laptop" is one of its own.
  result_.follows_up = !named_type_ && has_topic();
  // "Largest screen" wants no certain screen; "the biggest of at most 32 inches" has a bound.
  if (!rank_->is_of_type()) {
    std::erase_if(bound_.attributes, [&](const auto& each) { return each.name == rank_->key; });
  }
  BindAll();
}

bool MessageReader::BeginsWithWhich() const {
  if (IsWideText(folded_.text())) return Says(Cue::kWhich);
  const std::vector<std::string> words = SplitWords(AfterFillers(folded_).text());
  return !words.empty() && HasCue(FoldedMessage::FromFolded(words.front()), Cue::kWhich);
}

bool MessageReader::AsksFactOfBest() {
  result_.fact_question = QuestionAfterSelection(input_.message);
  const FoldedMessage question(result_.fact_question);
  if (!result_.fact_question.empty() && !HasCue(question, Cue::kWhich) &&
      !ResolveRank(question, *schema_or_none(), TypesRanked())) {
    return true;
  }
  result_.fact_question.clear();
  if (Says(Cue::kStock) || (Says(Cue::kPrice) && rank_->key != "price")) return true;
  // "Which one is the lightest" asks for the product, "how many ports has the lightest" for a fact.
  if (BeginsWithWhich()) return false;
  if (Says(Cue::kReviews) && rank_->key != "reviews") return true;
  const auto keys = schema_ == nullptr ? std::vector<KeyMatch>()
                                       : RankKeys(WithoutRankWords(WithoutType()), *schema_);
  const bool is_asked = !keys.empty() && keys.front().key->name != rank_->key &&
                        (Says(Cue::kDetail) || Says(Cue::kHowMany) || keys.front().is_named);
  return is_asked;
}

const TypeSchema* MessageReader::schema_or_none() const {
  static const TypeSchema kNoSchema;
  return schema_ == nullptr ? &kNoSchema : schema_;
}

bool MessageReader::TurnsToOther() const {
  const bool is_other_one = folded_.text().ends_with(" one") || folded_.text().ends_with(" ones");
  // "And how many ports does the Netgear have" asks, "what about the Netgear" turns.
  const FoldedMessage::Span about = FindCue(folded_, Cue::kAbout);
  const bool is_and = about.found() && folded_.text().substr(about.begin, about.size()).find(' ') ==
                                           std::string_view::npos;
  const bool asks = is_and && Says(Cue::kDetail) && !Says(Cue::kMore);
  if ((!HasCue(folded_, Cue::kAbout) || asks) && !is_other_one) return false;
  if (NamesPlaces(tokens_) || PointsAtOther(tokens_)) return false;
  if (Says(Cue::kPrice) || Says(Cue::kStock) || Says(Cue::kReviews) || rank_) return false;
  const bool names_other = !words_.empty() || named_type_ || !result_.filter.brands.empty() ||
                           !result_.filter.colors.empty();
  if (names_other) return true;
  // "What about an iPad": of no record of the type.
  const bool asks_for_other = folded_.HasAny(std::array<std::string_view, 4>{
      "what about a", "what about an", "how about a", "how about an"});
  return asks_for_other && KeyAsked() == nullptr;
}

void MessageReader::SetSubject() {
  result_.is_subject_guessed = true;
  result_.list_words = words_;
  result_.referenced_products = {LikelySubject()};
}

std::string MessageReader::LikelySubject() const {
  if (!last_->winner.empty()) return last_->winner;
  for (const std::vector<std::string>* list : {&last_->cited_products, &last_->shown_products}) {
    if (!list->empty()) return list->front();
  }
  return "";
}

bool MessageReader::is_changed() const {
  return !bound_.attributes.empty() || !bound_.lifted.empty() || !result_.filter.empty() ||
         !words_.empty() || result_.min_reviews || SaysOnlyConditions(constraints_) ||
         SaysOnlyUnheard();
}

bool MessageReader::SaysOnlyUnheard() const {
  return !result_.missing.empty() && folded_.word_count() <= kMaxFragmentWords &&
         (HasCue(folded_, Cue::kOnly) || FindSizeDemand(folded_));
}

bool MessageReader::ChangesSearch() const {
  if (schema_ != nullptr) return is_changed();
  // Of a type that is not known, a word more may name another one.
  return SaysOnlyConditions(constraints_) || HasCue(folded_, Cue::kCondition) ||
         (constraints_.filter.has_price() && folded_.word_count() <= kMaxFragmentWords);
}

bool MessageReader::has_focus() const {
  return last_ != nullptr && (last_->shown_products.size() == 1 || !last_->winner.empty());
}

void MessageReader::BindAll() {
  for (retrieval::AttributeCondition& each : bound_.attributes) {
    const SchemaKey* key = schema_->Find(each.name);
    if (key != nullptr && key->folded.find("color") != std::string::npos) {
      result_.filter.colors.clear();
    }
    std::erase_if(result_.filter.attributes,
                  [&](const auto& other) { return other.name == each.name; });
    result_.filter.attributes.push_back(each);
  }
  result_.wishes = bound_.wishes;
  result_.words = words_;
  for (const auto& [key, said] : bound_.said) {
    result_.said_of.emplace_back(key, AsWritten(input_.message, said));
  }
  if (has_list() && Says(Cue::kSameBrand)) {
    result_.same_brand_as =
        last_->cited_products.empty() ? List().front() : last_->cited_products.front();
  }
  for (const auto* list : {&bound_.attributes, &bound_.wishes}) {
    for (const retrieval::AttributeCondition& each : *list) result_.keys_asked.push_back(each.name);
  }
  if (result_.type && result_.filter.categories.empty()) {
    result_.filter.categories = result_.type->categories;
  }
}

bool MessageReader::NamesTypeOnly() const {
  const FoldedMessage::Span cue = FindCue(folded_, Cue::kOnly);
  if (!named_type_ || !cue.found()) return false;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  return name.found() && cue.end <= name.begin && name.begin <= cue.end + 1;
}

void MessageReader::InheritKey() {
  const bool is_short = folded_.word_count() <= kMaxFragmentWords;
  if (last_ == nullptr || last_->asked_key.empty() || !is_short) return;
  if (result_.referenced_products.size() != 1 || result_.rank || KeyAsked() != nullptr) return;
  // "Is the last one foldable", "who makes the other one" ask something else.
  const bool asks = Says(Cue::kYesNo) || (Says(Cue::kWh) && !HasCue(folded_, Cue::kAbout));
  const bool is_bare = !asks && (NamesPlaces(tokens_) || PointsAtOther(tokens_) || names_shown_);
  if (!is_bare) return;
  if (Says(Cue::kPrice) || Says(Cue::kStock)) return;
  result_.inherited_key = last_->asked_key;
  // "And in the commuter?", after "does a 15 inch laptop fit": yes or no as well.
  const bool asked_yes_no = AsksYesOrNo(last_->question, FoldedMessage(last_->question));
  if (asked_yes_no && result_.fact_question.empty()) result_.fact_question = last_->question;
}

}  // namespace emptor::services
