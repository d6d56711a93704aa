// Values, numbers with units, and conditions.
#include "services/eval/gold_records.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "fmt/format.h"
#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

using catalog::Product;

/// A unit in terms of its base unit.
struct Unit {
  std::string_view name, base;
  double factor;
};
constexpr std::array<Unit, 32> kUnits = {{
    {"mg", "g", 1e-3},     {"g", "g", 1},          {"kg", "g", 1e3},       {"lb", "g", 453.592},
    {"lbs", "g", 453.592}, {"oz", "g", 28.3495},   {"ml", "l", 1e-3},      {"cl", "l", 1e-2},
    {"l", "l", 1},         {"mm", "m", 1e-3},      {"cm", "m", 1e-2},      {"m", "m", 1},
    {"in", "m", 0.0254},   {"\"", "m", 0.0254},    {"inch", "m", 0.0254},  {"inches", "m", 0.0254},
    {"ft", "m", 0.3048},   {"s", "h", 1.0 / 3600}, {"min", "h", 1.0 / 60}, {"h", "h", 1},
    {"hours", "h", 1},     {"days", "h", 24},      {"w", "W", 1},          {"kw", "W", 1e3},
    {"mb", "MB", 1},       {"gb", "MB", 1024},     {"tb", "MB", 1048576},  {"mah", "mAh", 1},
    {"ah", "mAh", 1e3},    {"mhz", "MHz", 1},      {"ghz", "MHz", 1e3},    {"db", "dB", 1},
}};

const Unit* FindUnit(std::string_view name) {
  const std::string folded = retrieval::FoldForComparison(name);
  const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const Unit& unit) { return unit.name == folded; });
  return found == kUnits.end() ? nullptr : &*found;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// A run of digits with separators between them, and where it ends.
struct NumberRun {
  std::string digits;  // with '.' before the fraction
  size_t end = 0;
};

bool HasGroupAt(std::string_view text, size_t at) {
  return at + 3 <= text.size() &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(at) + 3, IsDigit) &&
         (at + 3 == text.size() || !IsDigit(text[at + 3]));
}

/// Bytes of the no-break blank at `at` that groups three digits ("2 199,00"); 0: none does.
size_t GroupingBlankAt(std::string_view text, size_t at) {
  for (const std::string_view blank : {"\xC2\xA0", "\xE2\x80\xAF"}) {
    const bool groups = text.substr(at).starts_with(blank) && HasGroupAt(text, at + blank.size());
    if (groups) return blank.size();
  }
  return 0;
}

/// The last separator is the decimal mark unless it groups three digits and comes more than once,
/// or is a comma, or a point where `form` groups by points, before exactly three digits.
NumberRun ReadRun(std::string_view text, size_t at, NumberForm form = NumberForm::kAny) {
  size_t end = at;
  size_t separators = 0, last = std::string_view::npos;
  while (end < text.size()) {
    if (const size_t blank = separators == 0 ? GroupingBlankAt(text, end) : 0; blank > 0) {
      end += blank;
      continue;
    }
    const bool separates =
        (text[end] == '.' || text[end] == ',') && end + 1 < text.size() && IsDigit(text[end + 1]);
    if (!separates && !IsDigit(text[end])) break;
    if (separates) ++separators, last = end;
    ++end;
  }
  const char grouping = form == NumberForm::kPointGroups ? '.' : ',';
  const bool groups =
      separators > 0 && end - last == 4 && (separators > 1 || text[last] == grouping);
  const bool mixed =
      separators > 1 && text.substr(at, last - at).find(text[last]) == std::string_view::npos;
  NumberRun run{.digits = {}, .end = end};
  for (size_t i = at; i < end; ++i) {
    if (IsDigit(text[i])) run.digits += text[i];
    if (i == last && (!groups || mixed)) run.digits += '.';
  }
  return run;
}

double ToNumber(const std::string& digits) {
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// `word` as a whole word or phrase of the folded text, also in the plural.
bool HasWord(const std::string& folded, std::string_view word) {
  const std::string wanted = retrieval::FoldWords(word);
  if (wanted.empty() || folded.find(wanted) == std::string::npos) return false;
  const std::string padded = " " + folded + " ";
  for (const char* ending : {" ", "s ", "es "}) {
    if (padded.find(" " + wanted + ending) != std::string::npos) return true;
  }
  // Scripts without blanks between words.
  return static_cast<unsigned char>(wanted[0]) >= 0xE0 && folded.find(wanted) != std::string::npos;
}

bool HoldsAny(const std::string& folded, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return HasWord(folded, word); });
}

bool HasAnyWord(std::string_view text, const std::vector<std::string>& words) {
  return !words.empty() && HoldsAny(retrieval::FoldWords(text), words);
}

/// What a text measures, in the base of its unit: "1.2 kg" and "1200 g" are equal.
std::optional<double> MeasureIn(std::string_view text) {
  for (const std::string_view base : {"g", "l", "m", "h", "w", "mb", "mah", "mhz"}) {
    const auto plain = NumberIn(text);
    const auto converted = NumberIn(text, base);
    if (plain != converted) return converted;
  }
  return NumberIn(text);
}

bool IsAnyOf(const std::vector<std::string>& values, const std::vector<std::string>& wanted) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    const std::string folded = retrieval::FoldForComparison(value);
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& each) {
      return retrieval::FoldForComparison(each) == folded;
    });
  });
}

bool IsWithin(const CaseCondition& condition, const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    const auto number = NumberIn(value, condition.unit);
    return number && *number >= condition.min.value_or(*number) &&
           *number <= condition.max.value_or(*number);
  });
}

}  // namespace

std::optional<double> NumberIn(std::string_view text, std::string_view unit) {
  const auto first = std::find_if(text.begin(), text.end(), IsDigit);
  if (first == text.end()) return std::nullopt;
  const auto at = static_cast<size_t>(first - text.begin());
  const NumberRun run = ReadRun(text, at);
  double value = ToNumber(run.digits);
  if (at > 0 && text[at - 1] == '-') value = -value;
  const Unit* wanted = unit.empty() ? nullptr : FindUnit(unit);
  if (wanted == nullptr) return value;
  size_t begin = run.end;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  size_t end = begin;
  while (end < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '"')) {
    ++end;
  }
  const Unit* own = FindUnit(text.substr(begin, end - begin));
  if (own != nullptr && own->base == wanted->base) value *= own->factor / wanted->factor;
  return value;
}

std::vector<double> NumbersIn(std::string_view text, NumberForm form) {
  std::vector<double> numbers;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsDigit(text[i])) continue;
    const NumberRun run = ReadRun(text, i, form);
    numbers.push_back(ToNumber(run.digits));
    i = run.end;
  }
  return numbers;
}

GoldRecords::GoldRecords(std::vector<Product> products, CaseTypes types, int64_t now_unix)
    : products_(std::move(products)), types_(std::move(types)), now_unix_(now_unix) {
  for (size_t i = 0; i < products_.size(); ++i) {
    by_id_[products_[i].id] = i;
    if (!products_[i].gtin.empty()) by_gtin_[products_[i].gtin].push_back(i);
    folded_titles_.push_back(retrieval::FoldWords(products_[i].title));
    std::vector<std::string>& names = folded_names_.emplace_back();
    for (const catalog::Attribute& each : products_[i].attributes) {
      names.push_back(retrieval::FoldForComparison(each.name));
    }
  }
}

const Product* GoldRecords::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &products_[found->second];
}

bool GoldRecords::IsSame(const Product& a, const Product& b) const {
  return a.id == b.id || (!a.gtin.empty() && a.gtin == b.gtin);
}

std::optional<catalog::Money> GoldRecords::PriceOf(const Product& product) const {
  return catalog::ComputePayablePrice(product, now_unix_, {}).price;
}

std::optional<catalog::Money> GoldRecords::ListPriceOf(const Product& product) const {
  return catalog::ComputePayablePrice(product, now_unix_, {}).was_price;
}

std::vector<std::string> GoldRecords::Values(const Product& product, std::string_view key) const {
  const auto one = [](const std::string& value) {
    return value.empty() ? std::vector<std::string>() : std::vector<std::string>{value};
  };
  if (key == "id") return one(product.id);
  if (key == "title") return one(product.title);
  if (key == "brand") return one(product.brand);
  if (key == "category") return product.categories;
  if (key == "availability") return one(std::string(ToString(product.availability)));
  if (key == "on_sale") return one(ListPriceOf(product) ? "yes" : "no");
  if (key == "price") {
    const auto price = PriceOf(product);
    return price ? one(std::to_string(price->amount)) : std::vector<std::string>();
  }
  if (key == "rating" && product.rating) return one(fmt::format("{}", product.rating->value));
  if (key == "reviews" && product.rating) return one(std::to_string(product.rating->count));
  if (!key.starts_with("attr.")) return {};
  const std::string_view name = key.substr(5);
  std::vector<std::string> values = OwnAttribute(product, name);
  const auto twins = by_gtin_.find(product.gtin);
  if (!values.empty() || twins == by_gtin_.end()) return values;
  for (const size_t twin : twins->second) {
    if (values.empty()) values = OwnAttribute(products_[twin], name);
  }
  return values;
}

std::vector<std::string> GoldRecords::OwnAttribute(const Product& product,
                                                   std::string_view name) const {
  const std::string folded = retrieval::FoldForComparison(name);
  const auto& names = folded_names_[static_cast<size_t>(&product - products_.data())];
  std::vector<std::string> values;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == folded) values.push_back(product.attributes[i].value);
  }
  return values;
}

bool GoldRecords::IsOfType(const Product& product, const CaseType& type) const {
  const std::string& title = folded_titles_[static_cast<size_t>(&product - products_.data())];
  if (HoldsAny(title, type.not_title)) return false;
  if (HoldsAny(title, type.title)) return true;
  for (const std::string& category : product.categories) {
    if (HasAnyWord(category, type.category)) return true;
  }
  return std::any_of(type.attributes.begin(), type.attributes.end(), [&](const auto& attribute) {
    const std::vector<std::string> values = Values(product, "attr." + attribute.first);
    return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
      return HasAnyWord(value, attribute.second);
    });
  });
}

bool GoldRecords::Meets(const Product& product, const CaseCondition& condition) const {
  using Form = CaseCondition::Form;
  const auto meets = [&](const CaseCondition& each) { return Meets(product, each); };
  if (condition.form == Form::kAny) {
    return std::any_of(condition.inner.begin(), condition.inner.end(), meets);
  }
  if (condition.form == Form::kNoneOf) {
    return std::none_of(condition.inner.begin(), condition.inner.end(), meets);
  }
  if (condition.form == Form::kType) {
    const auto type = types_.find(condition.key);
    return type != types_.end() && IsOfType(product, type->second);
  }
  const std::vector<std::string> values = Values(product, condition.key);
  switch (condition.form) {
    case Form::kIs:
      return IsAnyOf(values, condition.words);
    case Form::kNot:
      return !IsAnyOf(values, condition.words);
    case Form::kHas:
      return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
        return HasAnyWord(value, condition.words);
      });
    case Form::kKnown:
      return values.empty() != condition.is_known;
    default:
      return IsWithin(condition, values);
  }
}

bool GoldRecords::MeetsAll(const Product& product, const std::vector<CaseCondition>& all) const {
  return std::all_of(all.begin(), all.end(),
                     [&](const CaseCondition& each) { return Meets(product, each); });
}

Truth GoldRecords::Ask(const Product& product, const CaseCondition& condition) const {
  const bool reads_key = !condition.key.empty() && condition.form != CaseCondition::Form::kType;
  if (reads_key && condition.form != CaseCondition::Form::kKnown &&
      Values(product, condition.key).empty()) {
    return Truth::kUnknown;
  }
  return Meets(product, condition) ? Truth::kYes : Truth::kNo;
}

std::vector<const Product*> GoldRecords::FindAll(const std::vector<CaseCondition>& all) const {
  std::vector<const Product*> found;
  for (const Product& product : products_) {
    if (MeetsAll(product, all)) found.push_back(&product);
  }
  return found;
}

std::vector<const Product*> GoldRecords::Best(std::string_view key, bool is_least,
                                              const std::vector<const Product*>& among) const {
  std::vector<const Product*> best;
  double goal = 0;
  for (const Product* product : among) {
    const std::vector<std::string> values = Values(*product, key);
    const auto number = values.empty() ? std::nullopt : MeasureIn(values.front());
    if (!number) continue;
    const bool is_better = best.empty() || (is_least ? *number < goal : *number > goal);
    if (is_better) best.clear();
    if (is_better) goal = *number;
    if (*number == goal) best.push_back(product);
  }
  return best;
}

namespace {

/// The name of a type that is not known; empty when all are.
std::string UnknownType(const std::vector<CaseCondition>& conditions, const CaseTypes& types) {
  for (const CaseCondition& each : conditions) {
    if (each.form == CaseCondition::Form::kType && !types.contains(each.key)) return each.key;
    if (std::string inner = UnknownType(each.inner, types); !inner.empty()) return inner;
  }
  return "";
}

}  // namespace

absl::Status GoldRecords::Check(const std::vector<CaseConversation>& cases) const {
  for (const CaseConversation& conversation : cases) {
    for (size_t i = 0; i < conversation.turns.size(); ++i) {
      const CaseExpectation& expect = conversation.turns[i].expect;
      const auto refuse = [&](std::string_view what) {
        return absl::InvalidArgumentError(
            fmt::format("{}: turn {}: {}", conversation.id, i + 1, what));
      };
      if (!expect.cards || expect.cards->where.empty()) continue;
      const std::string unknown = UnknownType(expect.cards->where, types_);
      if (!unknown.empty()) return refuse("unknown type \"" + unknown + "\"");
      if (FindAll(expect.cards->where).empty()) return refuse("no product of the shop meets where");
    }
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
