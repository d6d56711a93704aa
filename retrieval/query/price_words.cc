// The grammar of price bounds.
#include "retrieval/query/price_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "catalog/money.h"
#include "retrieval/query/amount_words.h"
#include "retrieval/query/comparators.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;

/// Below this a plain number after a weak word ("over 8", "about 5") is not a price.
constexpr double kMinBarePrice = 10;

class Reader {
 public:
  Reader(const std::vector<QueryToken>& tokens, std::string_view shop_currency,
         std::vector<bool> used)
      : tokens_(tokens), shop_currency_(shop_currency) {
    result_.used = std::move(used);
    result_.used.resize(tokens.size());
  }

  PriceWords Run() {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (result_.used[at]) continue;
      if (ReadRange(at) || ReadCompared(at) || ReadWithSuffix(at)) continue;
    }
    for (size_t at = 0; at < tokens_.size() && !has_bound(); ++at) ReadPlainBudget(at);
    return std::move(result_);
  }

 private:
  bool has_bound() const { return result_.min_price || result_.max_price; }

  std::optional<Amount> AmountAt(size_t at) const {
    return ReadAmount(tokens_, at, shop_currency_);
  }

  /// "Budget of", "mon budget est de" before the ends of a range; 0: no such words stand there.
  size_t BudgetWordsAt(size_t at) const {
    const size_t length = ReadComparator(tokens_, at).length;
    for (size_t i = at; i < at + length; ++i) {
      const std::string_view word = tokens_[i].text;
      if (word == "budget" || word == "presupuesto") return length;
    }
    return 0;
  }

  /// "between 20 and 40 euros", "from $20 to $40", "$20-$40", "20 bis 40 Euro", "budget 20 to 40".
  bool ReadRange(size_t start) {
    if (has_bound()) return false;
    const size_t range = ReadRangeWord(tokens_, start);
    const size_t lead = range > 0 ? range : BudgetWordsAt(start);
    const auto low = AmountAt(start + lead);
    if (!low || low->end >= tokens_.size()) return false;
    const size_t joint = MatchesAt(tokens_, low->end, {"か", "ら"})   ? 2
                         : IsRangeJoint(tokens_[low->end], range > 0) ? 1
                                                                      : 0;
    if (joint == 0) return false;
    const auto high = AmountAt(low->end + joint);
    if (!high || high->value < low->value) return false;
    const bool named = !low->currency.empty() || !high->currency.empty();
    if (!named && !(lead > 0 && NothingMeasuredAt(tokens_, high->end))) return false;
    SetCurrency(high->currency.empty() ? low->currency : high->currency);
    result_.min_price = Minor(low->value);
    result_.max_price = Minor(high->value);
    Use(start, EndOfSuffix(high->end));
    return true;
  }

  /// "100到300元之间".
  size_t EndOfSuffix(size_t end) const {
    return MatchesAt(tokens_, end, {"之", "间"}) ? end + 2 : end;
  }

  /// "It shouldn't cost more than $150": a verb or two behind a negation.
  bool IsDenied(size_t start) const {
    static constexpr std::array<std::string_view, 16> kBetween = {
        "cost", "spend",  "pay",    "be",     "go",     "want",   "to",    "me",
        "i",    "kosten", "costar", "coûter", "couter", "cueste", "coûte", "geben"};
    static constexpr std::array<std::string_view, 20> kNegations = {
        "not",  "n't",    "shouldn't", "shouldnt", "mustn't",   "mustnt",   "can't",
        "cant", "cannot", "don't",     "dont",     "doesn't",   "wouldn't", "won't",
        "wont", "nicht",  "pas",       "no",       "shouldn’t", "don’t"};
    constexpr size_t kReach = 4;
    for (size_t at = start; at-- > 0 && start - at <= kReach;) {
      const std::string_view word = tokens_[at].text;
      if (std::find(kNegations.begin(), kNegations.end(), word) != kNegations.end()) return true;
      if (std::find(kBetween.begin(), kBetween.end(), word) == kBetween.end()) return false;
    }
    return false;
  }

  bool ReadCompared(size_t start) {
    Comparator comparator = ReadComparator(tokens_, start);
    const bool is_lower = comparator.bound == Bound::kAbove || comparator.bound == Bound::kLower;
    if (is_lower && IsDenied(start)) comparator.bound = Bound::kUpper;
    if (comparator.bound == Bound::kNone || !comparator.of_money) return false;
    size_t at = start + comparator.length;
    if (at < tokens_.size() && tokens_[at].text == ":") ++at;
    const auto amount = AmountAt(at);
    if (!amount) return false;
    const bool named = !amount->currency.empty();
    const size_t suffix = ReadSuffix(tokens_, amount->end).length;
    const bool is_bare = !named && suffix == 0 && !NothingMeasuredAt(tokens_, amount->end);
    if (is_bare && !IsContradicted(comparator.bound, *amount)) return false;
    if (!named && IsWeak(comparator.bound) && amount->value < kMinBarePrice) return false;
    if (!SetBound(comparator.bound, *amount)) return false;
    const bool to_spend = MatchesAt(tokens_, amount->end, {"to", "spend"});
    Use(LedOn(start) ? start - 1 : start, amount->end + (to_spend ? 2 : suffix));
    return true;
  }

  /// "Over 80 under 30": two bounds of one amount that exclude each other.
  bool IsContradicted(Bound bound, const Amount& amount) const {
    const Comparator next = ReadComparator(tokens_, amount.end);
    if (next.bound == Bound::kNone || !next.of_money) return false;
    const auto other = AmountAt(amount.end + next.length);
    if (!other || !NothingMeasuredAt(tokens_, other->end)) return false;
    const auto is_lower = [](Bound each) { return each == Bound::kLower || each == Bound::kAbove; };
    if (is_lower(bound) == is_lower(next.bound)) return false;
    return is_lower(bound) ? amount.value > other->value : amount.value < other->value;
  }

  /// "Maus für höchstens 20 Euro", "casque de moins de 50 €".
  bool LedOn(size_t start) const {
    constexpr std::array<std::string_view, 6> kWords = {"for", "für", "de", "pour", "por", "para"};
    return start > 0 &&
           std::find(kWords.begin(), kWords.end(), tokens_[start - 1].text) != kWords.end();
  }

  /// "300元以下", "300以内", "$100 or less", "50 Euro oder weniger", "about" behind: "300元左右".
  bool ReadWithSuffix(size_t start) {
    const auto amount = AmountAt(start);
    if (!amount) return false;
    const Comparator suffix = ReadSuffix(tokens_, amount->end);
    if (suffix.bound == Bound::kNone) return false;
    const bool chinese = tokens_[amount->end].kind == Kind::kIdeograph;
    if (amount->currency.empty() && !chinese && !IsBarePrice(start, *amount, suffix)) return false;
    if (!SetBound(suffix.bound, *amount)) return false;
    const bool after_for = start > 0 && tokens_[start - 1].text == "for";
    Use(after_for ? start - 1 : start, amount->end + suffix.length);
    return true;
  }

  /// "laptop 500 or less", but not "size 10 or less", "12 or smaller", "500 or less watts".
  bool IsBarePrice(size_t start, const Amount& amount, const Comparator& suffix) const {
    constexpr std::array<std::string_view, 7> kOfMoney = {"less",    "cheaper", "under", "below",
                                                          "weniger", "moins",   "menos"};
    constexpr std::array<std::string_view, 9> kCounted = {
        "size", "sizes", "grösse", "taille", "talla", "age", "ages", "pack", "of"};
    const size_t end = amount.end + suffix.length;
    const auto is_one_of = [&](size_t at, const auto& words) {
      return std::find(words.begin(), words.end(), tokens_[at].text) != words.end();
    };
    const bool counted = start > 0 && is_one_of(start - 1, kCounted);
    // "150 or so".
    if (suffix.bound == Bound::kAround) {
      return !counted && amount.value >= kMinBarePrice && NothingMeasuredAt(tokens_, end);
    }
    const bool joined = tokens_[amount.end].text == "or" || tokens_[amount.end].text == "oder" ||
                        tokens_[amount.end].text == "ou" || tokens_[amount.end].text == "o";
    return joined && is_one_of(end - 1, kOfMoney) && !counted && amount.value >= kMinBarePrice &&
           NothingMeasuredAt(tokens_, end);
  }

  /// "a kettle for $60", "a kettle, 60 bucks": an amount with a currency is the shopper's budget.
  void ReadPlainBudget(size_t start) {
    const auto amount = AmountAt(start);
    if (!amount || amount->currency.empty() || start == 0) return;
    const bool is_for = tokens_[start - 1].text == "for";
    const auto ends = [&](size_t at) {
      return at >= tokens_.size() || tokens_[at].text == "," || tokens_[at].text == "." ||
             tokens_[at].text == "!";
    };
    const bool is_apart = tokens_[start - 1].text == "," && ends(amount->end);
    if (!is_for && !is_apart) return;
    SetBound(Bound::kBudget, *amount);
    Use(is_for ? start - 1 : start, amount->end);
  }

  static bool IsWeak(Bound bound) {
    return bound == Bound::kLower || bound == Bound::kAbove || bound == Bound::kAround;
  }

  void SetCurrency(const std::string& currency) {
    result_.currency = currency.empty() ? shop_currency_ : currency;
  }

  int64_t Minor(double value) const {
    return std::llround(std::min(value, 1e12) *
                        std::pow(10, catalog::CurrencyExponent(result_.currency)));
  }

  /// False when that side has a bound already, or one in another currency.
  bool SetBound(Bound bound, const Amount& amount) {
    const bool lower = bound == Bound::kLower || bound == Bound::kAbove;
    if (lower ? result_.min_price.has_value() : result_.max_price.has_value()) return false;
    if (has_bound() && !amount.currency.empty() && amount.currency != result_.currency)
      return false;
    if (!has_bound()) SetCurrency(amount.currency);
    const int64_t minor = Minor(amount.value);
    if (lower) {
      result_.min_price = minor;
      return true;
    }
    if (bound == Bound::kAround && !result_.min_price) result_.min_price = minor - minor / 4;
    result_.max_price = bound == Bound::kAround ? minor + minor / 4 : minor;
    result_.budget = catalog::Money{minor, result_.currency};
    return true;
  }

  void Use(size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, tokens_.size()); ++i) result_.used[i] = true;
  }

  const std::vector<QueryToken>& tokens_;
  const std::string shop_currency_;
  PriceWords result_;
};

}  // namespace

PriceWords ReadPriceWords(const std::vector<QueryToken>& tokens, std::string_view shop_currency,
                          std::vector<bool> used) {
  return Reader(tokens, shop_currency, std::move(used)).Run();
}

}  // namespace emptor::retrieval
