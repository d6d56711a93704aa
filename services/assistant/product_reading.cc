// What a message says of products: those shown before, or a search for others.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "retrieval/query/relaxation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/fact_questions.h"
#include "services/assistant/message_reader.h"
#include "services/assistant/search_conditions.h"

namespace emptor::services {
namespace {

using retrieval::QueryToken;

constexpr size_t kMaxFragmentWords = 5;     // "dishwasher safe?"
constexpr size_t kMinCode = 4;              // bytes of a model number
constexpr size_t kMaxRefinementWords = 16;  // a longer message is a search of its own

}  // namespace

bool MessageReader::is_new_type() const {
  if (!named_type_) return false;
  if (!named_type_->is_whole && Says(Cue::kDetail) && !Says(Cue::kMore)) return false;
  if (last_ == nullptr || !last_->type) return true;
  return last_->type->name != named_type_->name &&
         last_->type->categories != named_type_->categories;
}

FoldedMessage MessageReader::WithoutType() const {
  return named_type_ ? folded_.Without(folded_.FindLongest(named_type_->words)) : folded_;
}

const SchemaKey* MessageReader::KeyAsked() const {
  if (schema_ == nullptr) return nullptr;
  const auto keys = ResolveAttributes(WithoutType(), *schema_);
  return keys.empty() ? nullptr : keys.front();
}

void MessageReader::ReadProducts() {
  const TypeSchema& schema = *schema_or_none();
  bound_ = BindConditions(folded_, result_.language, schema, named_type_ ? named_type_->name : "",
                          result_.filter.ranges, ExactQuantities(input_.message, result_.filter));
  DropUnmeasured();
  ReadWords();
  result_.min_reviews = ReadMinReviews(folded_);
  rank_ = ResolveRank(WithoutType(), schema);
  NamesCode();
  const bool asks_which = Says(Cue::kWhich) || (rank_ && rank_->is_superlative);
  if (has_list()) result_.list = List();
  if (rank_ && asks_which && ReadRank()) return;
  const bool compares_list = Says(Cue::kCompare) && has_list() && !named_type_ &&
                             result_.referenced_products.empty() && !Says(Cue::kMore);
  if (compares_list) result_.referenced_products = List();
  if (CountsFocus() || SelectsByCondition() || RefersToShown() || AsksAboutFocus()) return;
  if (is_new_type() && !result_.comparison) result_.referenced_products.clear();
  if (Refines()) {
    result_.follows_up = true;
    // "What about the second one in red" refers, "what about the red ones" does not.
    if (!NamesPlaces(tokens_) && !result_.comparison) result_.referenced_products.clear();
    BindAll();
    return;
  }
  if (result_.referenced_products.empty() && !result_.comparison) ReadUnnamedSubject();
  if (result_.referenced_products.empty()) BindAll();
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

void MessageReader::NamesCode() {
  result_.asks_for_type = AsksForType();
  const bool selects = !words_.empty() && has_list() && folded_.Has("the ... one");
  if (selects && result_.referenced_products.size() != 1 && !NamesPlaces(tokens_) &&
      Says(Cue::kDetail)) {
    SetSubject();
    return;
  }
  if (result_.referenced_products.size() > 1 || NamesPlaces(tokens_)) return;
  const bool has_code = std::any_of(tokens_.begin(), tokens_.end(), [&](const QueryToken& token) {
    const bool has_digit = token.text.find_first_of("0123456789") != std::string::npos;
    const bool is_mixed = has_digit && !retrieval::ParsePlainNumber(token.text) &&
                          !retrieval::ParseMeasure(token.text);
    return is_mixed && token.text.size() >= kMinCode;
  });
  names_code_ = has_code;
  if (has_code && result_.referenced_products.size() == 1) result_.is_subject_guessed = true;
}

void MessageReader::ReadWords() {
  if (schema_ == nullptr) return;
  FoldedMessage rest(constraints_.search_text);
  if (result_.type) rest = rest.Without(rest.FindLongest(result_.type->words));
  for (const SchemaKey& key : schema_->keys()) {
    for (const auto* phrases : {&key.phrases, &key.low, &key.high, &key.yes}) {
      rest = rest.Without(rest.FindLongest(*phrases));
    }
  }
  words_ = ReadWordConditions(rest, result_.language, schema_->words());
}

void MessageReader::DropUnmeasured() {
  if (schema_ == nullptr || schema_->empty() || !input_.vocabulary.has_measure) return;
  std::erase_if(result_.filter.ranges, [&](const retrieval::NumericRange& range) {
    const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
    if (schema_->Find(range.attribute) != nullptr) return false;
    return !input_.vocabulary.has_measure(range.attribute, scale ? std::string(scale->base) : "");
  });
}

bool MessageReader::ReadRank() {
  const bool has_conditions =
      !bound_.attributes.empty() || result_.filter.has_price() || !result_.filter.brands.empty();
  // "And the most reviewed one", after the cheapest of the shop, ranks the shop again.
  const bool ranks_again =
      last_ != nullptr && last_->ranks_all && rank_->is_superlative &&
      !folded_.HasAny(std::array<std::string_view, 8>{"these", "those", "them", "davon",
                                                      "von denen", "de ces", "de estos", "其中"}) &&
      !NamesPlaces(tokens_);
  // "The cheapest one under 300": "one" points at no list where there are conditions.
  const bool says_list = folded_.HasAny(
      std::array<std::string_view, 10>{"these", "those", "them", "listed", "showed", "above",
                                       "davon", "de ces", "de estos", "其中"});
  const bool points_at_list =
      !ranks_again && (says_list || (!result_.referenced_products.empty() && !has_conditions) ||
                       NamesPlaces(tokens_) || (Says(Cue::kList) && !has_conditions));
  const bool is_over_list =
      has_list() && !is_new_type() && !(named_type_ && Says(Cue::kWhole)) &&
      (points_at_list || (!ranks_again && !named_type_ && !Says(Cue::kWhole) && !has_conditions));
  if (is_over_list) {
    if (result_.referenced_products.size() < 2) result_.referenced_products = List();
    result_.comparison.reset();
    result_.rank = rank_;
    result_.asks_fact_of_best = AsksFactOfBest();
    return true;
  }
  if (!result_.type || !rank_->is_superlative) return false;
  result_.rank = rank_;
  result_.ranks_all = true;
  result_.referenced_products.clear();
  result_.comparison.reset();
  // "The cheapest with auto stop" changes the search; "the lightest laptop" is one of its own.
  result_.follows_up = !named_type_ && has_topic();
  std::erase_if(bound_.attributes, [&](const auto& each) { return each.name == rank_->key; });
  BindAll();
  return true;
}

bool MessageReader::AsksFactOfBest() {
  result_.fact_question = QuestionAfterSelection(input_.message);
  const FoldedMessage question(result_.fact_question);
  if (!result_.fact_question.empty() && !HasCue(question, Cue::kWhich) &&
      !ResolveRank(question, *schema_or_none())) {
    return true;
  }
  result_.fact_question.clear();
  const SchemaKey* const key = KeyAsked();
  return (Says(Cue::kPrice) && rank_->key != "price") || Says(Cue::kStock) ||
         (Says(Cue::kDetail) && !Says(Cue::kWhich) && key != nullptr && key->name != rank_->key);
}

const TypeSchema* MessageReader::schema_or_none() const {
  static const TypeSchema kNoSchema;
  return schema_ == nullptr ? &kNoSchema : schema_;
}

bool MessageReader::RefersToShown() {
  if (result_.referenced_products.empty() || result_.comparison) return false;
  if (NamesPlaces(tokens_)) return true;
  if (TurnsToOther() && result_.referenced_products.size() > 1) return false;
  if (is_new_type() && (Says(Cue::kMore) || !Says(Cue::kDetail))) return false;
  if (Says(Cue::kSameBrand) && !Says(Cue::kDetail)) return false;
  if (result_.asks_for_goods && (is_changed() || named_type_)) return false;
  const bool asks = (Says(Cue::kDetail) || AsksYesOrNo(input_.message, folded_)) &&
                    !HasCue(folded_, Cue::kCondition);
  return (asks && !result_.asks_for_goods) || !is_changed() || !has_topic();
}

bool MessageReader::CountsFocus() {
  if (last_ == nullptr || last_->shown_products.empty() || named_type_) return false;
  const bool counts = CountAsked(folded_) > 1 && (Says(Cue::kPrice) || Says(Cue::kTotal));
  if (!counts || NamesPlaces(tokens_)) return false;
  const bool is_one = last_->shown_products.size() == 1 || !last_->winner.empty();
  if (is_one || result_.referenced_products.empty()) SetSubject();
  result_.is_subject_guessed = false;
  return true;
}

bool MessageReader::SelectsByCondition() {
  const bool has_condition = !bound_.attributes.empty() || !words_.empty();
  if (!Says(Cue::kWhich) || !has_condition || rank_ || !has_list() || is_new_type()) return false;
  if (NamesPlaces(tokens_) || result_.comparison || Says(Cue::kCompare)) return false;
  if (HasCue(folded_, Cue::kDetail) || !has_topic()) return false;
  result_.follows_up = true;
  result_.prefers_list = true;
  result_.referenced_products.clear();
  BindAll();
  return true;
}

bool MessageReader::TurnsToOther() const {
  const bool is_other_one = folded_.text().ends_with(" one") || folded_.text().ends_with(" ones");
  if (!HasCue(folded_, Cue::kAbout) && !is_other_one) return false;
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

bool MessageReader::AsksAboutFocus() {
  if (TurnsToOther()) return false;
  if (last_ == nullptr || last_->shown_products.empty() || is_new_type()) return false;
  if (Says(Cue::kMore) || Says(Cue::kRefine) || result_.comparison) return false;
  if (HasCue(folded_, Cue::kCondition) || constraints_.filter.has_price()) return false;
  const bool is_one = last_->shown_products.size() == 1 || !last_->winner.empty();
  const bool is_short = folded_.word_count() <= kMaxFragmentWords;
  const bool asks = input_.message.ends_with('?') || input_.message.ends_with("？") ||
                    KeyAsked() != nullptr || Says(Cue::kStock) || Says(Cue::kPrice);
  const bool is_fragment = is_one && is_short && asks && constraints_.filter.brands.empty() &&
                           constraints_.filter.colors.empty();
  const bool asks_stock = Says(Cue::kStock) && is_short && !named_type_;
  if (!is_fragment && !asks_stock) return false;
  SetSubject();
  return true;
}

void MessageReader::SetSubject() {
  result_.is_subject_guessed = true;
  result_.list_words = words_;
  const bool has_winner = !last_->winner.empty();
  result_.referenced_products = {has_winner                      ? last_->winner
                                 : last_->cited_products.empty() ? last_->shown_products.front()
                                                                 : last_->cited_products.front()};
}

bool MessageReader::is_changed() const {
  return !bound_.attributes.empty() || !bound_.lifted.empty() || !result_.filter.empty() ||
         !words_.empty() || SaysOnlyConditions(constraints_);
}

bool MessageReader::Refines() const {
  if (!has_topic() || is_new_type()) return false;
  if (folded_.word_count() > kMaxRefinementWords) return false;
  if (result_.comparison) return true;
  if (names_code_ && AsksYesOrNo(input_.message, folded_)) return false;
  const bool is_question = Says(Cue::kDetail) && !Says(Cue::kMore) && !TurnsToOther();
  if (is_question && KeyAsked() != nullptr && !Says(Cue::kRefine)) return false;
  // Of a type that is not known, a word more may name another one.
  const bool is_small_change = SaysOnlyConditions(constraints_) ||
                               HasCue(folded_, Cue::kCondition) ||
                               (constraints_.filter.has_price() && folded_.word_count() <= 5);
  const bool changes = schema_ == nullptr ? is_small_change : is_changed();
  if (changes && !(is_question && constraints_.filter.empty())) return true;
  const bool is_unknown = TurnsToOther() && !is_changed();
  return Says(Cue::kRefine) && !is_question && !named_type_ && !is_unknown;
}

void MessageReader::ReadUnnamedSubject() {
  if (!has_list() || TurnsToOther()) return;
  // "Is a lock included" asks for no locks.
  const bool is_about_it = HasCue(folded_, Cue::kYesNo) && !Says(Cue::kMore) && !Says(Cue::kRefine);
  if (is_new_type() && !is_about_it) return;
  if (result_.asks_for_goods && (named_type_ || is_changed())) return;
  if (Says(Cue::kWhich) && !named_type_) {
    result_.referenced_products = List();
    return;
  }
  // "Dishwasher safe?" is a question, too.
  const bool is_fragment =
      folded_.word_count() < kMaxFragmentWords && input_.message.ends_with('?');
  if (!Says(Cue::kDetail) && !is_fragment) return;
  if (named_type_ && Says(Cue::kMore)) return;
  SetSubject();
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

void MessageReader::InheritKey() {
  const bool is_short = folded_.word_count() <= kMaxFragmentWords;
  if (last_ == nullptr || last_->asked_key.empty() || !is_short) return;
  if (result_.referenced_products.size() != 1 || result_.rank || KeyAsked() != nullptr) return;
  const bool is_bare = NamesPlaces(tokens_) || PointsAtOther(tokens_);
  if (!is_bare) return;
  if (!Says(Cue::kPrice) && !Says(Cue::kStock)) result_.inherited_key = last_->asked_key;
}

}  // namespace emptor::services
