// Word tables of forbidden claims.
#include "services/grounding/claim_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>

namespace emptor::services {
namespace {

using WordSet = std::unordered_set<std::string_view>;

const WordSet& LeadIns() {
  static const WordSet kSet = {
      "a",       "about",     "almost",   "an",      "and",     "approximately",
      "are",     "around",    "at",       "back",    "below",   "but",
      "by",      "come",      "comes",    "cost",    "costs",   "currently",
      "down",    "for",       "free",     "from",    "got",     "had",
      "half",    "has",       "have",     "having",  "hold",    "holds",
      "in",      "is",        "it",       "it's",    "its",     "just",
      "last",    "lasts",     "less",     "limited", "low",     "measures",
      "more",    "nearly",    "not",      "now",     "of",      "off",
      "offers",  "on",        "only",     "or",      "out",     "over",
      "per",     "price",     "priced",   "rated",   "rating",  "reach",
      "reaches", "ready",     "retails",  "roughly", "save",    "saves",
      "saving",  "score",     "scores",   "sell",    "selling", "sells",
      "sold",    "than",      "that",     "the",     "this",    "to",
      "under",   "up",        "was",      "weighs",  "were",    "with",
      "worth",   "available", "supplies", "their",   "they",    "there",
      "you",     "your",      "while",    "buy",     "get",     "still",
      "these",   "those",     "both",     "each",    "all",     "be",
      "can",     "will",      "also",     "有",      "缺",      "无",
      "售",      "现",        "断",       "仅",      "剩",      "库",
      "存",      "只",        "要",       "需",      "价",      "格",
      "为",      "是",        "约",       "评",      "分",      "好",
      "美",      "欧",        "日",       "英",      "人",      "民",
      "一",      "二",        "三",       "四",      "五",      "六",
      "七",      "八",        "九",       "十",      "百",      "千",
      "万",      "两",        "零",       "条",      "卖",      "售价",
      "块"};
  return kSet;
}

const std::unordered_map<std::string_view, int>& NumberWords() {
  static const std::unordered_map<std::string_view, int> kWords = {
      {"zero", 0},     {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},
      {"five", 5},     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},
      {"ten", 10},     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},
      {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},
      {"twenty", 20},  {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},
      {"seventy", 70}, {"eighty", 80},  {"ninety", 90},    {"hundred", 100}, {"thousand", 1000}};
  return kWords;
}

struct Phrase {
  DropRule rule;
  std::initializer_list<std::string_view> words;
};

using enum DropRule;
const Phrase kPhrases[] = {
    // Stock
    {kStock, {"in", "stock"}},
    {kStock, {"of", "stock"}},
    {kStock, {"sold", "out"}},
    {kStock, {"in-stock"}},
    {kStock, {"out-of-stock"}},
    {kStock, {"low", "stock"}},
    {kStock, {"limited", "stock"}},
    {kStock, {"on", "backorder"}},
    {kStock, {"backordered"}},
    {kStock, {"back-ordered"}},
    {kStock, {"backorder"}},
    {kStock, {"preorder"}},
    {kStock, {"pre-order"}},
    {kStock, {"#", "left"}},
    {kStock, {"#", "remaining"}},
    {kStock, {"#", "available"}},
    {kStock, {"#", "in", "store"}},
    {kStock, {"supplies", "last"}},
    {kStock, {"selling", "fast"}},
    {kStock, {"selling", "out"}},
    {kStock, {"unavailable"}},
    {kStock, {"currently", "available"}},
    {kStock, {"available", "now"}},
    {kStock, {"available", "today"}},
    {kStock, {"available", "again"}},
    {kStock, {"available", "immediately"}},
    {kStock, {"ready", "to", "ship"}},
    {kStock, {"有", "货"}},
    {kStock, {"缺", "货"}},
    {kStock, {"无", "货"}},
    {kStock, {"现", "货"}},
    {kStock, {"断", "货"}},
    {kStock, {"售", "罄"}},
    {kStock, {"仅", "剩"}},
    {kStock, {"库", "存"}},
    // Ratings
    {kRating, {"#", "star"}},
    {kRating, {"#", "stars"}},
    {kRating, {"#", "review"}},
    {kRating, {"#", "reviews"}},
    {kRating, {"#", "rating"}},
    {kRating, {"#", "ratings"}},
    {kRating, {"#", "customer", "reviews"}},
    {kRating, {"#", "out", "of", "#"}},
    {kRating, {"rated", "#"}},
    {kRating, {"rating", "of", "#"}},
    {kRating, {"score", "of", "#"}},
    {kRating, {"scores", "#"}},
    {kRating, {"rating", "is", "#"}},
    {kRating, {"five-star"}},
    {kRating, {"four-star"}},
    {kRating, {"#", "星"}},
    {kRating, {"评", "分", "#"}},
    {kRating, {"评", "分", "为", "#"}},
    {kRating, {"评", "分", "是", "#"}},
    {kRating, {"评", "分", "高"}},
    {kRating, {"好", "评"}},
    {kRating, {"条", "评"}},
    {kRating, {"#", "分"}},
    // Money
    {kMoney, {"dollar"}},
    {kMoney, {"dollars"}},
    {kMoney, {"euro"}},
    {kMoney, {"euros"}},
    {kMoney, {"buck"}},
    {kMoney, {"bucks"}},
    {kMoney, {"cent"}},
    {kMoney, {"cents"}},
    {kMoney, {"usd"}},
    {kMoney, {"eur"}},
    {kMoney, {"gbp"}},
    {kMoney, {"cny"}},
    {kMoney, {"rmb"}},
    {kMoney, {"jpy"}},
    {kMoney, {"inr"}},
    {kMoney, {"cad"}},
    {kMoney, {"aud"}},
    {kMoney, {"yuan"}},
    {kMoney, {"yen"}},
    {kMoney, {"rupees"}},
    {kMoney, {"rupee"}},
    {kMoney, {"quid"}},
    {kMoney, {"#", "off"}},
    {kMoney, {"half", "off"}},
    {kMoney, {"half", "price"}},
    {kMoney, {"half-price"}},
    {kMoney, {"#", "discount"}},
    {kMoney, {"#", "percent", "off"}},
    {kMoney, {"#", "cheaper"}},
    {kMoney, {"for", "free"}},
    {kMoney, {"free", "of", "charge"}},
    {kMoney, {"get", "one", "free"}},
    {kMoney, {"#", "元"}},
    {kMoney, {"美", "元"}},
    {kMoney, {"欧", "元"}},
    {kMoney, {"日", "元"}},
    {kMoney, {"英", "镑"}},
    {kMoney, {"人", "民", "币"}},
    {kMoney, {"块", "钱"}},
    {kMoney, {"#", "折"}},
    {kMoney, {"#", "块"}},
};

bool IsChineseNumeral(std::string_view word) {
  static const WordSet kNumerals = {"一", "二", "三", "四", "五", "六", "七", "八",
                                    "九", "十", "百", "千", "万", "两", "零", "半"};
  return kNumerals.count(word) != 0;
}

/// "#" stands for digits, number words and, before Chinese counters, Chinese numerals.
bool WordMatches(std::string_view pattern, const std::string& word) {
  if (pattern != kNumberWord) return pattern == word;
  return word == kNumberWord || !ParseNumberWord(word).empty() || IsChineseNumeral(word);
}

}  // namespace

bool IsLeadIn(std::string_view word) {
  // "I found nothing within": held until it is known what is denied.
  static const WordSet kDenials = {"i", "found", "find", "nothing", "none", "no", "within"};
  return LeadIns().count(word) != 0 || kDenials.count(word) != 0 || !ParseNumberWord(word).empty();
}

std::optional<DropRule> FindForbiddenPhrase(std::span<const std::string> words) {
  for (const Phrase& phrase : kPhrases) {
    const size_t length = phrase.words.size();
    if (words.size() < length) continue;
    const auto tail = words.last(length);
    if (std::equal(phrase.words.begin(), phrase.words.end(), tail.begin(), WordMatches)) {
      return phrase.rule;
    }
  }
  return std::nullopt;
}

std::optional<DropRule> FindForbiddenEnding(std::span<const std::string> words) {
  static const WordSet kBefore = {"is",     "are",  "not",  "still", "isn't", "aren't", "no",
                                  "longer", "it's", "also", "be",    "both",  "now"};
  if (words.size() < 2 || words.back() != "available") return std::nullopt;
  if (kBefore.count(words[words.size() - 2]) == 0) return std::nullopt;
  return DropRule::kStock;
}

std::string ParseNumberWord(std::string_view word) {
  const auto& numbers = NumberWords();
  if (const auto found = numbers.find(word); found != numbers.end()) {
    return std::to_string(found->second);
  }
  const size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos) return {};
  const auto tens = numbers.find(word.substr(0, hyphen));
  const auto ones = numbers.find(word.substr(hyphen + 1));
  if (tens == numbers.end() || ones == numbers.end()) return {};
  if (ones->second >= 100) return std::to_string(tens->second * ones->second);
  return std::to_string(tens->second + ones->second);
}

bool IsCommonProperWord(std::string_view word) {
  static const WordSet kSet = {
      "i",           "i'm",      "i've",      "i'd",       "i'll",     "monday",   "tuesday",
      "wednesday",   "thursday", "friday",    "saturday",  "sunday",   "january",  "february",
      "march",       "april",    "may",       "june",      "july",     "august",   "september",
      "october",     "november", "december",  "christmas", "easter",   "english",  "chinese",
      "german",      "french",   "italian",   "japanese",  "american", "european", "uk",
      "us",          "usa",      "eu",        "germany",   "france",   "italy",    "china",
      "japan",       "europe",   "bluetooth", "wi-fi",     "wifi",     "usb",      "usb-c",
      "hdmi",        "led",      "lcd",       "oled",      "hdr",      "tv",       "pc",
      "displayport", "ethernet", "nfc",       "gps",       "ram",      "ssd",      "cpu",
      "gpu",         "ips",      "va",        "qled",      "anc",      "ok",       "faq",
      "yes",         "no",       "sorry",     "please",    "thanks",   "welcome",  "note",
      "diy",         "bpa",      "uv",        "id",        "pdf",      "am",       "pm"};
  return kSet.count(word) != 0;
}

bool IsSentenceStarter(std::string_view word) {
  static const WordSet kSet = {"the",     "a",       "an",       "this",
                               "that",    "these",   "those",    "both",
                               "yes",     "no",      "our",      "your",
                               "you",     "it",      "if",       "for",
                               "with",    "in",      "on",       "at",
                               "from",    "try",     "consider", "choose",
                               "compare", "its",     "and",      "but",
                               "or",      "so",      "here",     "there",
                               "sorry",   "hello",   "hi",       "thanks",
                               "neither", "either",  "while",    "although",
                               "unlike",  "only",    "all",      "also",
                               "another", "pick",    "get",      "buy",
                               "see",     "check",   "go",       "take",
                               "however", "we",      "they",     "as",
                               "of",      "to",      "by",       "under",
                               "over",    "between", "compared", "like",
                               "among",   "since",   "because",  "when",
                               "one",     "two",     "then",     "not",
                               "is",      "are",     "does",     "do",
                               "can",     "have",    "has",      "my",
                               "any",     "each",    "every",    "which",
                               "what",    "where",   "who",      "how",
                               "why",     "maybe",   "perhaps",  "unfortunately",
                               "great",   "good",    "best",     "happy"};
  return kSet.count(word) != 0 || IsCommonProperWord(word);
}

bool IsNegation(std::string_view word) {
  static const WordSet kSet = {"not",     "no",       "cannot",  "can't",   "don't",
                               "doesn't", "couldn't", "isn't",   "aren't",  "never",
                               "none",    "without",  "neither", "nothing", "sorry",
                               "unable",  "didn't",   "没",      "不"};
  return kSet.count(word) != 0;
}

}  // namespace emptor::services
