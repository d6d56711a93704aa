// Rules of understanding, mostly English and Chinese.
#include "services/assistant/query_understanding.h"

#include <algorithm>
#include <array>
#include <initializer_list>
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

using retrieval::HasPhrase;
using retrieval::MatchesAt;
using retrieval::QueryToken;
using Tokens = std::vector<QueryToken>;
using Phrases = std::initializer_list<std::string_view>;

constexpr std::array<std::string_view, 11> kIntentNames = {
    "SIMPLE_PRODUCT_SEARCH", "INTENT_REFINEMENT", "PRODUCT_DETAILS", "PRODUCT_COMPARISON",
    "BEST_PRODUCT",          "DEALS_AND_COUPONS", "STORE_RELEVANT",  "RETAIL_SUPPORT",
    "ORDER_SUPPORT",         "CART_ACTION",       "SMALL_TALK"};

bool HasAny(const Tokens& tokens, Phrases phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return HasPhrase(tokens, phrase); });
}

bool IsChinese(const Tokens& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const QueryToken& token) {
    return token.kind == QueryToken::Kind::kIdeograph;
  });
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
  return only || HasAny(tokens, {"你 好", "您 好", "谢 谢", "再 见", "早 上 好", "who are you",
                                 "what can you do", "tell me a joke"});
}

void AddSupportIntents(const Tokens& tokens, std::vector<Intent>& intents) {
  if (HasAny(tokens, {"add to cart", "to my cart", "to the cart", "to my basket", "to the basket",
                      "my bag", "checkout", "check out", "buy it", "buy this", "order it",
                      "in den warenkorb", "加 入 购 物 车", "下 单"})) {
    intents.push_back(Intent::kCartAction);
  }
  if (HasAny(tokens, {"my order", "my orders", "order status", "track my", "tracking number",
                      "my package", "my parcel", "my delivery", "my refund", "cancel order",
                      "order number", "我 的 订 单", "物 流", "快 递 单"})) {
    intents.push_back(Intent::kOrderSupport);
  }
  if (HasAny(tokens, {"return policy",  "returns",      "return it", "return an", "return a",
                      "i return",       "refund",       "refunds",   "exchange",  "shipping",
                      "ship to",        "ship",         "delivery",  "deliver",   "delivered",
                      "arrive",         "pay with",     "payment",   "paypal",    "warranty policy",
                      "warranty claim", "send it back", "send back", "gift wrap", "gift card",
                      "invoice",        "price match",  "退 货",     "退 款",     "换 货",
                      "运 费",          "发 货",        "配 送",     "付 款",     "支 付",
                      "保 修 政 策",    "发 票"})) {
    intents.push_back(Intent::kRetailSupport);
  }
  if (HasAny(tokens, {"opening hours", "store hours", "your store", "your stores", "your shop",
                      "where are you", "located", "contact", "phone number", "customer service",
                      "talk to a human", "speak to", "email address", "营 业 时 间", "门 店",
                      "客 服", "地 址"})) {
    intents.push_back(Intent::kStoreRelevant);
  }
  if (HasAny(tokens,
             {"coupon", "coupons", "promo code", "discount", "discounts", "voucher", "deals",
              "deal", "on sale", "special offer", "special offers", "优 惠", "折 扣", "促 销"})) {
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
  return HasAny(
      tokens,
      {"how much is", "how much does", "how many",  "how heavy",     "how big",    "how long",
       "how loud",    "how tall",      "how wide",  "what is the",   "what's the", "whats the",
       "what color",  "what colour",   "what size", "what material", "made of",    "price of",
       "多 少 钱",    "多 大",         "多 重",     "是 什 么",      "吗"});
}

void AddProductIntents(const Tokens& tokens, bool points_back, std::vector<Intent>& intents) {
  if (HasAny(tokens, {"compare", "versus", "vs", "difference", "differences", "which is better",
                      "which one is better", "which is cheaper", "which one is cheaper",
                      "which is lighter", "which is quieter", "better rated", "better than",
                      "compared to", "对 比", "比 较", "区 别", "哪 个 好", "哪 款 好"})) {
    intents.push_back(Intent::kProductComparison);
  }
  if (HasAny(tokens,
             {"best", "top", "recommend", "recommendation", "suggest", "cheapest", "highest rated",
              "top rated", "which should i", "most popular", "推 荐", "最 好", "最 便 宜"})) {
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

// ---- References to earlier turns

/// "the" of "the first", in the languages of kPlaces.
bool IsDeterminer(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords = {
      "the", "that", "der", "die", "das", "dem", "den", "le", "la", "au", "du", "el", "al", "del"};
  return kWords.count(word) != 0;
}

/// 1 for "the first one", 2 for "second", -1 for "last"; 0 when no place is named.
int ReadOrdinal(const Tokens& tokens) {
  constexpr std::array<std::pair<std::string_view, int>, 37> kPlaces = {
      {{"erste", 1},    {"ersten", 1},   {"erstes", 1},    {"zweite", 2},   {"zweiten", 2},
       {"dritte", 3},   {"dritten", 3},  {"letzte", -1},   {"letzten", -1}, {"premier", 1},
       {"première", 1}, {"deuxième", 2}, {"troisième", 3}, {"dernier", -1}, {"dernière", -1},
       {"primero", 1},  {"primera", 1},  {"segundo", 2},   {"segunda", 2},  {"tercero", 3},
       {"tercera", 3},  {"último", -1},  {"última", -1},   {"first", 1},    {"1st", 1},
       {"second", 2},   {"2nd", 2},      {"third", 3},     {"3rd", 3},      {"fourth", 4},
       {"4th", 4},      {"fifth", 5},    {"5th", 5},       {"sixth", 6},    {"6th", 6},
       {"last", -1},    {"former", 1}}};
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (const auto& [word, place] : kPlaces) {
      if (tokens[i].text != word) continue;
      const bool named = (i > 0 && IsDeterminer(tokens[i - 1].text)) ||
                         (i + 1 < tokens.size() && tokens[i + 1].text == "one");
      if (named) return place;
    }
    if (MatchesAt(tokens, i, {"number"}) || MatchesAt(tokens, i, {"#"})) {
      if (i + 1 < tokens.size() && tokens[i + 1].text.size() == 1 && tokens[i + 1].text[0] >= '1' &&
          tokens[i + 1].text[0] <= '6') {
        return tokens[i + 1].text[0] - '0';
      }
    }
    constexpr std::array<std::string_view, 6> kNumerals = {"一", "二", "三", "四", "五", "六"};
    if (i + 2 < tokens.size() && tokens[i].text.size() == 1 && tokens[i].text[0] >= '1' &&
        tokens[i].text[0] <= '6' && MatchesAt(tokens, i + 1, {"つ", "目"})) {
      return tokens[i].text[0] - '0';
    }
    if (tokens[i].text == "第" && i + 1 < tokens.size()) {
      for (size_t n = 0; n < kNumerals.size(); ++n) {
        if (tokens[i + 1].text == kNumerals[n]) return static_cast<int>(n) + 1;
      }
    }
  }
  return 0;
}

bool PointsAtOne(const Tokens& tokens) {
  if (HasAny(tokens, {"is it possible", "it possible"})) return false;
  return HasAny(tokens, {"it", "its", "this", "this one", "that one", "this product", "它", "这 个",
                         "这 款", "那 个", "那 款"});
}

bool PointsAtSeveral(const Tokens& tokens) {
  return HasAny(tokens, {"both", "them", "these", "those", "the two", "each of them", "the cheaper",
                         "the cheapest one", "which one", "which of", "它 们", "这 些", "两 个",
                         "两 款", "哪 个", "哪 款"});
}

void Append(const std::vector<std::string>& ids, std::vector<std::string>& out) {
  for (const std::string& id : ids) {
    if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
  }
}

std::vector<std::string> FindReferences(const Tokens& tokens, const UnderstandingInput& input) {
  std::vector<std::string> found;
  const ConversationTurn* last = input.turns.empty() ? nullptr : &input.turns.back();
  if (last != nullptr) {
    const int place = ReadOrdinal(tokens);
    const int count = static_cast<int>(last->shown_products.size());
    const int index = place < 0 ? count - 1 : place - 1;
    if (place != 0 && index >= 0 && index < count) {
      found.push_back(last->shown_products[static_cast<size_t>(index)]);
      return found;
    }
    if (PointsAtSeveral(tokens)) {
      Append(last->cited_products, found);
      if (found.size() < 2) Append(last->shown_products, found);
      if (found.size() > 3) found.resize(3);
      return found;
    }
  }
  if (!PointsAtOne(tokens)) return found;
  if (!input.page_product_id.empty()) {
    found.push_back(input.page_product_id);
  } else if (last != nullptr && !last->cited_products.empty()) {
    found.push_back(last->cited_products.front());
  } else if (last != nullptr && !last->shown_products.empty()) {
    found.push_back(last->shown_products.front());
  }
  return found;
}

/// "Cheaper than the first one" points at a product, "cheaper than $50" does not.
bool PointsBack(const Tokens& tokens) {
  return ReadOrdinal(tokens) != 0 || PointsAtOne(tokens) || PointsAtSeveral(tokens);
}

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
  if (HasAny(tokens,
             {"what about",     "how about",     "instead",        "any other", "anything else",
              "something else", "other options", "show me more",   "more like", "any in",
              "one that",       "ones that",     "one with",       "ones with", "one in",
              "bigger one",     "smaller one",   "有 没 有 别 的", "还 有 吗",  "换 一 个"})) {
    return true;
  }
  return SaysOnlyConditions(constraints) || (constraints.filter.has_price() && words <= 5);
}

// ---- Filters

/// A follow-up keeps the conditions of the turn before unless it states that part itself.
/// Exclusions add up: "not Sony", then "no HP either".
void InheritFilter(const retrieval::Filter& before, retrieval::Filter& filter) {
  Append(before.excluded_brands, filter.excluded_brands);
  Append(before.excluded_categories, filter.excluded_categories);
  Append(before.excluded_colors, filter.excluded_colors);
  Append(before.excluded_terms, filter.excluded_terms);
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<retrieval::FilterPart>(i);
    if (!HasPart(part, filter)) CopyPart(part, before, filter);
  }
}

}  // namespace

std::string_view ToString(Intent intent) { return kIntentNames[static_cast<size_t>(intent)]; }

bool Understanding::Has(Intent intent) const {
  return std::find(intents.begin(), intents.end(), intent) != intents.end();
}

bool Understanding::needs_products() const {
  if (Has(Intent::kSmallTalk)) return false;
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
  result.language = IsChinese(tokens) ? LanguageOfWords(input.message) : "en";
  const retrieval::QueryConstraints constraints =
      ReadConstraints(tokens, input.message, input.vocabulary);
  result.filter = constraints.filter;
  result.budget = constraints.budget;

  result.referenced_products = FindReferences(tokens, input);
  result.comparison = ReadComparison(tokens, PointsBack(tokens));
  result.follows_up = Refines(tokens, input, constraints);
  const bool points_back = !result.referenced_products.empty();
  result.intents = FindIntents(tokens, points_back, result.follows_up);
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
      Append(last.cited_products.empty() ? last.shown_products : last.cited_products,
             result.referenced_products);
    }
  }
  return result;
}

}  // namespace emptor::services
