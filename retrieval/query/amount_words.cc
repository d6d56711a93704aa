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
#include "retrieval/text/measure.h"

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

/// The letters before "US$50", "C$50": whose dollar it is.
std::string_view DollarOf(std::string_view letters) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kDollars = {
      {{"us", "USD"},
       {"ca", "CAD"},
       {"c", "CAD"},
       {"au", "AUD"},
       {"a", "AUD"},
       {"nz", "NZD"},
       {"hk", "HKD"},
       {"s", "SGD"},
       {"mx", "MXN"},
       {"usd", "USD"}}};
  const auto found = std::find_if(kDollars.begin(), kDollars.end(),
                                  [&](const auto& dollar) { return dollar.first == letters; });
  return found == kDollars.end() ? std::string_view() : found->second;
}

std::string CurrencyOfWord(std::string_view word, std::string_view shop_currency) {
  if (word == "dollars" || word == "dollar" || word == "bucks" || word == "dólares" ||
      word == "dolares" || word == "dolar" || word == "dólar" || word == "pavos") {
    return CurrencyOfSign("$", shop_currency);
  }
  // A pound is also a weight, "RS 232" a connector: money only in a shop with that currency.
  if ((word == "pounds" || word == "pound") && shop_currency == "GBP") return "GBP";
  const bool rupees = word == "rs" || word == "re" || word == "rupee" || word == "rupees" ||
                      word == "rupien" || word == "roupie" || word == "roupies" ||
                      word == "rupia" || word == "rupias";
  constexpr std::array<std::string_view, 4> kRupees = {"INR", "LKR", "NPR", "PKR"};
  if (rupees && std::find(kRupees.begin(), kRupees.end(), shop_currency) != kRupees.end()) {
    return std::string(shop_currency);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kWords = {{
      {"usd", "USD"},  {"eur", "EUR"}, {"euro", "EUR"}, {"euros", "EUR"},   {"gbp", "GBP"},
      {"quid", "GBP"}, {"cny", "CNY"}, {"rmb", "CNY"},  {"yuan", "CNY"},    {"元", "CNY"},
      {"块", "CNY"},   {"円", "JPY"},  {"yen", "JPY"},  {"jpy", "JPY"},     {"cad", "CAD"},
      {"aud", "AUD"},  {"inr", "INR"}, {"chf", "CHF"},  {"franken", "CHF"},
  }};
  for (const auto& [name, code] : kWords) {
    if (name == word) return std::string(code);
  }
  return {};
}

double SmallNumber(std::string_view word) {
  static const std::unordered_map<std::string_view, double> kNumbers = {
      {"one", 1},           {"two", 2},           {"three", 3},
      {"four", 4},          {"five", 5},          {"six", 6},
      {"seven", 7},         {"eight", 8},         {"nine", 9},
      {"ten", 10},          {"twelve", 12},       {"fifteen", 15},
      {"twenty", 20},       {"thirty", 30},       {"forty", 40},
      {"fifty", 50},        {"sixty", 60},        {"seventy", 70},
      {"eighty", 80},       {"ninety", 90},       {"a", 1},
      {"hundred", 100},     {"thousand", 1000},   {"fünfzig", 50},
      {"hundert", 100},     {"tausend", 1000},    {"cinquante", 50},
      {"cent", 100},        {"mille", 1000},      {"cincuenta", 50},
      {"cien", 100},        {"mil", 1000},        {"zwanzig", 20},
      {"dreißig", 30},      {"dreissig", 30},     {"vierzig", 40},
      {"sechzig", 60},      {"siebzig", 70},      {"achtzig", 80},
      {"neunzig", 90},      {"zweihundert", 200}, {"dreihundert", 300},
      {"vierhundert", 400}, {"fünfhundert", 500}, {"sechshundert", 600},
      {"achthundert", 800}, {"eintausend", 1000}, {"zweitausend", 2000},
      {"vingt", 20},        {"trente", 30},       {"quarante", 40},
      {"soixante", 60},     {"veinte", 20},       {"treinta", 30},
      {"cuarenta", 40},     {"sesenta", 60},      {"setenta", 70},
      {"ochenta", 80},      {"noventa", 90},      {"ciento", 100},
      {"doscientos", 200},  {"trescientos", 300}, {"cuatrocientos", 400},
      {"quinientos", 500},  {"seiscientos", 600}, {"ochocientos", 800}};
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
  if (word == "十") return 10;
  if (word == "hundred" || word == "百") return 100;
  if (word == "thousand" || word == "grand" || word == "k" || word == "千" || word == "mil" ||
      word == "tausend") {
    return 1000;
  }
  if (word == "lakh" || word == "lakhs" || word == "lac") return 1e5;
  return word == "万" ? 1e4 : 0;
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

/// "300", "2 hundred", "二千": a number, or one with a multiplier behind it.
struct Term {
  double value = 0;  // multiplied
  double multiplier = 1;
  size_t end = 0;
};

std::optional<Term> ReadTerm(const Tokens& tokens, size_t at) {
  if (at >= tokens.size()) return std::nullopt;
  const auto multiplier_at = [&](size_t i) {
    return i < tokens.size() ? Multiplier(tokens[i].text) : 0;
  };
  Term term;
  if (tokens[at].kind == Kind::kNumber) {
    std::string digits = WithoutGrouping(tokens[at].text);
    for (const size_t end = EndOfGroups(tokens, at); at + 1 < end; ++at) {
      digits += tokens[at + 1].text;
    }
    term.value = std::strtod(digits.c_str(), nullptr);
  } else {
    term.value = SmallNumber(tokens[at].text);
    const bool times = multiplier_at(at + 1) != 0;
    if (times) term.value = std::max(term.value, HanDigit(tokens[at].text));
    if (term.value == 0 || (tokens[at].text == "a" && !times)) return std::nullopt;
  }
  term.end = at + 1;
  if (const double times = multiplier_at(term.end); times != 0) {
    term.value *= times;
    term.multiplier = times;
    ++term.end;
  }
  return term;
}

/// "五" of "一千五", which is 1,500: tenths of the multiplier; but "一" of "三百一个" counts.
double HanTenths(const Tokens& tokens, size_t at, double multiplier) {
  if (multiplier < 100 || at >= tokens.size() || tokens[at - 1].kind != Kind::kIdeograph) return 0;
  constexpr std::array<std::string_view, 8> kCounters = {"个", "款", "台", "件",
                                                         "只", "双", "条", "部"};
  const bool counts = at + 1 < tokens.size() && std::find(kCounters.begin(), kCounters.end(),
                                                          tokens[at + 1].text) != kCounters.end();
  return counts ? 0 : HanDigit(tokens[at].text) * multiplier / 10;
}

/// Reads "300", "two thousand five hundred", "1万5千", "1万5000", "一千五" and moves `at` behind
/// it. 0: no number.
double ReadNumber(const Tokens& tokens, size_t& at) {
  auto term = ReadTerm(tokens, at);
  if (!term) return 0;
  double value = term->value;
  at = term->end;
  while (const auto next = ReadTerm(tokens, at)) {
    const bool goes_on = next->multiplier > 1 ? next->multiplier < term->multiplier
                                              : tokens[at - 1].text == "万" && next->value < 1e4;
    if (!goes_on) break;
    value += next->value;
    at = next->end;
    term = next;
  }
  if (const double tenths = HanTenths(tokens, at, term->multiplier); tenths > 0) {
    value += tenths;
    ++at;
  }
  return value;
}

/// Reads the currency behind an amount and moves `at` behind it.
std::string ReadCurrencyBehind(const Tokens& tokens, size_t& at, std::string_view shop_currency) {
  if (at >= tokens.size()) return {};
  struct Name {
    std::initializer_list<std::string_view> characters;
    std::string_view code;
  };
  static const std::initializer_list<Name> kNames = {
      {{"美", "元"}, "USD"},      {{"美", "金"}, "USD"}, {{"欧", "元"}, "EUR"},
      {{"日", "元"}, "JPY"},      {{"英", "镑"}, "GBP"}, {{"港", "币"}, "HKD"},
      {{"卢", "比"}, "INR"},      {{"ド", "ル"}, "USD"}, {{"ユ", "ー", "ロ"}, "EUR"},
      {{"ポ", "ン", "ド"}, "GBP"}};
  for (const auto& [characters, code] : kNames) {
    if (!MatchesAt(tokens, at, characters)) continue;
    at += characters.size();
    return code == "USD" ? CurrencyOfSign("$", shop_currency) : std::string(code);
  }
  if (tokens[at].kind == Kind::kCurrency) return CurrencyOfSign(tokens[at++].text, shop_currency);
  std::string code = CurrencyOfWord(tokens[at].text, shop_currency);
  if (code.empty()) return {};
  ++at;
  if (at < tokens.size() && tokens[at].text == "钱") ++at;
  return code;
}

/// Reads "$", "US$", "EUR", "Rs." before a number and moves `at` to the number.
std::string ReadCurrencyBefore(const Tokens& tokens, size_t& at, std::string_view shop_currency) {
  if (tokens[at].kind == Kind::kCurrency) return CurrencyOfSign(tokens[at++].text, shop_currency);
  if (at + 1 >= tokens.size()) return {};
  if (tokens[at + 1].text == "$" && tokens[at + 1].begin == tokens[at].end) {
    const std::string_view dollar = DollarOf(tokens[at].text);
    if (!dollar.empty()) at += 2;
    return std::string(dollar);
  }
  std::string currency = CurrencyOfWord(tokens[at].text, shop_currency);
  if (currency.empty()) return {};
  const size_t number = at + (tokens[at + 1].text == "." ? 2 : 1);
  if (number >= tokens.size() || tokens[number].kind != Kind::kNumber) return {};
  at = number;
  return currency;
}

/// "50eur", "500rs", "usd50": number and currency in one token.
std::optional<Amount> SplitAmount(const QueryToken& token, size_t at,
                                  std::string_view shop_currency) {
  constexpr std::string_view kDigits = "0123456789.,";
  if (token.kind != Kind::kWord) return std::nullopt;
  const std::string_view text = token.text;
  const bool leads = kDigits.find(text.front()) != kDigits.npos;
  const size_t cut =
      std::min(leads ? text.find_first_not_of(kDigits) : text.find_first_of(kDigits), text.size());
  const std::string_view digits = leads ? text.substr(0, cut) : text.substr(cut);
  std::string currency =
      CurrencyOfWord(leads ? text.substr(cut) : text.substr(0, cut), shop_currency);
  const auto value = ParsePlainNumber(WithoutGrouping(std::string(digits)));
  if (!value || currency.empty()) return std::nullopt;
  return Amount{*value, std::move(currency), at + 1};
}

}  // namespace

std::optional<Amount> ReadAmount(const Tokens& tokens, size_t at, std::string_view shop_currency) {
  if (at >= tokens.size()) return std::nullopt;
  if (auto amount = SplitAmount(tokens[at], at, shop_currency)) return amount;
  Amount amount;
  const bool dollar = tokens[at].text == "$";
  amount.currency = ReadCurrencyBefore(tokens, at, shop_currency);
  const size_t before = at;
  amount.value = ReadNumber(tokens, at);
  if (at == before) return std::nullopt;
  const size_t end = at;
  const std::string behind = ReadCurrencyBehind(tokens, at, shop_currency);
  const bool names_dollar = dollar && behind.ends_with('D');  // "$50 CAD"
  if (amount.currency.empty() || names_dollar) {
    amount.currency = behind;
  } else if (behind != amount.currency) {
    at = end;  // "$50 EUR 60"
  }
  amount.end = at;
  return amount;
}

bool NothingMeasuredAt(const Tokens& tokens, size_t at) {
  if (at >= tokens.size() || tokens[at].kind == Kind::kPunctuation) {
    return at >= tokens.size() || (tokens[at].text != "\"" && tokens[at].text != "%" &&
                                   tokens[at].text != "/" && tokens[at].text != "″");
  }
  static const std::unordered_set<std::string_view> kSmall = {
      "with",    "and",         "for",        "that",       "please",   "or",     "but",
      "which",   "to",          "if",         "is",         "only",     "total",  "max",
      "maximum", "including",   "incl",       "without",    "from",     "by",     "who",
      "not",     "no",          "except",     "excluding",  "in-stock", "any",    "thats",
      "that's",  "refurbished", "used",       "available",  "und",      "mit",    "für",
      "ohne",    "oder",        "aber",       "nicht",      "kein",     "keine",  "auf",
      "außer",   "ausser",      "et",         "avec",       "pour",     "sans",   "ou",
      "mais",    "pas",         "sauf",       "y",          "con",      "para",   "sin",
      "o",       "pero",        "excepto",    "以",         "的",       "左",     "之",
      "到",      "至",          "不",         "pls",        "plz",      "then",   "instead",
      "thanks",  "thx",         "tops",       "though",     "too",      "now",    "maybe",
      "ideally", "actually",    "altogether", "preferably", "rather",   "each",   "all",
      "as",      "so",          "ok",         "okay",       "i",        "it",     "we",
      "my",      "what",        "how",        "do",         "does",     "can",    "are",
      "this",    "these",       "those",      "there",      "because",  "when",   "dann",
      "bitte",   "lieber",      "maximal",    "insgesamt",  "wenn",     "also",   "eher",
      "doch",    "danke",       "alors",      "svp",        "plutôt",   "plutot", "si",
      "qui",     "s'il",        "merci",      "donc",       "entonces", "por",    "mejor",
      "que",     "gracias",     "porfa",      "吧",         "呢",       "吗",     "可",
      "行",      "内",          "起",         "上",         "封",       "往",     "maxi",
      "aprox"};
  if (MatchesAt(tokens, at, {"in", "stock"}) || MatchesAt(tokens, at, {"en", "stock"})) return true;
  return kSmall.count(tokens[at].text) != 0 || !FindColor(tokens[at].text).empty();
}

}  // namespace emptor::retrieval
