// Rules of understanding, mostly English and Chinese.
#include "services/assistant/query_understanding.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "retrieval/query/constraints.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/relaxation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/cues.h"
#include "services/assistant/fact_questions.h"
#include "services/assistant/message_language.h"
#include "services/assistant/search_conditions.h"
#include "services/assistant/unsold.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using retrieval::HasAnyPhrase;
using retrieval::HasPhrase;
using retrieval::MatchesAt;
using retrieval::QueryToken;
using Tokens = std::vector<QueryToken>;

constexpr size_t kMaxFollowUpWords = 9;  // of a question that goes on about a policy
constexpr size_t kMaxFragmentWords = 5;  // "dishwasher safe?"
constexpr size_t kMaxWordConditions = 8;
constexpr size_t kMinCode = 4;              // bytes of a model number
constexpr size_t kMaxRefinementWords = 16;  // a longer message is a search of its own

/// A message such as "16 GB?" has no language of its own: the conversation keeps the one it had.
std::string LanguageOf(const UnderstandingInput& input) {
  std::string language = LanguageOfMessage(input.message);
  if (language.empty() && !input.turns.empty()) language = input.turns.back().language;
  return language.empty() ? "en" : language;
}

/// What the steps of understanding share.
class Reader {
 public:
  explicit Reader(UnderstandingInput input)
      : input_(std::move(input)),
        tokens_(retrieval::TokenizeQuery(input_.message)),
        folded_(input_.message),
        last_(input_.turns.empty() ? nullptr : &input_.turns.back()) {}

  Understanding Run() {
    result_.language = LanguageOf(input_);
    if (Says(Cue::kBack)) RecallTopic();
    // "24 cm or bigger" is a bound.
    if (!Says(Cue::kBound)) result_.comparison = ReadComparison(tokens_, PointsBack(tokens_));
    result_.referenced_products = FindReferences(tokens_, input_.turns, input_.page_product_id);
    ReadType();
    ReadConditions();
    ReadDesk();
    result_.contradicts = Contradicts(result_.filter);
    if (result_.desk == DeskAct::kNone && !result_.asks_policy) ReadNotSold();
    if (result_.desk == DeskAct::kNone && !result_.asks_policy) ReadProducts();
    Finish();
    return std::move(result_);
  }

 private:
  void ReadConditions() {
    // "有没有" asks, and denies nothing.
    std::string message = PartPrepositions(input_.message, result_.language);
    constexpr std::string_view kAsks = "有没有";
    for (size_t at = message.find(kAsks); at != std::string::npos; at = message.find(kAsks)) {
      message.replace(at, kAsks.size(), "有");
    }
    // Records may state quantities without a unit: which those are is decided by the type's values.
    retrieval::QueryVocabulary vocabulary = input_.vocabulary;
    const bool has_schema = schema_ != nullptr && !schema_->empty();
    if (has_schema)
      vocabulary.has_measure = [](const std::string&, const std::string&) { return true; };
    constraints_ = ReadConstraints(retrieval::TokenizeQuery(message), message, vocabulary);
    result_.filter = constraints_.filter;
    result_.budget = constraints_.budget;
  }

  bool Says(Cue cue) const { return HasCue(folded_, cue); }
  bool has_topic() const { return last_ != nullptr && !last_->search_text.empty(); }
  bool has_list() const { return last_ != nullptr && !List().empty(); }
  const std::vector<std::string>& List() const {
    return last_->listed_products.empty() ? last_->shown_products : last_->listed_products;
  }

  // ---- Customer service and policies

  void ReadDesk() {
    result_.desk = ReadDeskAct(input_.message);
    result_.policy = FindPolicyTopic(folded_);
    const bool is_policy_act = result_.desk == DeskAct::kPolicy;
    if (is_policy_act) result_.desk = DeskAct::kNone;
    if (result_.desk != DeskAct::kNone) return;
    result_.policy_question = input_.message;
    // "How long is the warranty of the second one" asks a record.
    const bool selects = has_list() && Says(Cue::kWhich);
    const bool asks_live = Says(Cue::kReviews) || Says(Cue::kStock) || Says(Cue::kListPrice) ||
                           (Says(Cue::kPrice) && NamesPlaces(tokens_));
    const bool asks_record =
        (!result_.referenced_products.empty() || selects) && (KeyAsked() != nullptr || asks_live);
    // "How long is the warranty on the Packwyn Atlas Suitcase" as well.
    const bool names_product =
        named_type_ && !result_.filter.brands.empty() && KeyAsked() != nullptr;
    result_.asks_for_goods = Says(Cue::kMore) && !Says(Cue::kDetail);
    result_.asks_policy =
        is_policy_act || (result_.policy && !asks_record && !names_product && !NamesGoods());
    if (!result_.asks_policy && ContinuesPolicy()) {
      result_.asks_policy = true;
      result_.policy_question = last_->policy_question;
      result_.policy = FindPolicyTopic(FoldedMessage(last_->policy_question));
    }
    if (!result_.asks_policy) result_.policy.reset();
  }

  /// A search for goods, whatever else it says: "free shipping laptop under 500".
  bool NamesGoods() const {
    return result_.type && result_.type->is_whole && Says(Cue::kMore) &&
           (result_.budget || !result_.filter.brands.empty());
  }

  /// "And how many days?" after an answer about delivery.
  bool ContinuesPolicy() const {
    if (last_ == nullptr || last_->policy_question.empty()) return false;
    if (named_type_ || !result_.filter.empty() || folded_.word_count() > kMaxFollowUpWords)
      return false;
    const bool asks_record = has_list() && KeyAsked() != nullptr;
    return !asks_record && HasCue(folded_, Cue::kPolicyFollow);
  }

  // ---- What the shop does not have

  /// "Do you sell car tires": no record mentions what is asked for.
  void ReadNotSold() {
    result_.asks_if_sold =
        !named_type_ && (Says(Cue::kSells) || folded_.Has("what about a") || folded_.Has("and a"));
    if (named_type_ && is_unknown_type(*named_type_) && is_new_type()) {
      const bool asks_about_shown = has_list() && HasCue(folded_, Cue::kYesNo) && !Says(Cue::kMore);
      if (!asks_about_shown) result_.not_sold = named_type_->name;
      return;
    }
    if (!named_type_ && IsGibberish(tokens_, input_.vocabulary)) result_.desk = DeskAct::kNonsense;
    const bool is_name = input_.message.ends_with('?') && folded_.word_count() <= 3;
    if ((!Says(Cue::kSells) && !is_name) || NamesPlaces(tokens_)) return;
    const std::string unknown =
        FindUnsoldName(tokens_, input_.vocabulary, schema_, result_.language);
    const bool is_code = unknown.find_first_of("0123456789") != std::string::npos;
    if (!unknown.empty() && (!named_type_ || is_code)) result_.not_sold = unknown;
  }

  bool is_unknown_type(const ProductType& type) const {
    return IsUnknownType(type, input_.schema_of, result_.language);
  }

  // ---- Type, attributes, rank

  /// "Go back to the laptops": the topic, and the list, of the turn that was about them.
  void RecallTopic() {
    for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
      if (!turn->type || turn->listed_products.empty()) continue;
      const bool names_words =
          std::any_of(turn->words.begin(), turn->words.end(),
                      [&](const WordCondition& each) { return Meets(folded_.text(), each); });
      if (!folded_.FindLongest(turn->type->words).found() && !names_words) continue;
      input_.turns.push_back(*turn);
      last_ = &input_.turns.back();
      return;
    }
  }

  void ReadType() {
    const ProductType* const topic = has_topic() && last_->type ? &*last_->type : nullptr;
    named_type_ = ReadNamedType(
        {input_.message, folded_, result_.language, input_.profile, topic, input_.schema_of});
    result_.type = named_type_ ? named_type_ : has_topic() ? last_->type : std::nullopt;
    if (result_.type && input_.schema_of) {
      schema_ = input_.schema_of(*result_.type, result_.language);
    }
  }

  bool is_new_type() const {
    if (!named_type_) return false;
    if (!named_type_->is_whole && Says(Cue::kDetail) && !Says(Cue::kMore)) return false;
    if (last_ == nullptr || !last_->type) return true;
    return last_->type->name != named_type_->name &&
           last_->type->categories != named_type_->categories;
  }

  FoldedMessage WithoutType() const {
    return named_type_ ? folded_.Without(folded_.FindLongest(named_type_->words)) : folded_;
  }

  const SchemaKey* KeyAsked() const {
    if (schema_ == nullptr) return nullptr;
    const auto keys = ResolveAttributes(WithoutType(), *schema_);
    return keys.empty() ? nullptr : keys.front();
  }

  void ReadProducts() {
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

  /// "PowerMax TDA-125, is it over 40000": what the code names comes before what was shown.
  void NamesCode() {
    const bool selects = !words_.empty() && has_list() && folded_.Has("the ... one");
    if (selects && result_.referenced_products.size() != 1 && !NamesPlaces(tokens_) &&
        Says(Cue::kDetail)) {
      SetSubject();
      return;
    }
    if (result_.referenced_products.size() != 1 || NamesPlaces(tokens_)) return;
    const bool has_code = std::any_of(tokens_.begin(), tokens_.end(), [&](const QueryToken& token) {
      const bool has_digit = token.text.find_first_of("0123456789") != std::string::npos;
      const bool is_mixed = has_digit && !retrieval::ParsePlainNumber(token.text) &&
                            !retrieval::ParseMeasure(token.text);
      return is_mixed && token.text.size() >= kMinCode && input_.vocabulary.mentions &&
             input_.vocabulary.mentions(token.text) > 0;
    });
    if (has_code) result_.is_subject_guessed = true;
  }

  /// What is left of the message: neither the type nor a condition, nor what asks for an attribute.
  void ReadWords() {
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

  /// Quantities that fit no attribute of the type and that records do not measure.
  void DropUnmeasured() {
    if (schema_ == nullptr || schema_->empty() || !input_.vocabulary.has_measure) return;
    std::erase_if(result_.filter.ranges, [&](const retrieval::NumericRange& range) {
      const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
      if (schema_->Find(range.attribute) != nullptr) return false;
      return !input_.vocabulary.has_measure(range.attribute, scale ? std::string(scale->base) : "");
    });
  }

  /// The message selects by rank: from the list, or from all that the shop has.
  bool ReadRank() {
    const bool has_conditions =
        !bound_.attributes.empty() || result_.filter.has_price() || !result_.filter.brands.empty();
    const bool points_at_list = !result_.referenced_products.empty() || Says(Cue::kList);
    const bool is_over_list =
        has_list() && !is_new_type() && !(named_type_ && Says(Cue::kWhole)) &&
        (points_at_list || (!named_type_ && !Says(Cue::kWhole) && !has_conditions));
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

  bool AsksFactOfBest() {
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

  const TypeSchema* schema_or_none() const {
    static const TypeSchema kNoSchema;
    return schema_ == nullptr ? &kNoSchema : schema_;
  }

  /// A question about what an earlier answer showed.
  bool RefersToShown() {
    if (result_.referenced_products.empty() || result_.comparison) return false;
    if (NamesPlaces(tokens_)) return true;
    if (is_new_type() && (Says(Cue::kMore) || !Says(Cue::kDetail))) return false;
    if (Says(Cue::kSameBrand) && !Says(Cue::kDetail)) return false;
    if (result_.asks_for_goods && (is_changed() || named_type_)) return false;
    const bool asks = (Says(Cue::kDetail) || AsksYesOrNo(input_.message, folded_)) &&
                      !HasCue(folded_, Cue::kCondition);
    return (asks && !result_.asks_for_goods) || !is_changed() || !has_topic();
  }

  /// "How much are two of them" after an answer about one product.
  bool CountsFocus() {
    if (last_ == nullptr || last_->shown_products.empty() || named_type_) return false;
    const bool counts = CountAsked(folded_) > 1 && (Says(Cue::kPrice) || Says(Cue::kTotal));
    if (!counts || NamesPlaces(tokens_)) return false;
    const bool is_one = last_->shown_products.size() == 1 || !last_->winner.empty();
    if (is_one || result_.referenced_products.empty()) SetSubject();
    result_.is_subject_guessed = false;
    return true;
  }

  /// "So which do charge wirelessly": the list, or the shop, is searched for it.
  bool SelectsByCondition() {
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

  /// "Dishwasher safe?", "in stock?", "max oven temp" after an answer about one product.
  bool AsksAboutFocus() {
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

  void SetSubject() {
    result_.is_subject_guessed = true;
    result_.list_words = words_;
    const bool has_winner = !last_->winner.empty();
    result_.referenced_products = {has_winner                      ? last_->winner
                                   : last_->cited_products.empty() ? last_->shown_products.front()
                                                                   : last_->cited_products.front()};
  }

  /// The message states a condition on the search.
  bool is_changed() const {
    return !bound_.attributes.empty() || !bound_.lifted.empty() || !result_.filter.empty() ||
           !words_.empty() || SaysOnlyConditions(constraints_);
  }

  bool Refines() const {
    if (!has_topic() || is_new_type()) return false;
    if (folded_.word_count() > kMaxRefinementWords) return false;
    if (result_.comparison) return true;
    const bool is_question = Says(Cue::kDetail) && !Says(Cue::kMore);
    if (is_question && KeyAsked() != nullptr && !Says(Cue::kRefine)) return false;
    // Of a type that is not known, a word more may name another one.
    const bool is_small_change = SaysOnlyConditions(constraints_) ||
                                 HasCue(folded_, Cue::kCondition) ||
                                 (constraints_.filter.has_price() && folded_.word_count() <= 5);
    const bool changes = schema_ == nullptr ? is_small_change : is_changed();
    if (changes && !(is_question && constraints_.filter.empty())) return true;
    return Says(Cue::kRefine) && !is_question && !named_type_;
  }

  void ReadUnnamedSubject() {
    if (!has_list()) return;
    // "Is a lock included" asks for no locks.
    const bool is_about_it =
        HasCue(folded_, Cue::kYesNo) && !Says(Cue::kMore) && !Says(Cue::kRefine);
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

  /// Conditions of the words and of the type join the filter.
  void BindAll() {
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
      for (const retrieval::AttributeCondition& each : *list)
        result_.keys_asked.push_back(each.name);
    }
    if (result_.type && result_.filter.categories.empty()) {
      result_.filter.categories = result_.type->categories;
    }
  }

  /// "And the third?" asks what was asked about the second.
  void InheritKey() {
    const bool is_short = folded_.word_count() <= kMaxFragmentWords;
    if (last_ == nullptr || last_->asked_key.empty() || !is_short) return;
    if (result_.referenced_products.size() != 1 || result_.rank || KeyAsked() != nullptr) return;
    const bool is_bare = NamesPlaces(tokens_) || PointsAtOther(tokens_);
    if (!is_bare) return;
    if (!Says(Cue::kPrice) && !Says(Cue::kStock)) result_.inherited_key = last_->asked_key;
  }

  // ---- What the decisions mean for the search

  void Finish() {
    if (result_.asks_policy) {
      result_.follows_up = false;
      result_.comparison.reset();
      result_.referenced_products.clear();
    }
    if (result_.desk != DeskAct::kNone || result_.asks_policy) result_.type.reset();
    const bool points_back = !result_.referenced_products.empty() && !result_.follows_up;
    result_.intents = FindIntents(tokens_, points_back, result_.follows_up);
    if (result_.asks_policy) {
      result_.intents.insert(result_.intents.begin(), Intent::kRetailSupport);
    } else if (Says(Cue::kCompare) && !result_.Has(Intent::kProductComparison)) {
      result_.intents.push_back(Intent::kProductComparison);
    }
    result_.search_text = CleanText(constraints_.search_text);
    if (result_.follows_up && last_ != nullptr) InheritTopic();
    InheritKey();
  }

  void InheritTopic() {
    result_.search_text = ContinuedSearch(last_->search_text, result_.search_text);
    InheritFilter(last_->filter, result_.filter);
    InheritWords();
    for (const std::string& key : bound_.lifted) {
      std::erase_if(result_.filter.attributes, [&](const auto& each) { return each.name == key; });
    }
    const bool is_dearer = result_.comparison && result_.comparison->wants_more &&
                           result_.comparison->aspect == Comparison::Aspect::kPrice;
    // A request for more expensive products drops the bound of the previous turn.
    if (is_dearer && !constraints_.filter.max_price) result_.filter.max_price.reset();
    if (result_.comparison && result_.referenced_products.empty()) {
      AppendNew(last_->cited_products.empty() ? last_->shown_products : last_->cited_products,
                result_.referenced_products);
    }
  }

  /// Demands of the turn before that some record meets together with the new ones.
  void InheritWords() {
    if (schema_ == nullptr || (folded_.Has("instead") && !words_.empty())) return;
    for (const WordCondition& each : last_->words) {
      std::vector<WordCondition> both = result_.words;
      both.push_back(each);
      const bool is_met =
          both.size() <= kMaxWordConditions && !schema_->words().ByCoverage(both).front().empty();
      const bool is_new =
          std::find(result_.words.begin(), result_.words.end(), each) == result_.words.end();
      if (is_met && is_new) result_.words = std::move(both);
    }
    if (!result_.min_reviews) result_.min_reviews = last_->min_reviews;
  }

  UnderstandingInput input_;
  const Tokens tokens_;
  const FoldedMessage folded_;
  const ConversationTurn* last_;  // null: the first message
  retrieval::QueryConstraints constraints_;
  std::optional<ProductType> named_type_;
  const TypeSchema* schema_ = nullptr;
  BoundConditions bound_;
  std::vector<WordCondition> words_;
  std::optional<RankedKey> rank_;
  Understanding result_;
};

}  // namespace

bool Understanding::Has(Intent intent) const {
  return std::find(intents.begin(), intents.end(), intent) != intents.end();
}

bool Understanding::needs_products() const {
  if (Has(Intent::kSmallTalk) || asks_policy) return false;
  const bool about_store =
      Has(Intent::kRetailSupport) || Has(Intent::kOrderSupport) || Has(Intent::kStoreRelevant);
  const bool about_product = Has(Intent::kBestProduct) || Has(Intent::kProductComparison) ||
                             Has(Intent::kIntentRefinement) || !referenced_products.empty() ||
                             !filter.brands.empty() || budget.has_value();
  return !about_store || about_product || ranks_all;
}

Understanding Understand(const UnderstandingInput& raw) {
  UnderstandingInput input = raw;
  input.message = CleanText(raw.message);
  // "The first one's price": the place is "first one".
  for (const std::string_view mark : {"one's", "One's", "one’s"}) {
    const size_t at = input.message.find(mark);
    if (at != std::string::npos) input.message.replace(at, mark.size(), "one");
  }
  return Reader(std::move(input)).Run();
}

}  // namespace emptor::services
