// Conditions: which of the type's values meet what a message demands.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/attribute_binding.h"
#include "services/assistant/cues.h"
#include "services/assistant/product_types.h"
#include "services/assistant/quantity_keys.h"
#include "services/assistant/quantity_values.h"
#include "services/assistant/record_words.h"
#include "services/assistant/title_types.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using retrieval::AttributeCondition;
using retrieval::NumericRange;
using Kind = SchemaKey::Kind;
using Span = FoldedMessage::Span;
using View = std::string_view;

constexpr size_t kMaxValueBytes = 40;    // a longer value is prose
constexpr size_t kRareValue = 40;        // records for one with the words in a longer value
constexpr size_t kNegationReach = 24;    // bytes before a name in which a negation counts
constexpr size_t kNamedFirst = 1000000;  // records
constexpr double kMostly = 0.7;          // of the records that have a value anywhere
constexpr double kRoughly = 0.15;        // "around 40 litres"

bool HasDigit(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

bool HoldsAny(const std::string& text, const auto& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](View word) { return text.find(word) != std::string::npos; });
}

std::string Before(const FoldedMessage& message, size_t at, size_t reach) {
  const size_t begin = at > reach ? at - reach : 0;
  return " " + std::string(message.text().substr(begin, at - begin)) + " ";
}

bool IsNegatedAt(const FoldedMessage& message, size_t at) {
  const std::string before = Before(message, at, kNegationReach);
  return HasCue(FoldedMessage::FromFolded(before), Cue::kNegation) &&
         before.find(" not too ") == std::string::npos;
}

bool IsLiftedAt(const FoldedMessage& message, size_t at) {
  const std::string before = Before(message, at, kNegationReach);
  if (HasCue(FoldedMessage::FromFolded(std::string(message.text().substr(at))), Cue::kAlso)) {
    return true;
  }
  return HasCue(FoldedMessage::FromFolded(before), Cue::kLift);
}

/// A bound in words before a number.
struct Bound {
  bool is_min = false, is_max = false, is_rough = false;
};

Bound BoundAt(const FoldedMessage& message, const Span& span) {
  static constexpr std::array<View, 14> kMin = {
      " at least ", " min ",  " minimum ",  " over ",    " more than ", " from ",   " mindestens ",
      " ab ",       " uber ", " au moins ", " plus de ", " al menos ",  " mas de ", "至少"};
  static constexpr std::array<View, 17> kMax = {
      " at most ",   " max ",           " maximum ",     " under ",        " below ", " up to ",
      " less than ", " not more than ", " hochstens ",   " bis zu ",       " unter ", " au plus ",
      " moins de ",  " menos de ",      " como maximo ", " no more than ", "不超过"};
  static constexpr std::array<View, 9> kRough = {" around ",  " about ", " roughly ",
                                                 " etwa ",    " circa ", " ungefahr ",
                                                 " environ ", " unos ",  " unas "};
  const std::string before = Before(message, span.begin, 16);
  const std::string after = " " + std::string(message.text().substr(span.end, 24)) + " ";
  Bound bound;
  bound.is_min = HoldsAny(before, kMin) || after.find(" or more ") != std::string::npos ||
                 after.find(" or bigger ") != std::string::npos ||
                 after.find(" and up ") != std::string::npos;
  bound.is_max =
      !bound.is_min && (HoldsAny(before, kMax) || after.find(" or less ") != std::string::npos ||
                        after.find(" max ") != std::string::npos);
  bound.is_rough = HoldsAny(before, kRough);
  return bound;
}

bool HasWords(const std::string& text, const std::string& words) {
  if (IsWideText(words)) return text.find(words) != std::string::npos;
  return (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

class Binder {
 public:
  Binder(const FoldedMessage& message, View language, const TypeSchema& schema,
         const std::vector<std::string>& type_words, ConditionUse use)
      : message_(message),
        language_(language),
        schema_(schema),
        type_(HeadOfName(message, type_words)),
        named_(ResolveAttributes(message.Without(type_), schema)),
        quantities_(message, schema, named_),
        use_(use),
        ranks_(ResolveRank(message, schema).has_value()) {}

  BoundConditions Run(std::vector<NumericRange>& ranges, std::vector<NumericRange> exact) {
    for (NumericRange& range : ranges) BindRange(range);
    const std::vector<std::string> named = result_.named;
    for (NumericRange& range : exact) BindRange(range);
    // What is not stated exactly so is no condition on an attribute.
    if (result_.attributes.empty()) result_.named = named;
    for (const auto* list : {&ranges, &exact}) {
      for (const NumericRange& range : *list) {
        if (range.attribute == kUnstated) result_.unstated.push_back(range);
      }
    }
    for (NumericRange& range : result_.unstated) range.attribute.clear();
    std::erase_if(ranges, [](const NumericRange& range) {
      return range.attribute == kBound || range.attribute == kUnstated;
    });
    BindCounts();
    BindValues();
    BindNames();
    BindWishes();
    return std::move(result_);
  }

 private:
  static constexpr View kBound = "\1";     // a range that became a condition
  static constexpr View kUnstated = "\2";  // that no attribute states

  bool IsNamed(const std::string& key) const {
    return std::find(result_.named.begin(), result_.named.end(), key) != result_.named.end();
  }

  void Set(const SchemaKey& key, std::vector<std::string> values) {
    if (values.empty() || IsNamed(key.name)) return;
    result_.named.push_back(key.name);
    result_.attributes.push_back({key.name, std::move(values)});
  }

  std::string TextAt(const Span& span) const {
    return std::string(message_.text().substr(span.begin, span.size()));
  }

  bool IsTaken(const Span& span) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const Span& other) {
      return span.begin < other.end && other.begin < span.end;
    });
  }

  // ---- Quantities

  void BindRange(NumericRange& range) {
    const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
    const std::string base = scale ? std::string(scale->base) : "";
    const double factor = scale ? scale->factor : 1;
    const double said = range.min.value_or(range.max.value_or(0)) * factor;
    auto keys = quantities_.KeysFor(base, retrieval::FoldWords(range.attribute), said);
    std::erase_if(keys, [&](const SchemaKey* key) { return IsNamed(key->name); });
    if (keys.empty()) {
      if (scale) range.attribute = kUnstated;
      return;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    double min = range.min ? *range.min * factor : -infinity;
    double max = range.max ? *range.max * factor : infinity;
    const bool is_exact = range.min && range.max && *range.min == *range.max;
    const bool is_rough =
        is_exact && message_.HasAny(std::array<View, 8>{"around", "about", "roughly", "etwa",
                                                        "circa", "ungefahr", "environ", "unos"});
    if (is_rough) {
      min *= 1 - kRoughly;
      max *= 1 + kRoughly;
    } else if (is_exact) {
      const Interval rounded = RoundedSize(base, min);
      min = rounded.min;
      max = rounded.max;
    }
    // Nothing is of exactly that size: the next greater ones are.
    for (const double bound : {max, is_exact ? infinity : max}) {
      for (const SchemaKey* key : keys) {
        std::vector<std::string> values = ValuesWithin(*key, base, min, bound, factor);
        if (values.empty()) continue;
        Set(*key, std::move(values));
        range.attribute = kBound;
        return;
      }
    }
    range.attribute = keys.front()->name;
    if (!IsNamed(keys.front()->name)) result_.named.push_back(keys.front()->name);
  }

  // ---- Counts: "4 slots", "for 4 people", "3 seat sofa", "spf 50"

  static bool Counts(const SchemaKey& key, const std::string& word) {
    if (word.size() < 3 || IsOrdinaryWord(word)) return false;
    if (std::find(key.words.begin(), key.words.end(), word) != key.words.end()) return true;
    const bool is_phrase =
        std::any_of(key.phrases.begin(), key.phrases.end(),
                    [&](const auto& phrase) { return SingularOf(phrase) == word; });
    if (is_phrase) return true;
    return std::any_of(key.values.begin(), key.values.end(), [&](const SchemaValue& value) {
      const size_t blank = value.folded.find(' ');
      return value.number && blank != std::string::npos &&
             (SingularOf(value.folded.substr(blank + 1)) == word ||
              (word == "person" && value.folded.ends_with("people")));
    });
  }

  void BindCounts() {
    std::vector<std::pair<std::string, Span>> words;
    const View text = message_.text();
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      words.push_back({std::string(text.substr(at, end - at)), {at, end}});
      at = end + 1;
    }
    for (size_t i = 0; i < words.size(); ++i) {
      double number = 0;
      const std::string& word = words[i].first;
      const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
      if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) continue;
      if (IsTaken(words[i].second)) continue;
      if (i + 1 < words.size() &&
          BindCount(number, words[i].second, SingularOf(words[i + 1].first)))
        continue;
      if (i > 0) BindCount(number, words[i].second, SingularOf(words[i - 1].first));
    }
  }

  bool BindCount(double number, const Span& span, const std::string& word) {
    if (retrieval::FindUnit(word)) return false;  // ReadConstraints has read it
    const SchemaKey* best = nullptr;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean || !Counts(key, word)) continue;
      if (best == nullptr || key.records > best->records) best = &key;
    }
    if (best == nullptr) return false;
    const Bound bound = BoundAt(message_, span);
    std::vector<std::string> exact, more, less;
    for (const SchemaValue& value : best->values) {
      if (!value.number) continue;
      const double stated = value.plain.value_or(*value.number);
      if (stated == number) exact.push_back(value.text);
      if (stated >= number) more.push_back(value.text);
      if (stated <= number) less.push_back(value.text);
    }
    if (bound.is_max) exact = less;
    if (bound.is_min || (exact.empty() && !bound.is_max)) exact = more;
    if (exact.empty()) return false;
    Set(*best, std::move(exact));
    taken_.push_back(span);
    return true;
  }

  // ---- Values

  static bool IsTextValue(const SchemaValue& value) {
    const bool is_short = value.folded.size() <= kMaxValueBytes &&
                          (value.folded.size() >= 2 || IsWideText(value.folded));
    // "27 in" is a quantity, "4k" and "4 people" are words as well.
    const bool is_number =
        value.number &&
        (!value.unit.empty() || value.folded.find_first_not_of("0123456789 ") == std::string::npos);
    return is_short && !is_number && !value.is_yes() && !value.is_no();
  }

  /// The key whose records hold the words most often, with the values that do.
  struct Match {
    const SchemaKey* key = nullptr;
    std::vector<std::string> values;
    size_t records = 0;
  };

  Match FindValue(const std::string& words) const {
    Match best;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean) continue;
      Match match{&key, {}, 0};
      size_t whole = 0;  // records whose value is nothing else
      for (const SchemaValue& value : key.values) {
        if (!IsTextValue(value) || !HasWords(value.folded, words)) continue;
        if (value.folded == words) whole += value.records;
        // "People" alone is no capacity of four people.
        if (value.number && !HasDigit(words)) continue;
        match.values.push_back(value.text);
        match.records += value.records;
      }
      // "Adjustable lumbar support": the attribute that is named comes first.
      const bool is_named = std::find(named_.begin(), named_.end(), &key) != named_.end();
      // "Kids" is part of one value in a thousand: it selects nothing.
      const bool is_rare = whole == 0 && kRareValue * match.records < schema_.product_count();
      if (is_rare && !is_named) continue;
      if (!match.values.empty() && is_named) match.records += kNamedFirst;
      if (!match.values.empty() && match.records > best.records) best = std::move(match);
    }
    return best;
  }

  /// Phrases of the message that are values: those of the lexicon, and the type's own.
  std::vector<NamedValue> NamedValues() const {
    std::vector<NamedValue> named = FindNamedValues(message_, language_);
    std::set<std::string> tried;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean) continue;
      for (const SchemaValue& value : key.values) {
        if (!IsTextValue(value) || value.folded.size() < 2 || !tried.insert(value.folded).second)
          continue;
        if (IsOrdinaryWord(value.folded)) continue;
        const Span span = message_.Find(value.folded);
        // A verb is no value: "prints".
        if (span.found() && span.size() == value.folded.size())
          named.push_back({value.folded, span});
      }
    }
    AddChineseCounts(named);
    std::stable_sort(named.begin(), named.end(), [](const NamedValue& a, const NamedValue& b) {
      return a.span.size() > b.span.size();
    });
    return named;
  }

  /// "两人" names the value "2 人".
  void AddChineseCounts(std::vector<NamedValue>& named) const {
    constexpr std::array<View, 11> kNumerals = {"",   "一", "两", "三", "四", "五",
                                                "六", "七", "八", "九", "十"};
    for (const SchemaKey& key : schema_.keys()) {
      for (const SchemaValue& value : key.values) {
        const size_t blank = value.folded.find(' ');
        const bool is_count = value.number && *value.number >= 1 && *value.number <= 10 &&
                              *value.number == std::floor(*value.number) &&
                              blank != std::string::npos &&
                              IsWideText(View(value.folded).substr(blank + 1));
        if (!is_count) continue;
        const std::string counted = value.folded.substr(blank + 1);
        const Span span = message_.FindLongest(
            {std::string(kNumerals[static_cast<size_t>(*value.number)]) + counted,
             value.folded.substr(0, blank) + counted});
        if (span.found()) named.push_back({value.folded, span});
      }
    }
  }

  /// "Draws the least power": the name of an attribute is no value of another. What shoppers call
  /// a value ("wireless") is one, unless an attribute says yes or no to it.
  bool NamesKey(const std::string& value) const {
    const bool is_known = IsKnown(value) && !ranks_;
    return std::any_of(schema_.keys().begin(), schema_.keys().end(), [&](const SchemaKey& key) {
      const bool has_word =
          std::find(key.words.begin(), key.words.end(), SingularOf(value)) != key.words.end();
      return has_word && (!is_known || !key.ValuesThatMean(false).empty());
    });
  }

  void BindValues() {
    for (const NamedValue& each : NamedValues()) {
      if (NamesKey(each.canonical)) continue;
      const bool is_type =
          type_.found() && each.span.begin >= type_.begin && each.span.end <= type_.end;
      if (IsTaken(each.span)) continue;
      Match match = FindValue(each.canonical);
      if (match.key != nullptr && is_type && StatesType(match.key->name)) continue;
      if (DemandsOfRecord(each, match)) continue;
      if (match.key == nullptr) continue;
      taken_.push_back(each.span);
      if (IsLiftedAt(message_, each.span.begin)) {
        result_.lifted.push_back(match.key->name);
        continue;
      }
      if (IsNegatedAt(message_, each.span.begin))
        match.values = OtherValues(*match.key, match.values);
      AddValues(*match.key, std::move(match.values));
    }
  }

  /// "Wireless": some records state it as their interface, some in their titles. Where most of them
  /// do not state it in the attribute, it is demanded of the whole record.
  bool DemandsOfRecord(const NamedValue& value, const Match& match) {
    const bool is_colour =
        match.key != nullptr && match.key->folded.find("colo") != std::string::npos;
    const bool is_of_key = is_colour || match.records >= kNamedFirst;
    if (use_ == ConditionUse::kQuestion || ranks_ || is_of_key || !IsKnown(value.canonical) ||
        TellingWords(FoldedMessage(TextAt(value.span))).empty() ||
        IsNegatedAt(message_, value.span.begin) || IsLiftedAt(message_, value.span.begin)) {
      return false;
    }
    WordCondition demand = DemandOf(value, TextAt(value.span));
    const size_t anywhere = schema_.words().Find(demand).size();
    const bool is_in_key =
        static_cast<double>(match.records) >= kMostly * static_cast<double>(anywhere);
    if (is_in_key || HasShortWord(demand)) return false;
    taken_.push_back(value.span);
    result_.demanded.push_back(std::move(demand));
    return true;
  }

  /// A value that shoppers have words for.
  bool IsKnown(const std::string& value) const {
    const auto known = FindNamedValues(message_, language_);
    return std::any_of(known.begin(), known.end(),
                       [&](const NamedValue& each) { return each.canonical == value; });
  }

  static std::vector<std::string> OtherValues(const SchemaKey& key,
                                              const std::vector<std::string>& values) {
    std::vector<std::string> others;
    for (const SchemaValue& value : key.values) {
      if (std::find(values.begin(), values.end(), value.text) == values.end())
        others.push_back(value.text);
    }
    return others;
  }

  /// "Red or blue" widens the condition of one attribute.
  void AddValues(const SchemaKey& key, std::vector<std::string> values) {
    for (AttributeCondition& condition : result_.attributes) {
      if (condition.name != key.name) continue;
      for (std::string& value : values) condition.values.push_back(std::move(value));
      return;
    }
    Set(key, std::move(values));
  }

  // ---- Names: "with noise cancelling", "without wifi"

  void BindNames() {
    for (const SchemaKey& key : schema_.keys()) {
      const std::vector<std::string> yes = key.ValuesThatMean(true), no = key.ValuesThatMean(false);
      const bool can_be_denied = !no.empty() || key.kind == Kind::kBoolean;
      if (!can_be_denied || IsNamed(key.name)) continue;
      Span span = message_.FindLongest(key.phrases);
      if (span.found() && IsOrdinaryWord(TextAt(span))) span = {};
      if (const Span wish = message_.FindLongest(key.yes); wish.found() && !span.found())
        span = wish;
      if (!span.found() || IsTaken(span)) continue;
      if (type_.found() && span.begin >= type_.begin && span.end <= type_.end) continue;
      const bool is_any = span.end == message_.text().size() &&
                          Before(message_, span.begin, kNegationReach).ends_with(" any  ");
      if (is_any || IsLiftedAt(message_, span.begin)) {
        result_.lifted.push_back(key.name);
      } else if (IsNegatedAt(message_, span.begin)) {
        Set(key, no);
      } else {
        Set(key, yes);
      }
    }
  }

  // ---- Wishes: "quiet", "light", "roomy"

  void BindWishes() {
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind != Kind::kNumber || IsNamed(key.name)) continue;
      Span low = message_.FindLongest(key.low), high = message_.FindLongest(key.high);
      if (!low.found() && !high.found()) continue;
      const bool is_low = low.found() && (!high.found() || low.size() >= high.size());
      const Span& span = is_low ? low : high;
      if (IsTaken(span)) continue;
      const bool wants_low = is_low != IsNegatedAt(message_, span.begin);
      if (auto half = HalfOf(key, wants_low); !half.empty()) {
        result_.wishes.push_back({key.name, std::move(half)});
      }
    }
  }

  const FoldedMessage& message_;
  const View language_;
  const TypeSchema& schema_;
  const Span type_;
  const std::vector<const SchemaKey*> named_;  // attributes that the message speaks about
  const QuantityKeys quantities_;
  const ConditionUse use_;
  const bool ranks_;
  std::vector<Span> taken_;
  BoundConditions result_;
};

}  // namespace

BoundConditions BindConditions(const FoldedMessage& message, std::string_view language,
                               const TypeSchema& schema, const std::vector<std::string>& type_words,
                               std::vector<NumericRange>& ranges,
                               const std::vector<NumericRange>& exact, ConditionUse use) {
  return Binder(message, language, schema, type_words, use).Run(ranges, exact);
}

}  // namespace emptor::services
