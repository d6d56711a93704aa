// Facts of single products.
#include <algorithm>
#include <array>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/title_values.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {

using catalog::Product;

namespace {

constexpr const char* kBrandKey = "brand";
constexpr const char* kConditionKey = "condition";
constexpr size_t kMaxBareBytes = 15;  // of "第二个吧"

}  // namespace

std::string Planner::KeyAsked() const {
  FoldedMessage question = message_;
  for (const int n : numbers_) question = WithoutName(question, ProductOf(n));
  if (HasCue(question, Cue::kStock)) return "availability";
  if (HasCue(message_, Cue::kReviews)) return "reviews";
  if (HasCue(message_, Cue::kListPrice)) return "was_price";
  if (HasCue(question, Cue::kUsed)) return kConditionKey;
  // "Which brand does it fit" asks for no maker.
  const bool has_brand = !ProductOf(numbers_[0]).brand.empty();
  if (has_brand && HasCue(message_, Cue::kMaker) && !HasCue(message_, Cue::kFitting)) {
    return kBrandKey;
  }
  if (const SchemaKey* key = KeyNamed(Affirmed(question))) return key->name;
  // "How much torque does the Torque Drill have".
  for (const SchemaKey& key : shown_.keys()) {
    if (message_.Has("how much " + key.folded) || message_.Has("what " + key.folded))
      return key.name;
  }
  if (HasCue(message_, Cue::kPrice) && !AsksHowMuchOfTitle()) return "price";
  if (!input_.understanding.inherited_key.empty()) return input_.understanding.inherited_key;
  // "Is it good for beginners".
  const bool asks_purpose = AsksYesNo() && HasCue(message_, Cue::kPurpose);
  // "How many stars has it", of a "3 Star" refrigerator.
  const bool is_counted =
      numbers_.size() == 1 && !CountInTitle(message_, ProductOf(numbers_[0]).title).empty();
  if (HasCue(message_, Cue::kRating) && !asks_purpose && !is_counted) return "rating";
  return "";
}

bool Planner::AsksHowMuchOfTitle() const {
  constexpr std::string_view kHowMuch = "how much ";
  const size_t at = message_.text().find(kHowMuch);
  if (at == std::string_view::npos || numbers_.size() != 1) return false;
  const std::string_view behind = message_.text().substr(at + kHowMuch.size());
  const std::string word(behind.substr(0, behind.find(' ')));
  return !TellingWords(FoldedMessage::FromFolded(word)).empty() &&
         FoldedMessage(ProductOf(numbers_[0]).title).Has(word);
}

bool Planner::NamesOnly(int n) const {
  const bool asks = HasCue(message_, Cue::kYesNo) || HasCue(message_, Cue::kDetail) ||
                    HasCue(message_, Cue::kWh) || !QuestionAfterSelection(question_).empty();
  const FoldedMessage rest = WithoutName(message_, ProductOf(n));
  const bool is_named = rest.word_count() < message_.word_count();
  return !asks && is_named && input_.understanding.inherited_key.empty() && !HasOtherWords(n, rest);
}

bool Planner::PointsOnly(int n) const {
  const bool asks =
      HasCue(message_, Cue::kYesNo) || HasCue(message_, Cue::kDetail) || HasCue(message_, Cue::kWh);
  const Understanding& meant = input_.understanding;
  if (asks || question_.ends_with('?') || meant.referenced_products.empty() ||
      meant.is_subject_guessed || !meant.inherited_key.empty()) {
    return false;
  }
  if (IsWideText(message_.text())) return message_.text().size() <= kMaxBareBytes;
  const FoldedMessage title(ProductOf(n).title);
  const std::vector<std::string> words = SplitWords(message_.text());
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return title.Has(word) || IsOrdinaryWord(word) || IsStoryWord(word) || PlaceOfWord(word) != 0 ||
           NumberOfWord(word) != 0;
  });
}

bool Planner::NamesGoods() const {
  const bool asks = AsksYesNo() || HasCue(message_, Cue::kWh) || HasCue(message_, Cue::kDetail);
  return input_.understanding.referenced_products.empty() && input_.part == nullptr &&
         (!asks || HasCue(message_, Cue::kRequest));
}

void Planner::PlanFact(int n, const std::string& key) {
  const size_t before = plan_.size();
  StateFact(n, key);
  // "Do you have the Milk Rabbit Family", "HP 125A cyan toner" ask for goods.
  for (size_t i = before; i < plan_.size(); ++i) {
    if (plan_[i].kind != Kind::kNotStated) continue;
    if (NamesGoods()) {
      plan_[i] = {.kind = Kind::kRecommend, .source = n};
    } else if (const auto nearest = NearestKey(n)) {
      plan_[i] = {.kind = Kind::kState, .source = n, .key = *nearest};
    }
  }
}

std::optional<std::string> Planner::NearestKey(int n) const {
  if (input_.meanings == nullptr || numbers_.size() > 1) return std::nullopt;
  const auto& type = input_.understanding.type;
  std::string asked;
  for (const std::string& word : SplitWords(WithoutType(message_).text())) {
    if (!IsStruckOut(word)) asked += (asked.empty() ? "" : " ") + word;
  }
  return input_.meanings->Find(asked, ProductOf(n), type ? type->name : "");
}

bool Planner::PlanChoiceOfTwo(int n, const std::string& key) {
  // "USB-C or micro USB", "is it one watch or two".
  const auto choice = PolarityOfContrast(n);
  const bool is_titled = choice && choice->key == "title";
  const bool may_search = is_titled || (!choice && key.empty());
  if (may_search && (PlanByTitle(n) || PlanByAlternative(n))) return true;
  if (choice) plan_.push_back(*choice);
  return choice.has_value();
}

bool Planner::PlanSale(int n) {
  if (!HasCue(message_, Cue::kSale)) return false;
  const auto answer = PolarityOfLive(n);
  if (answer) plan_.push_back(*answer);
  return answer.has_value();
}

void Planner::RepeatQuestion(int n, const std::string& key) {
  // "And the kestrin?" is itself no question of yes or no.
  const bool is_whether = AsksYesNo() && !input_.understanding.fact_question.empty();
  const auto answer = is_whether ? PolarityOf(n) : std::nullopt;
  if (answer && answer->kind != Kind::kNotStated) {
    plan_.push_back(*answer);
    return;
  }
  const bool is_stated = ValueOf(ProductOf(n), key) != nullptr;
  plan_.push_back({.kind = is_stated ? Kind::kState : Kind::kNotStated, .source = n, .key = key});
}

void Planner::StateFact(int n, const std::string& key) {
  if (key.empty() && !AsksOfPrice() && (NamesOnly(n) || PointsOnly(n))) {
    plan_.push_back({.kind = Kind::kRecommend, .source = n});
    return;
  }
  const bool is_live = IsLive(key);
  if (!key.empty() && !is_live && key == input_.understanding.inherited_key) {
    return RepeatQuestion(n, key);
  }
  if (HasCue(message_, Cue::kOr) && !is_live && PlanChoiceOfTwo(n, key)) return;
  if (key.empty() && PlanSale(n)) return;
  // "How many people sit on it" asks for no reviews.
  const bool may_mean_more = !is_live || key == "reviews" || key == "rating";
  if (may_mean_more && !AsksOfPrice() && PlanBySense(n, is_live ? "" : key, true)) return;
  // "Cord length?" asks for no yes or no.
  const SchemaKey* const named = shown_.Find(key);
  const bool is_name = named != nullptr && named->kind != SchemaKey::Kind::kBoolean &&
                       named->folded == message_.text();
  const bool has_polarity = !is_name && (!is_live || AsksOfPrice());
  if (const auto answer = has_polarity ? PolarityOf(n) : std::nullopt) {
    const bool is_open = answer->kind == Kind::kNotStated;
    if (!is_open || !PlanBySense(n, key, false)) plan_.push_back(*answer);
    return;
  }
  if (const auto answer = key.empty() ? PolarityOfBrand(n) : std::nullopt) {
    plan_.push_back(*answer);
    return;
  }
  if (key.empty() && (PlanByDimension(n) || PlanByMeaning(n) || PlanByTitle(n))) return;
  const bool may_quote = numbers_.size() == 1 && !NamesGoods();
  if (key.empty() && !NamesGoods() && (PlanByAlternative(n) || PlanBySense(n, key, false))) return;
  if (key.empty() && may_quote && PlanByDescription(n)) return;
  if (key.empty()) {
    const bool asks = input_.understanding.Has(Intent::kProductDetails) &&
                      !input_.understanding.Has(Intent::kCartAction) &&
                      !input_.understanding.follows_up;
    plan_.push_back({.kind = asks ? Kind::kNotStated : Kind::kRecommend, .source = n});
    return;
  }
  Statement fact{.kind = Kind::kState, .source = n, .key = is_live ? key : OwnKey(n, key)};
  if (key == "availability" && AsksYesNo()) {
    const bool is_there = ProductOf(n).availability == catalog::Availability::kInStock;
    fact.kind = is_there ? Kind::kAffirm : Kind::kDeny;
  }
  if (is_live && !IsKnown(n, key)) fact.kind = Kind::kNotStated;
  if (!is_live) fact.kind = KindOfAttribute(n, fact.key);
  if (!is_live && !SaysAll(n, fact.key) && PlanByMeaning(n)) return;
  if (!is_live && fact.kind == Kind::kNotStated &&
      (PlanByDimension(n) || PlanByTitle(n) || PlanByAlternative(n) ||
       PlanBySense(n, key, false))) {
    return;
  }
  if (!is_live && fact.kind == Kind::kNotStated && may_quote && PlanByDescription(n)) return;
  const bool may_have_siblings = fact.kind == Kind::kState && !is_live && numbers_.size() == 1;
  const std::string stated = fact.key;
  plan_.push_back(std::move(fact));
  if (may_have_siblings) AddSiblings(n, stated);
}

std::string Planner::OwnKey(int n, const std::string& key) const {
  if (numbers_.size() == 1 || ValueOf(ProductOf(n), key) != nullptr) return key;
  const TypeSchema& schema = SchemaOf(n);
  const auto own = RankKeys(WithoutName(message_, ProductOf(n)), schema);
  const auto named =
      std::find_if(own.begin(), own.end(), [](const KeyMatch& each) { return each.is_named; });
  return named == own.end() ? key : named->key->name;
}

bool Planner::IsKnown(int n, const std::string& key) const {
  if (key == "rating" || key == "reviews") return ProductOf(n).rating.has_value();
  if (key == kBrandKey) return !ProductOf(n).brand.empty();
  const auto payable = catalog::ComputePayablePrice(ProductOf(n), input_.now_unix, input_.market);
  if (key == "price") return payable.price.has_value();
  return key != "was_price" || payable.was_price.has_value();
}

bool Planner::IsLive(const std::string& key) {
  return key == "price" || key == "was_price" || key == "availability" || key == "rating" ||
         key == "reviews" || key == kBrandKey || key == kConditionKey;
}

bool Planner::AsksOfPrice() const {
  const retrieval::Filter& filter = input_.understanding.filter;
  return filter.has_price() || filter.min_rating || HasCue(message_, Cue::kSale) ||
         input_.understanding.min_reviews;
}

bool Planner::IsBeside(int n, const std::string& name) const {
  const SchemaKey* const key = shown_.Find(name);
  const FoldedMessage question = WithoutName(message_, ProductOf(n));
  if (key == nullptr || question.Has(key->folded)) return false;
  const std::string& value = *ValueOf(ProductOf(n), name);
  const bool is_side = CountSideWords(*key, question) > 0;
  const bool is_number = key->kind == SchemaKey::Kind::kNumber && AsksYesNo();
  if (!is_side && !is_number) return false;
  // "Does it come with a power adapter" is about no power.
  const std::vector<std::string> said = KeyWordsSaid(question);
  const bool asks_included = std::find(said.begin(), said.end(), kIncluded) != said.end();
  bool is_said = false;
  for (const auto* phrases : {&key->phrases, &key->part_phrases}) {
    is_said = is_said || question.HasAny(*phrases);
  }
  for (const auto* wishes : {&key->yes, &key->low, &key->high}) {
    if (!is_side && question.HasAny(*wishes)) return false;
  }
  if (!is_side && !asks_included && is_said) return false;
  return !UnansweredWords(WithoutType(question), *key, value, input_.understanding.language)
              .empty();
}

Planner::Kind Planner::KindOfAttribute(int n, const std::string& key) const {
  const std::string* const value = ValueOf(ProductOf(n), key);
  if (value == nullptr || IsBeside(n, key)) return Kind::kNotStated;
  const std::string folded = retrieval::FoldWords(*value);
  if (!AsksYesNo() || (!MeansYes(folded) && !MeansNo(folded))) {
    return IsOffTopic(n, key) ? Kind::kNotStated : Kind::kState;
  }
  const FoldedMessage question = WithoutName(message_, ProductOf(n));
  if (!Answers(question, shown_, key, *value)) return Kind::kNotStated;
  return MeansNo(folded) ? Kind::kDeny : Kind::kAffirm;
}

}  // namespace emptor::services
