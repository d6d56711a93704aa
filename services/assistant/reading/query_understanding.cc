// Rules of understanding, mostly English and Chinese.
#include "services/assistant/reading/query_understanding.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "catalog/money.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/reading/unsold.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/types/needs.h"
#include "services/grounding/text_clean.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

/// The type in the shopper's words; as the lexicon has it, where the message names it otherwise.
std::string NameSaid(const ProductType& type, const FoldedMessage& folded,
                     const std::string& message) {
  const FoldedMessage::Span said = folded.FindLongest(type.words);
  if (!said.found()) return type.name;
  return AsWritten(message, std::string(folded.text().substr(said.begin, said.size())));
}

/// "Vacuums" of a "handheld vacuum": the last word of the type's name stands in the first words.
bool NamesHead(const FoldedMessage& text, const std::string& type) {
  constexpr size_t kMaxWords = 4;
  const std::string head = StemOf(type.substr(type.rfind(' ') + 1));
  const std::vector<std::string> words = SplitWords(text.text());
  const size_t end = std::min(words.size(), kMaxWords);
  return std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const std::string& word) { return StemOf(word) == head; });
}

}  // namespace

Understanding MessageReader::Run() {
  result_.message = input_.message;
  // "What did the tent cost again" asks about the tent, and shows no tents again.
  const bool asks_again = Says(Cue::kDetail) && !Says(Cue::kMore);
  if (Says(Cue::kBack) || (Says(Cue::kAgain) && !asks_again)) RecallTopic();
  RecallDescribed();
  lifted_ = ReadLifted(folded_);
  // "24 cm or bigger" is a bound.
  // "How much cheaper is it than the regular price" asks for no cheaper one.
  const bool compares_prices =
      Says(Cue::kSaving) || Says(Cue::kListPrice) || Says(Cue::kPriceDifference);
  if (!Says(Cue::kBound) && !compares_prices)
    result_.comparison = ReadComparison(tokens_, PointsBack(tokens_));
  result_.referenced_products = FindReferences(tokens_, input_.turns);
  ReadComparedName();
  ReadMissingPlace();
  guesses_ = GuessActs(input_.message);
  ReadType();
  ReadConditions();
  ReadDesk();
  result_.age = ReadAge(folded_);
  result_.contradicts = Contradicts(result_.filter);
  ReadMissingSubject();
  if (result_.desk == DeskAct::kNone && !result_.asks_policy) ReadNotSold();
  if (result_.desk == DeskAct::kNone && !result_.asks_policy) ReadProducts();
  Finish();
  return std::move(result_);
}

void MessageReader::ReadConditions() {
  // "有没有" asks, and denies nothing.
  std::string message = PartPrepositions(input_.message, result_.language);
  constexpr std::string_view kAsks = "有没有";
  for (size_t at = message.find(kAsks); at != std::string::npos; at = message.find(kAsks)) {
    message.replace(at, kAsks.size(), "有");
  }
  message = WithoutDenyingNames(std::move(message), result_.language);
  // Records may state quantities without a unit: which those are is decided by the type's values.
  retrieval::QueryVocabulary vocabulary = input_.vocabulary;
  const bool has_schema = schema_ != nullptr && !schema_->empty();
  if (has_schema)
    vocabulary.has_measure = [](const std::string&, const std::string&) { return true; };
  constraints_ = ReadConstraints(retrieval::TokenizeQuery(message), message, vocabulary);
  // The brand of what something is compared with is not wanted.
  std::erase_if(constraints_.filter.brands, [&](const std::string& brand) {
    return FoldedMessage::FromFolded(compared_name_).Has(retrieval::FoldWords(brand));
  });
  result_.filter = constraints_.filter;
  result_.budget = constraints_.budget;
  AssumeShopCurrency();
}

/// "Unter 100 Euro" in a shop that prices in dollars only: nothing would meet it.
void MessageReader::AssumeShopCurrency() {
  const std::string& own = input_.vocabulary.currency;
  retrieval::Filter& filter = result_.filter;
  const bool is_foreign = filter.has_price() && !filter.currency.empty() && filter.currency != own;
  if (!is_foreign || !input_.has_prices_in || input_.has_prices_in(filter.currency)) return;
  const int exponents = catalog::CurrencyExponent(own) - catalog::CurrencyExponent(filter.currency);
  const auto convert = [&](int64_t minor) {
    return std::llround(static_cast<double>(minor) * std::pow(10, exponents));
  };
  if (filter.min_price) filter.min_price = convert(*filter.min_price);
  if (filter.max_price) filter.max_price = convert(*filter.max_price);
  filter.currency = own;
  if (result_.budget) result_.budget = catalog::Money{convert(result_.budget->amount), own};
  constraints_.filter = filter;
  constraints_.budget = result_.budget;
  result_.assumes_currency = true;
}

const std::vector<std::string>& MessageReader::List() const {
  return last_->compared_products.empty() ? WholeList() : last_->compared_products;
}

const std::vector<std::string>& MessageReader::WholeList() const {
  return last_->listed_products.empty() ? last_->shown_products : last_->listed_products;
}

void MessageReader::ReadNotSold() {
  const bool asks = Says(Cue::kSells) || folded_.Has("what about a") ||
                    folded_.Has("what about an") || folded_.Has("and a");
  result_.asks_if_sold = asks && (!named_type_ || NamesModel());
  if (named_type_ && is_unknown_type(*named_type_) && is_new_type()) {
    // "About the Brother DS-740D: does it need a power outlet" asks for no outlet.
    const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
    const bool is_after =
        name.found() && NamesByCode(std::string(folded_.text().substr(0, name.begin)));
    if (is_after && !Says(Cue::kSells)) {
      named_type_.reset();
      result_.type = has_topic() ? last_->type : std::nullopt;
      return;
    }
    // "Is there a switch for the foot", of a lamp.
    const bool asks_for_part = has_focus() && Says(Cue::kThereIs) && !Says(Cue::kSells);
    const bool asks_about_shown =
        asks_for_part || (has_list() && HasCue(folded_, Cue::kYesNo) && !Says(Cue::kMore));
    // "How do I remove lime with vinegar" asks for no vinegar.
    const bool asks_how = HasCue(folded_, Cue::kDetail) && HasCue(folded_, Cue::kWh) &&
                          !Says(Cue::kMore) && !Says(Cue::kSells) && !Says(Cue::kRequest) &&
                          !Says(Cue::kWhich) && !Says(Cue::kPrice);
    const bool is_asked = !asked_.names.empty() && asked_.fits_shown;
    if (asks_for_part && !is_asked && has_topic()) {
      named_type_.reset();
      result_.type = last_->type;
      return;
    }
    if ((!asks_about_shown && !asks_how && !AsksOfPage()) || is_asked)
      result_.not_sold = trade_ ? TradeNameSaid() : NameSaid(*named_type_, folded_, input_.message);
    return;
  }
  if (!named_type_ && IsGibberish(tokens_, input_.vocabulary)) result_.desk = DeskAct::kNonsense;
  // "Do you have one from panasonic", of epilators.
  const bool asks_for_more = Says(Cue::kSells) || Says(Cue::kMore);
  if (asks_for_more && has_topic() && result_.filter.brands.empty())
    result_.not_sold = FindUnsoldMaker(folded_, *schema_or_none());
  lacks_maker_ = !result_.not_sold.empty();
  if (lacks_maker_) return;
  const bool is_name = input_.message.ends_with('?') && folded_.word_count() <= 3;
  if ((!Says(Cue::kSells) && !is_name) || NamesPlaces(tokens_)) return;
  // "Warranty?" and "a quieter one" are about what was shown.
  const bool is_about_shown =
      has_list() && !named_type_ && !Says(Cue::kSells) && AsksPolicyOfShown();
  const bool compares = has_topic() && !named_type_ &&
                        (result_.comparison || ResolveRank(folded_, *schema_or_none()));
  if (is_about_shown || compares || AsksOfPage()) return;
  const std::string unknown = FindUnsoldName(tokens_, input_.vocabulary, schema_, result_.language);
  const bool is_code = unknown.find_first_of("0123456789") != std::string::npos;
  if (unknown.empty() || (named_type_ && !is_code)) return;
  // "Masonry bits" of "do you sell masonry bits too": the noun that the word qualifies.
  const AskedGoods asked = ReadAskedGoods(folded_);
  const bool is_said = !asked.names.empty() && asked.names.front().starts_with(unknown + " ");
  result_.not_sold = is_said ? asked.names.front() : unknown;
}

bool MessageReader::NamesModel() const {
  const std::vector<std::string> words = SplitWords(folded_.text());
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_numbered = retrieval::ParsePlainNumber(words[i + 1]) &&
                             (i + 2 == words.size() || !retrieval::FindUnit(words[i + 2]));
    const FoldedMessage name = FoldedMessage::FromFolded(words[i]);
    if (!is_numbered || TellingWords(name).empty() || retrieval::FindUnit(words[i])) continue;
    if (!FindNamedValues(name, result_.language).empty()) continue;
    const bool is_alias =
        named_type_->name != words[i] && name.FindLongest(named_type_->words).found();
    const bool is_known = schema_ != nullptr && (schema_->words().Knows(DemandOf(words[i])) ||
                                                 !ResolveAttributes(name, *schema_).empty());
    if (is_alias || !is_known) return true;
  }
  return false;
}

bool MessageReader::is_unknown_type(const ProductType& type) const {
  return IsUnknownType(type, input_.schema_of, input_.is_sold, result_.language);
}

std::string_view MessageReader::Behind(Cue cue) const {
  const FoldedMessage::Span span = FindCue(folded_, cue);
  return span.found() ? folded_.text().substr(span.end) : std::string_view();
}

size_t MessageReader::RecallScore(const ConversationTurn& turn) const {
  constexpr size_t kType = 1000, kHead = 500, kCondition = 100;  // the type tells most
  if (!turn.type || turn.listed_products.empty()) return 0;
  const FoldedMessage behind(Behind(Cue::kBack));
  const FoldedMessage::Span name = folded_.FindLongest(turn.type->words);
  size_t score = 0;
  if (name.found()) {
    score = kType + name.size();  // "desk lamps" are no "lamps"
  } else if (NamesHead(behind, turn.type->name)) {
    score = kHead;
  }
  if (!Says(Cue::kBack)) return score;
  const bool names_words =
      std::any_of(turn.words.begin(), turn.words.end(),
                  [&](const WordCondition& each) { return Meets(folded_.text(), each); });
  if (names_words) score += kCondition;
  // "The 27 inch ones": what was asked for then.
  const FoldedMessage question(turn.question);
  for (const std::string& word : SplitWords(behind.text())) {
    const bool is_type = FoldedMessage::FromFolded(word).FindLongest(turn.type->words).found() ||
                         FoldedMessage(turn.type->name).Has(word);
    if (!is_type && !IsOrdinaryWord(word) && question.Has(word)) score += kCondition;
  }
  return score;
}

void MessageReader::RecallTopic() {
  const ConversationTurn* recalled = nullptr;
  size_t most = 0;
  for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
    const size_t score = RecallScore(*turn);
    if (score <= most) continue;
    most = score;
    recalled = &*turn;
  }
  if (recalled == nullptr) return;
  returns_ = true;
  // "The first laptops you showed": not those after them.
  if (PointsAtBeginning(tokens_)) {
    recalled = &*std::find_if(input_.turns.begin(), input_.turns.end(), [&](const auto& each) {
      return each.type && each.type->name == recalled->type->name && !each.listed_products.empty();
    });
  }
  ConversationTurn again = *recalled;
  input_.turns.push_back(std::move(again));
  last_ = &input_.turns.back();
}

void MessageReader::ReadType() {
  const ProductType* const topic = has_topic() && last_->type ? &*last_->type : nullptr;
  named_type_ = FindNamedType(topic);
  ReadTradeName();
  // "Back to the vacuums", which were car vacuums.
  if (topic != nullptr && named_type_ && returns_) named_type_.reset();
  // "With rain cover", of backpacks.
  if (topic != nullptr && named_type_ && Says(Cue::kWith) && !Says(Cue::kMore)) named_type_.reset();
  if (topic != nullptr && named_type_ && (NamesPartOf(*topic) || StaysWith(*topic))) {
    named_type_.reset();
  }
  const bool is_of_topic =
      topic != nullptr && named_type_ && (MeansTopic(*topic) || NamesMemberOf(*topic));
  if (is_of_topic) named_type_.reset();
  if (named_type_ && has_list() && (AsksPolicyOfShown() || IsPartOfVariant())) named_type_.reset();
  if (named_type_ && (PointsAtType() || CountsParts())) named_type_.reset();
  const bool is_other = topic == nullptr || (named_type_ && topic->name != named_type_->name);
  if (named_type_ && is_other && AsksOfPage()) named_type_.reset();
  if (has_topic() && !AsksOfParts() && !AsksWhichPart()) ReadAskedType();
  if (topic != nullptr && !named_type_) named_type_ = NamedMember(*topic);
  if (auto needed = NeededGoods(topic)) {
    named_type_ = std::move(needed);
    describes_need_ = true;
  } else if (topic == nullptr && GuessesType()) {
    auto meant = FindMeantType(MeantKinds(), folded_, named_type_, *input_.profile);
    if (meant) named_type_ = std::move(meant);
  }
  if (topic == nullptr && !has_list()) ChooseAmongGoods();
  result_.type = named_type_ ? named_type_ : has_topic() ? last_->type : std::nullopt;
  if (result_.type && input_.schema_of) {
    schema_ = input_.schema_of(*result_.type, result_.language);
  }
}

bool MessageReader::NamesMaker(const ProductType& topic) const {
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  const auto schema = input_.schema_of && topic.name != named_type_->name
                          ? input_.schema_of(topic, result_.language)
                          : nullptr;
  return schema != nullptr && name.found() &&
         schema->words().IsMostlyMaker(std::string(folded_.text().substr(name.begin, name.size())));
}

bool MessageReader::StaysWith(const ProductType& topic) const {
  // "Which of these do you recommend for a toddler".
  if (named_type_->is_advised && has_list() && Says(Cue::kThese)) return true;
  if (!named_type_->is_advised) {
    if (NamesMaker(topic)) return true;
    // "One where I can set the temperature for green tea" asks for no tea.
    const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
    const std::string before = " " + std::string(folded_.text().substr(0, name.begin));
    const bool is_purpose =
        name.found() && (before.ends_with(" for ") || before.ends_with(" fur ") ||
                         before.ends_with(" pour ") || before.ends_with(" para "));
    return is_purpose && is_unknown_type(*named_type_);
  }
  // "Show me the huggies in the same size" describes no need.
  if (!input_.schema_of) return false;
  const auto schema = input_.schema_of(topic, result_.language);
  const std::vector<std::string> words = TellingWords(folded_);
  return schema != nullptr && std::any_of(words.begin(), words.end(), [&](const auto& word) {
           return schema->words().IsMostlyMaker(word);
         });
}

void MessageReader::Finish() {
  if (lacks_maker_) result_.referenced_products.clear();
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
  } else if ((Says(Cue::kCompare) || compares_named_) && !result_.Has(Intent::kProductComparison)) {
    result_.intents.push_back(Intent::kProductComparison);
  }
  result_.search_text = CleanText(constraints_.search_text);
  if (result_.follows_up && last_ != nullptr) InheritTopic();
  InheritKey();
}

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

}  // namespace emptor::services
