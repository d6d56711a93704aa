// The grammar of price bounds, English and Chinese.
#include "services/assistant/price_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <unordered_set>

#include "catalog/money.h"

namespace emptor::services {
namespace {

using Kind = QueryToken::Kind;
using Words = std::initializer_list<std::string_view>;

enum class Bound { kNone, kUpper, kLower, kAround, kBudget };

struct Comparator {
  Bound bound;
  Words words;
};

const std::initializer_list<Comparator>& Comparators() {
  static const std::initializer_list<Comparator> kList = {{Bound::kUpper, {"no", "more", "than"}},
                                                          {Bound::kUpper, {"not", "more", "than"}},
                                                          {Bound::kUpper, {"less", "than"}},
                                                          {Bound::kUpper, {"cheaper", "than"}},
                                                          {Bound::kUpper, {"lower", "than"}},
                                                          {Bound::kUpper, {"at", "most"}},
                                                          {Bound::kUpper, {"up", "to"}},
                                                          {Bound::kUpper, {"not", "over"}},
                                                          {Bound::kUpper, {"not", "above"}},
                                                          {Bound::kUpper, {"maximum", "of"}},
                                                          {Bound::kUpper, {"max", "of"}},
                                                          {Bound::kUpper, {"under"}},
                                                          {Bound::kUpper, {"below"}},
                                                          {Bound::kUpper, {"beneath"}},
                                                          {Bound::kUpper, {"within"}},
                                                          {Bound::kUpper, {"max"}},
                                                          {Bound::kUpper, {"maximum"}},
                                                          {Bound::kUpper, {"<"}},
                                                          {Bound::kUpper, {"低", "于"}},
                                                          {Bound::kUpper, {"少", "于"}},
                                                          {Bound::kUpper, {"不", "超", "过"}},
                                                          {Bound::kUpper, {"不", "到"}},
                                                          {Bound::kLower, {"more", "than"}},
                                                          {Bound::kLower, {"at", "least"}},
                                                          {Bound::kLower, {"higher", "than"}},
                                                          {Bound::kLower, {"starting", "at"}},
                                                          {Bound::kLower, {"minimum", "of"}},
                                                          {Bound::kLower, {"over"}},
                                                          {Bound::kLower, {"above"}},
                                                          {Bound::kLower, {">"}},
                                                          {Bound::kLower, {"高", "于"}},
                                                          {Bound::kLower, {"超", "过"}},
                                                          {Bound::kAround, {"around"}},
                                                          {Bound::kAround, {"about"}},
                                                          {Bound::kAround, {"roughly"}},
                                                          {Bound::kAround, {"approximately"}},
                                                          {Bound::kBudget, {"budget", "of"}},
                                                          {Bound::kBudget, {"budget", "is"}},
                                                          {Bound::kBudget, {"budget", ":"}},
                                                          {Bound::kBudget, {"budget"}},
                                                          {Bound::kBudget, {"i", "have"}},
                                                          {Bound::kBudget, {"i", "only", "have"}},
                                                          {Bound::kBudget, {"spend"}},
                                                          {Bound::kBudget, {"预", "算"}},
                                                          {Bound::kBudget, {"预", "算", "是"}}};
  return kList;
}

struct Amount {
  double value = 0;
  std::string currency;  // empty: not said
  size_t end = 0;        // token behind it
};

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
  if (word == "dollars" || word == "dollar" || word == "bucks") {
    return CurrencyOfSign("$", shop_currency);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kWords = {{
      {"usd", "USD"},
      {"eur", "EUR"},
      {"euro", "EUR"},
      {"euros", "EUR"},
      {"gbp", "GBP"},
      {"quid", "GBP"},
      {"cny", "CNY"},
      {"rmb", "CNY"},
      {"yuan", "CNY"},
      {"元", "CNY"},
      {"块", "CNY"},
      {"yen", "JPY"},
      {"jpy", "JPY"},
      {"cad", "CAD"},
      {"aud", "AUD"},
      {"inr", "INR"},
      {"rupees", "INR"},
  }};
  for (const auto& [name, code] : kWords) {
    if (name == word) return std::string(code);
  }
  return {};
}

/// Reads "$49.99", "60 dollars", "300", "100美元" at `at`.
std::optional<Amount> ReadAmount(const std::vector<QueryToken>& tokens, size_t at,
                                 std::string_view shop_currency) {
  Amount amount;
  if (at < tokens.size() && tokens[at].kind == Kind::kCurrency) {
    amount.currency = CurrencyOfSign(tokens[at].text, shop_currency);
    ++at;
  }
  if (at >= tokens.size() || tokens[at].kind != Kind::kNumber) return std::nullopt;
  amount.value = std::strtod(tokens[at].text.c_str(), nullptr);
  ++at;
  if (at < tokens.size() && amount.currency.empty()) {
    const bool is_foreign = MatchesAt(tokens, at, {"美", "元"}) ||
                            MatchesAt(tokens, at, {"欧", "元"}) ||
                            MatchesAt(tokens, at, {"日", "元"});
    if (tokens[at].kind == Kind::kCurrency) {
      amount.currency = CurrencyOfSign(tokens[at++].text, shop_currency);
    } else if (is_foreign) {
      const std::string& first = tokens[at].text;
      amount.currency = first == "美" ? "USD" : first == "欧" ? "EUR" : "JPY";
      at += 2;
    } else if (std::string code = CurrencyOfWord(tokens[at].text, shop_currency); !code.empty()) {
      amount.currency = std::move(code);
      ++at;
      if (at < tokens.size() && tokens[at].text == "钱") ++at;
    }
  }
  amount.end = at;
  return amount;
}

/// A bare number is a price only where the sentence goes on with a small word or ends.
bool NothingMeasuredAt(const std::vector<QueryToken>& tokens, size_t at) {
  if (at >= tokens.size() || tokens[at].kind == Kind::kPunctuation) {
    return at >= tokens.size() || (tokens[at].text != "\"" && tokens[at].text != "%");
  }
  static const std::unordered_set<std::string_view> kSmall = {
      "with", "and", "for",  "that",  "please", "or",      "but",       "which", "to",      "if",
      "is",   "if",  "only", "total", "max",    "maximum", "including", "incl",  "without", "from",
      "by",   "who", "以",   "的",    "左",     "之",      "到",        "至"};
  return kSmall.count(tokens[at].text) != 0;
}

class Reader {
 public:
  Reader(const std::vector<QueryToken>& tokens, std::string_view shop_currency)
      : tokens_(tokens), shop_currency_(shop_currency) {
    result_.used.assign(tokens.size(), false);
  }

  PriceWords Run() {
    for (size_t at = 0; at < tokens_.size() && !found_; ++at) {
      found_ = ReadRange(at) || ReadCompared(at) || ReadChineseSuffix(at);
    }
    for (size_t at = 0; at < tokens_.size() && !found_; ++at) found_ = ReadPlainBudget(at);
    return std::move(result_);
  }

 private:
  /// "between 20 and 40 euros", "from $20 to $40", "$20-$40", "20 to 40 dollars".
  bool ReadRange(size_t start) {
    const bool has_between = tokens_[start].text == "between" || tokens_[start].text == "from";
    const size_t at = has_between ? start + 1 : start;
    const auto low = ReadAmount(tokens_, at, shop_currency_);
    if (!low || low->end >= tokens_.size()) return false;
    const std::string& joint = tokens_[low->end].text;
    const bool is_joint = joint == "and" || joint == "to" || joint == "-" || joint == "–" ||
                          joint == "~" || joint == "到" || joint == "至";
    if (!is_joint || (joint == "and" && !has_between)) return false;
    const auto high = ReadAmount(tokens_, low->end + 1, shop_currency_);
    if (!high || high->value < low->value) return false;
    const bool named = !low->currency.empty() || !high->currency.empty();
    if (!named && !(has_between && NothingMeasuredAt(tokens_, high->end))) return false;
    SetCurrency(high->currency.empty() ? low->currency : high->currency);
    result_.min_price = Minor(low->value);
    result_.max_price = Minor(high->value);
    Use(start, high->end);
    return true;
  }

  bool ReadCompared(size_t start) {
    for (const Comparator& comparator : Comparators()) {
      if (!MatchesAt(tokens_, start, comparator.words)) continue;
      const size_t at = start + comparator.words.size();
      const auto amount = ReadAmount(tokens_, at, shop_currency_);
      if (!amount) continue;
      const bool named = !amount->currency.empty();
      if (!named && !NothingMeasuredAt(tokens_, amount->end)) continue;
      const bool is_weak = comparator.bound == Bound::kLower || comparator.bound == Bound::kAround;
      if (!named && is_weak && amount->value < 10) continue;
      SetBound(comparator.bound, *amount);
      size_t end = amount->end;
      const bool to_spend = MatchesAt(tokens_, end, {"to", "spend"});
      Use(start, end + (to_spend ? 2 : 0));
      return true;
    }
    return false;
  }

  /// "300元以下", "300以内", "300元左右", "300块以上".
  bool ReadChineseSuffix(size_t start) {
    const auto amount = ReadAmount(tokens_, start, shop_currency_);
    if (!amount) return false;
    Bound bound = Bound::kNone;
    const size_t at = amount->end;
    if (MatchesAt(tokens_, at, {"以", "下"}) || MatchesAt(tokens_, at, {"以", "内"}) ||
        MatchesAt(tokens_, at, {"之", "内"})) {
      bound = Bound::kUpper;
    } else if (MatchesAt(tokens_, at, {"以", "上"})) {
      bound = Bound::kLower;
    } else if (MatchesAt(tokens_, at, {"左", "右"})) {
      bound = Bound::kAround;
    }
    if (bound == Bound::kNone) return false;
    SetBound(bound, *amount);
    Use(start, at + 2);
    return true;
  }

  /// "a kettle for $60", "$60 kettle", "60 dollars max": a named amount is what the shopper means
  /// to spend.
  bool ReadPlainBudget(size_t start) {
    const bool after_for = start > 0 && tokens_[start - 1].text == "for";
    const auto amount = ReadAmount(tokens_, start, shop_currency_);
    if (!amount || amount->currency.empty()) return false;
    const bool says_max = MatchesAt(tokens_, amount->end, {"max"}) ||
                          MatchesAt(tokens_, amount->end, {"maximum"}) ||
                          MatchesAt(tokens_, amount->end, {"or", "less"}) ||
                          MatchesAt(tokens_, amount->end, {"budget"});
    if (!after_for && !says_max) return false;
    SetBound(Bound::kBudget, *amount);
    const size_t extra = !says_max ? 0 : MatchesAt(tokens_, amount->end, {"or", "less"}) ? 2 : 1;
    Use(after_for ? start - 1 : start, amount->end + extra);
    return true;
  }

  void SetCurrency(const std::string& currency) {
    result_.currency = currency.empty() ? shop_currency_ : currency;
  }

  int64_t Minor(double value) const {
    return std::llround(std::min(value, 1e12) *
                        std::pow(10, catalog::CurrencyExponent(result_.currency)));
  }

  void SetBound(Bound bound, const Amount& amount) {
    SetCurrency(amount.currency);
    const int64_t minor = Minor(amount.value);
    if (bound == Bound::kLower) {
      result_.min_price = minor;
      return;
    }
    if (bound == Bound::kAround) {
      result_.min_price = minor - minor / 4;
      result_.max_price = minor + minor / 4;
    } else {
      result_.max_price = minor;
    }
    result_.budget = catalog::Money{minor, result_.currency};
  }

  void Use(size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, tokens_.size()); ++i) result_.used[i] = true;
  }

  const std::vector<QueryToken>& tokens_;
  std::string shop_currency_;
  PriceWords result_;
  bool found_ = false;
};

}  // namespace

PriceWords ReadPriceWords(const std::vector<QueryToken>& tokens, std::string_view shop_currency) {
  return Reader(tokens, shop_currency).Run();
}

}  // namespace emptor::services
