// Intents by the phrases of a message.
#include "services/assistant/reading/intents.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using retrieval::HasAnyPhrase;
using retrieval::MatchesAt;
using retrieval::QueryToken;
using Tokens = std::vector<QueryToken>;

constexpr std::array<std::string_view, 11> kIntentNames = {
    "SIMPLE_PRODUCT_SEARCH", "INTENT_REFINEMENT", "PRODUCT_DETAILS", "PRODUCT_COMPARISON",
    "BEST_PRODUCT",          "DEALS_AND_COUPONS", "STORE_RELEVANT",  "RETAIL_SUPPORT",
    "ORDER_SUPPORT",         "CART_ACTION",       "SMALL_TALK"};

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
  if (HasCue(FoldedOf(tokens), Cue::kCart)) intents.push_back(Intent::kCartAction);
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

}  // namespace

std::string_view ToString(Intent intent) { return kIntentNames[static_cast<size_t>(intent)]; }

std::vector<Intent> FindIntents(const Tokens& tokens, bool points_back, bool refines) {
  if (!points_back && IsSmallTalk(tokens)) return {Intent::kSmallTalk};
  std::vector<Intent> intents;
  AddSupportIntents(tokens, intents);
  if (refines) intents.push_back(Intent::kIntentRefinement);
  AddProductIntents(tokens, points_back, intents);
  if (intents.empty()) intents.push_back(Intent::kSimpleProductSearch);
  return intents;
}

}  // namespace emptor::services
