// Currencies by sign and word, and numbers by digits and word.
#include "retrieval/query/amount_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/text/colors.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;
using Tokens = std::vector<QueryToken>;

/// "$" means the shop's own dollar, "¥" its yuan or yen.
std::string CurrencyOfSign(std::string_view sign, std::string_view shop_currency) {
  const auto shop_if = [&](std::initializer_list<std::string_view> family, const char* otherwise) {
    const bool in_family = std::find(family.begin(), family.end(), shop_currency) != family.end();
    return in_family ? std::string(shop_currency) : std::string(otherwise);
  };
  if (sign == "$") return shop_if({"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"}, "USD");
  if (sign == "€") return "EUR";
  if (sign == "£") return "GBP";
  if (sign == "¥") return shop_if({"CNY", "JPY"}, "CNY");
  if (sign == "₹") return "INR";
  return {};
}

std::string CurrencyOfWord(std::string_view word, std::string_view shop_currency) {
  if (word == "dollars" || word == "dollar" || word == "bucks" || word == "dólares" ||
      word == "dolares") {
    return CurrencyOfSign("$", shop_currency);
  }
  // A pound is a weight as well: money only in a shop that takes it.
  if ((word == "pounds" || word == "pound") && shop_currency == "GBP") return "GBP";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kWords = {{
      {"usd", "USD"},  {"eur", "EUR"}, {"euro", "EUR"},   {"euros", "EUR"}, {"gbp", "GBP"},
      {"quid", "GBP"}, {"cny", "CNY"}, {"rmb", "CNY"},    {"yuan", "CNY"},  {"元", "CNY"},
      {"块", "CNY"},   {"円", "JPY"},  {"yen", "JPY"},    {"jpy", "JPY"},   {"cad", "CAD"},
      {"aud", "AUD"},  {"inr", "INR"}, {"rupees", "INR"}, {"chf", "CHF"},   {"franken", "CHF"},
  }};
  for (const auto& [name, code] : kWords) {
    if (name == word) return std::string(code);
  }
  return {};
}

double SmallNumber(std::string_view word) {
  static const std::unordered_map<std::string_view, double> kNumbers = {
      {"one", 1},        {"two", 2},        {"three", 3},       {"four", 4},     {"five", 5},
      {"six", 6},        {"seven", 7},      {"eight", 8},       {"nine", 9},     {"ten", 10},
      {"twelve", 12},    {"fifteen", 15},   {"twenty", 20},     {"thirty", 30},  {"forty", 40},
      {"fifty", 50},     {"sixty", 60},     {"seventy", 70},    {"eighty", 80},  {"ninety", 90},
      {"a", 1},          {"hundred", 100},  {"thousand", 1000}, {"fünfzig", 50}, {"hundert", 100},
      {"tausend", 1000}, {"cinquante", 50}, {"cent", 100},      {"mille", 1000}, {"cincuenta", 50},
      {"cien", 100},     {"mil", 1000}};
  const auto found = kNumbers.find(word);
  return found == kNumbers.end() ? 0 : found->second;
}

/// "一" of "一千": only before a multiplier, since it also begins "一个".
double HanDigit(std::string_view word) {
  constexpr std::array<std::string_view, 9> kDigits = {"一", "二", "三", "四", "五",
                                                       "六", "七", "八", "九"};
  const auto found = std::find(kDigits.begin(), kDigits.end(), word);
  if (word == "两") return 2;
  return found == kDigits.end() ? 0 : static_cast<double>(found - kDigits.begin() + 1);
}

double Multiplier(std::string_view word) {
  if (word == "hundred" || word == "百") return 100;
  if (word == "thousand" || word == "grand" || word == "k" || word == "千" || word == "mil" ||
      word == "tausend") {
    return 1000;
  }
  return word == "万" ? 10000 : 0;
}

/// The digits of "1.000", which is a thousand: no amount has three decimals.
std::string WithoutGrouping(const std::string& number) {
  const size_t point = number.find('.');
  if (point == 0 || point > 3 || number.size() != point + 4 || number[0] == '0') return number;
  return number.substr(0, point) + number.substr(point + 1);
}

bool IsDigits(const QueryToken& token, size_t least, size_t most) {
  return token.kind == Kind::kNumber && token.text.size() >= least && token.text.size() <= most &&
         token.text.find('.') == std::string::npos;
}

/// Where the groups of "1 000 000 euros" end; `at` itself where no currency follows them.
size_t EndOfGroups(const Tokens& tokens, size_t at) {
  constexpr size_t kWidestBlank = 3;  // bytes of U+202F
  if (!IsDigits(tokens[at], 1, 3)) return at;
  size_t end = at + 1;
  while (end < tokens.size() && IsDigits(tokens[end], 3, 3) &&
         tokens[end].begin - tokens[end - 1].end <= kWidestBlank) {
    ++end;
  }
  const bool grouped = end > at + 1 && end < tokens.size();
  const bool of_money = grouped && (tokens[end].kind == Kind::kCurrency ||
                                    !CurrencyOfWord(tokens[end].text, "").empty());
  return of_money ? end : at;
}

/// Reads "300", "2 hundred", "two thousand" and moves `at` behind it. 0: no number.
double ReadNumber(const Tokens& tokens, size_t& at) {
  double value = 0;
  if (at >= tokens.size()) return 0;
  if (tokens[at].kind == Kind::kNumber) {
    std::string digits = WithoutGrouping(tokens[at].text);
    for (const size_t end = EndOfGroups(tokens, at); at + 1 < end; ++at) {
      digits += tokens[at + 1].text;
    }
    value = std::strtod(digits.c_str(), nullptr);
  } else {
    value = SmallNumber(tokens[at].text);
    const bool article = tokens[at].text == "a";
    if (at + 1 < tokens.size() && Multiplier(tokens[at + 1].text) != 0) {
      value = std::max(value, HanDigit(tokens[at].text));
    }
    if (article && (at + 1 >= tokens.size() || Multiplier(tokens[at + 1].text) == 0)) return 0;
  }
  if (value == 0 && tokens[at].kind != Kind::kNumber) return 0;
  ++at;
  if (at < tokens.size()) {
    if (const double times = Multiplier(tokens[at].text); times != 0) {
      value *= times;
      ++at;
    }
  }
  return value;
}

/// Reads the currency behind an amount and moves `at` behind it.
std::string ReadCurrencyBehind(const Tokens& tokens, size_t& at, std::string_view shop_currency) {
  if (at >= tokens.size()) return {};
  for (const auto& [first, code] : std::initializer_list<std::pair<const char*, const char*>>{
           {"美", "USD"}, {"欧", "EUR"}, {"日", "JPY"}}) {
    if (!MatchesAt(tokens, at, {first, "元"})) continue;
    at += 2;
    return code;
  }
  if (tokens[at].kind == Kind::kCurrency) return CurrencyOfSign(tokens[at++].text, shop_currency);
  std::string code = CurrencyOfWord(tokens[at].text, shop_currency);
  if (code.empty()) return {};
  ++at;
  if (at < tokens.size() && tokens[at].text == "钱") ++at;
  return code;
}

}  // namespace

std::optional<Amount> ReadAmount(const Tokens& tokens, size_t at, std::string_view shop_currency) {
  Amount amount;
  if (at < tokens.size() && tokens[at].kind == Kind::kCurrency) {
    amount.currency = CurrencyOfSign(tokens[at].text, shop_currency);
    ++at;
  } else if (at + 1 < tokens.size() && tokens[at + 1].kind == Kind::kNumber) {
    amount.currency = CurrencyOfWord(tokens[at].text, shop_currency);
    if (!amount.currency.empty()) ++at;
  }
  const size_t before = at;
  amount.value = ReadNumber(tokens, at);
  if (at == before) return std::nullopt;
  if (amount.currency.empty()) amount.currency = ReadCurrencyBehind(tokens, at, shop_currency);
  amount.end = at;
  return amount;
}

bool NothingMeasuredAt(const Tokens& tokens, size_t at) {
  if (at >= tokens.size() || tokens[at].kind == Kind::kPunctuation) {
    return at >= tokens.size() || (tokens[at].text != "\"" && tokens[at].text != "%" &&
                                   tokens[at].text != "/" && tokens[at].text != "″");
  }
  static const std::unordered_set<std::string_view> kSmall = {
      "with",      "and",      "for",     "that",   "please", "or",          "but",     "which",
      "to",        "if",       "is",      "only",   "total",  "max",         "maximum", "including",
      "incl",      "without",  "from",    "by",     "who",    "not",         "no",      "except",
      "excluding", "in-stock", "any",     "thats",  "that's", "refurbished", "used",    "available",
      "und",       "mit",      "für",     "ohne",   "oder",   "aber",        "nicht",   "kein",
      "keine",     "auf",      "außer",   "ausser", "et",     "avec",        "pour",    "sans",
      "ou",        "mais",     "pas",     "sauf",   "y",      "con",         "para",    "sin",
      "o",         "pero",     "excepto", "以",     "的",     "左",          "之",      "到",
      "至",        "不"};
  if (MatchesAt(tokens, at, {"in", "stock"}) || MatchesAt(tokens, at, {"en", "stock"})) return true;
  return kSmall.count(tokens[at].text) != 0 || !FindColor(tokens[at].text).empty();
}

}  // namespace emptor::retrieval
