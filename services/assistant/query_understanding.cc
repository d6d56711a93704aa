// Rules of understanding, mostly English and Chinese.
#include "services/assistant/query_understanding.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "retrieval/query/constraints.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/relaxation.h"
#include "retrieval/text/stop_words.h"
#include "services/grounding/relaxation_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using retrieval::HasAnyPhrase;
using retrieval::HasPhrase;
using retrieval::MatchesAt;
using retrieval::QueryToken;
using Tokens = std::vector<QueryToken>;

constexpr std::array<std::string_view, 11> kIntentNames = {
    "SIMPLE_PRODUCT_SEARCH", "INTENT_REFINEMENT", "PRODUCT_DETAILS", "PRODUCT_COMPARISON",
    "BEST_PRODUCT",          "DEALS_AND_COUPONS", "STORE_RELEVANT",  "RETAIL_SUPPORT",
    "ORDER_SUPPORT",         "CART_ACTION",       "SMALL_TALK"};

/// A message such as "16 GB?" has no language of its own: the conversation keeps the one it had.
std::string LanguageOf(const UnderstandingInput& input) {
  std::string language(DetectedLanguage(input.message));
  if (language.empty() && !input.turns.empty()) language = input.turns.back().language;
  return language.empty() ? "en" : language;
}

// ---- Intents

bool IsSmallTalk(const Tokens& tokens) {
  size_t words = 0;
  for (const QueryToken& token : tokens) words += token.kind != QueryToken::Kind::kPunctuation;
  if (words == 0) return true;
  if (words > 6) return false;
  static const std::unordered_set<std::string_view> kOnly = {
      "hello",   "hi",     "hey",     "there",   "thanks",    "thank",   "you",  "bye",
      "goodbye", "good",   "morning", "evening", "afternoon", "how",     "are",  "ok",
      "okay",    "great",  "cool",    "nice",    "much",      "so",      "very", "welcome",
      "see",     "later",  "today",   "doing",   "who",       "what",    "your", "name",
      "is",      "the",    "a",       "lot",     "everyone",  "again",   "and",  "for",
      "help",    "that's", "that",    "all",     "perfect",   "awesome", "yes",  "no",
      "sure",    "day",    "have",    "nothing", "else"};
  const bool only = std::all_of(tokens.begin(), tokens.end(), [](const QueryToken& token) {
    return token.kind == QueryToken::Kind::kPunctuation || kOnly.count(token.text) != 0;
  });
  return only || HasAnyPhrase(tokens, {"你 好", "您 好", "谢 谢", "再 见", "早 上 好",
                                       "who are you", "what can you do", "tell me a joke"});
}

void AddSupportIntents(const Tokens& tokens, std::vector<Intent>& intents) {
  if (HasAnyPhrase(tokens,
                   {"add to cart", "to my cart", "to the cart", "to my basket", "to the basket",
                    "my bag", "checkout", "check out", "buy it", "buy this", "order it",
                    "in den warenkorb", "加 入 购 物 车", "下 单"})) {
    intents.push_back(Intent::kCartAction);
  }
  if (HasAnyPhrase(tokens, {"my order", "my orders", "order status", "track my", "tracking number",
                            "my package", "my parcel", "my delivery", "my refund", "cancel order",
                            "order number", "我 的 订 单", "物 流", "快 递 单"})) {
    intents.push_back(Intent::kOrderSupport);
  }
  if (HasAnyPhrase(tokens,
                   {"return policy",  "returns",      "return it", "return an", "return a",
                    "i return",       "refund",       "refunds",   "exchange",  "shipping",
                    "ship to",        "ship",         "delivery",  "deliver",   "delivered",
                    "arrive",         "pay with",     "payment",   "paypal",    "warranty policy",
                    "warranty claim", "send it back", "send back", "gift wrap", "gift card",
                    "invoice",        "price match",  "退 货",     "退 款",     "换 货",
                    "运 费",          "发 货",        "配 送",     "付 款",     "支 付",
                    "保 修 政 策",    "发 票"})) {
    intents.push_back(Intent::kRetailSupport);
  }
  if (HasAnyPhrase(tokens, {"opening hours", "store hours", "your store", "your stores",
                            "your shop", "where are you", "located", "contact", "phone number",
                            "customer service", "talk to a human", "speak to", "email address",
                            "营 业 时 间", "门 店", "客 服", "地 址"})) {
    intents.push_back(Intent::kStoreRelevant);
  }
  if (HasAnyPhrase(tokens, {"coupon", "coupons", "promo code", "discount", "discounts", "voucher",
                            "deals", "deal", "on sale", "special offer", "special offers", "优 惠",
                            "折 扣", "促 销"})) {
    intents.push_back(Intent::kDealsAndCoupons);
  }
}

bool AsksForDetails(const Tokens& tokens) {
  if (tokens.empty()) return false;
  static const std::unordered_set<std::string_view> kFirst = {"is",   "are", "does", "do", "can",
                                                              "will", "has", "was",  "did"};
  const bool asks_store =
      MatchesAt(tokens, 0, {"do", "you"}) || MatchesAt(tokens, 0, {"are", "there"}) ||
      MatchesAt(tokens, 0, {"can", "you"}) || MatchesAt(tokens, 0, {"is", "there"}) ||
      MatchesAt(tokens, 0, {"can", "i"}) || MatchesAt(tokens, 0, {"do", "i"});
  if (kFirst.count(tokens[0].text) != 0 && !asks_store) return true;
  return HasAnyPhrase(
      tokens,
      {"how much is", "how much does", "how many",  "how heavy",     "how big",    "how long",
       "how loud",    "how tall",      "how wide",  "what is the",   "what's the", "whats the",
       "what color",  "what colour",   "what size", "what material", "made of",    "price of",
       "多 少 钱",    "多 大",         "多 重",     "是 什 么",      "吗"});
}

void AddProductIntents(const Tokens& tokens, bool points_back, std::vector<Intent>& intents) {
  if (HasAnyPhrase(tokens,
                   {"compare", "versus", "vs", "difference", "differences", "which is better",
                    "which one is better", "which is cheaper", "which one is cheaper",
                    "which is lighter", "which is quieter", "better rated", "better than",
                    "compared to", "对 比", "比 较", "区 别", "哪 个 好", "哪 款 好"})) {
    intents.push_back(Intent::kProductComparison);
  }
  if (HasAnyPhrase(tokens, {"best", "top", "recommend", "recommendation", "suggest", "cheapest",
                            "highest rated", "top rated", "which should i", "most popular", "推 荐",
                            "最 好", "最 便 宜"})) {
    intents.push_back(Intent::kBestProduct);
  }
  if (points_back || AsksForDetails(tokens)) intents.push_back(Intent::kProductDetails);
}

std::vector<Intent> FindIntents(const Tokens& tokens, bool points_back, bool refines) {
  if (!points_back && IsSmallTalk(tokens)) return {Intent::kSmallTalk};
  std::vector<Intent> intents;
  AddSupportIntents(tokens, intents);
  if (refines) intents.push_back(Intent::kIntentRefinement);
  AddProductIntents(tokens, points_back, intents);
  if (intents.empty()) intents.push_back(Intent::kSimpleProductSearch);
  return intents;
}

// ---- Follow-ups

/// "Not HP", "something without a lid", "4 stars and up": no search text is left.
bool SaysOnlyConditions(const retrieval::QueryConstraints& constraints) {
  if (constraints.filter.empty()) return false;
  static const std::unordered_set<std::string_view> kAnything = {
      "something", "anything", "one", "ones", "it", "them", "etwas", "algo"};
  const Tokens rest = retrieval::TokenizeQuery(constraints.search_text);
  return std::all_of(rest.begin(), rest.end(), [](const QueryToken& token) {
    return token.kind == QueryToken::Kind::kPunctuation || retrieval::IsStopWord(token.text) ||
           retrieval::IsRequestWord(token.text) || kAnything.count(token.text) != 0;
  });
}

/// A message that only changes the search before it: "cheaper", "in red", "what about glass?".
bool Refines(const Tokens& tokens, const UnderstandingInput& input,
             const retrieval::QueryConstraints& constraints) {
  if (input.turns.empty() || input.turns.back().search_text.empty()) return false;
  size_t words = 0;
  for (const QueryToken& token : tokens) words += token.kind != QueryToken::Kind::kPunctuation;
  if (words > 12) return false;
  if (ReadComparison(tokens, PointsBack(tokens))) return true;
  static const std::unordered_set<std::string_view> kFirst = {
      "and", "or", "but", "in", "with", "without", "only", "under", "below", "also", "just"};
  if (!tokens.empty() && kFirst.count(tokens[0].text) != 0) return true;
  if (HasAnyPhrase(
          tokens,
          {"anything in",    "something in", "any of those",  "any of these",       "any of them",
           "go back to",     "back to the",  "ones",          "zeig mir das ganze", "noch in",
           "et en",          "y en",         "und in",        "what about",         "how about",
           "instead",        "any other",    "anything else", "something else",     "other options",
           "show me more",   "more like",    "any in",        "one that",           "ones that",
           "one with",       "ones with",    "one in",        "bigger one",         "smaller one",
           "有 没 有 别 的", "还 有 吗",     "换 一 个"})) {
    return true;
  }
  return SaysOnlyConditions(constraints) || (constraints.filter.has_price() && words <= 5);
}

// ---- Filters

/// A follow-up keeps the conditions of the turn before unless it states that part itself.
/// Exclusions add up: "not Sony", then "no HP either".
void InheritFilter(const retrieval::Filter& before, retrieval::Filter& filter) {
  AppendNew(before.excluded_brands, filter.excluded_brands);
  AppendNew(before.excluded_categories, filter.excluded_categories);
  AppendNew(before.excluded_colors, filter.excluded_colors);
  AppendNew(before.excluded_terms, filter.excluded_terms);
  for (const retrieval::AttributeCondition& each : before.attributes) {
    const bool is_restated =
        std::any_of(filter.attributes.begin(), filter.attributes.end(),
                    [&](const auto& condition) { return condition.name == each.name; });
    if (!is_restated) filter.attributes.push_back(each);
  }
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<retrieval::FilterPart>(i);
    if (!HasPart(part, filter)) CopyPart(part, before, filter);
  }
}

// ---- Type of product

/// The type becomes a condition, where the shop has categories of it.
void ReadType(const UnderstandingInput& input, Understanding& result) {
  if (input.profile == nullptr || result.desk != DeskAct::kNone) return;
  if (result.asks_policy) return;
  result.type = FindProductType(input.message, result.language, *input.profile);
  // "Anything in cream" names a colour.
  for (const std::string& name : result.type ? result.type->words : std::vector<std::string>()) {
    if (!input.turns.empty() && HasPhrase(retrieval::TokenizeQuery(input.message), "in " + name)) {
      result.type.reset();
      break;
    }
  }
  if (result.type && result.filter.categories.empty()) {
    result.filter.categories = result.type->categories;
  }
}

/// A question without a subject: "how heavy?", "which has the longest battery". Gives what it is
/// about: all of the list for "which", else the product in focus.
std::vector<std::string> UnnamedSubject(const Tokens& tokens, const UnderstandingInput& input,
                                        const Understanding& result) {
  if (input.turns.empty() || result.asks_policy || tokens.empty()) return {};
  const ConversationTurn& last = input.turns.back();
  const bool asks_for_more = HasAnyPhrase(
      tokens, {"do you have", "do you sell", "do u have", "do u sell",    "have you got",
               "are there",   "is there",    "show me",   "any",          "anything",
               "haben sie",   "habt ihr",    "gibt es",   "avez vous",    "vous avez",
               "tienen",      "hay",         "venden",    "有 没 有",     "what about",
               "how about",   "was ist mit", "et en",     "which should", "recommend"});
  const bool names_type =
      result.type && result.type->is_whole && result.filter.categories != last.filter.categories;
  static const std::unordered_set<std::string_view> kFillers = {
      "and", "n", "ok", "okay", "so", "und", "et", "y", "gut", "also", "hm", "hmm", "well", "pues"};
  size_t first = 0;
  while (first + 1 < tokens.size() && (kFillers.count(tokens[first].text) != 0 ||
                                       tokens[first].kind == QueryToken::Kind::kPunctuation)) {
    ++first;
  }
  const std::string& start = tokens[first].text;
  static const std::unordered_set<std::string_view> kWhich = {
      "which",  "welche",   "welcher", "welches", "quel",  "quelle",
      "lequel", "laquelle", "cual",    "cuál",    "whats", "哪"};
  if (kWhich.count(start) != 0 && !asks_for_more &&
      (!names_type || HasAnyPhrase(tokens, {"one", "has"}))) {
    return last.listed_products.empty() ? last.shown_products : last.listed_products;
  }
  static const std::unordered_set<std::string_view> kDetail = {
      "how",   "what",  "does",  "is",     "do",     "can",     "has",     "will",    "would",
      "wie",   "was",   "hat",   "kann",   "ist",    "combien", "est",     "a",       "peut",
      "tiene", "es",    "puede", "cuanto", "cuánto", "cuánta",  "cuántas", "cuántos", "qué",
      "que",   "sirve", "多",    "能",     "可",     "是",      "它"};
  // "Dishwasher safe?" is a question, too.
  const bool is_fragment =
      tokens.size() <= 5 && input.message.ends_with('?') && !result.type && result.filter.empty();
  if ((kDetail.count(start) == 0 && !is_fragment) || asks_for_more || names_type) return {};
  if (!last.cited_products.empty()) return {last.cited_products.front()};
  if (!last.shown_products.empty()) return {last.shown_products.front()};
  return {};
}

/// "And a tent for one person" after kettles is a search of its own.
bool NamesAnotherType(const UnderstandingInput& input, const Understanding& result) {
  if (!result.type || input.turns.empty()) return false;
  const retrieval::Filter& before = input.turns.back().filter;
  return result.type->is_whole && before.categories != result.filter.categories;
}

}  // namespace

std::string_view ToString(Intent intent) { return kIntentNames[static_cast<size_t>(intent)]; }

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
  return !about_store || about_product;
}

Understanding Understand(const UnderstandingInput& raw) {
  UnderstandingInput input = raw;
  input.message = CleanText(raw.message);
  const Tokens tokens = retrieval::TokenizeQuery(input.message);
  Understanding result;
  result.language = LanguageOf(input);
  result.desk = ReadDeskAct(input.message);
  result.asks_policy = result.desk == DeskAct::kPolicy;
  if (result.asks_policy) result.desk = DeskAct::kNone;
  const retrieval::QueryConstraints constraints =
      ReadConstraints(tokens, input.message, input.vocabulary);
  result.filter = constraints.filter;
  result.budget = constraints.budget;

  result.referenced_products = FindReferences(tokens, input.turns, input.page_product_id);
  result.comparison = ReadComparison(tokens, PointsBack(tokens));
  ReadType(input, result);
  result.follows_up = !NamesAnotherType(input, result) && Refines(tokens, input, constraints);
  if (result.referenced_products.empty() && !result.follows_up && !result.comparison &&
      result.desk == DeskAct::kNone) {
    result.referenced_products = UnnamedSubject(tokens, input, result);
    if (!result.referenced_products.empty()) result.type.reset();
  }
  if (result.asks_policy) {
    result.follows_up = false;
    result.comparison.reset();
    result.referenced_products.clear();
  }
  const bool points_back = !result.referenced_products.empty();
  result.intents = FindIntents(tokens, points_back, result.follows_up);
  if (result.asks_policy) result.intents.insert(result.intents.begin(), Intent::kRetailSupport);
  result.search_text = CleanText(constraints.search_text);
  if (result.follows_up && !input.turns.empty()) {
    const ConversationTurn& last = input.turns.back();
    result.search_text = CleanText(last.search_text + " " + result.search_text);
    InheritFilter(last.filter, result.filter);
    const bool is_dearer = result.comparison && result.comparison->wants_more &&
                           result.comparison->aspect == Comparison::Aspect::kPrice;
    // A request for more expensive products drops the bound of the previous turn.
    if (is_dearer && !constraints.filter.max_price) result.filter.max_price.reset();
    if (result.comparison && result.referenced_products.empty()) {
      AppendNew(last.cited_products.empty() ? last.shown_products : last.cited_products,
                result.referenced_products);
    }
  }
  return result;
}

}  // namespace emptor::services
