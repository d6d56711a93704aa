// Conditions: which of the type's values meet what a message demands.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/count_conditions.h"
#include "services/assistant/reading/range_joins.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/quantity_keys.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/resolution.h"
#include "services/assistant/schema/value_matches.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/words/condition_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using retrieval::AttributeCondition;
using retrieval::NumericRange;
using Kind = SchemaKey::Kind;
using Span = FoldedMessage::Span;
using View = std::string_view;

constexpr double kNearlyAll = 0.8;  // of the records of a type
constexpr double kMostly = 0.7;     // of the records that have a value anywhere
constexpr double kRoughly = 0.15;   // "around 40 litres"
constexpr size_t kSparse = 2;       // one record in so many states a usual attribute

class Binder {
 public:
  Binder(const FoldedMessage& message, View language, const TypeSchema& schema,
         const std::vector<std::string>& type_words, ConditionUse use)
      : message_(message),
        language_(language),
        schema_(schema),
        type_(HeadOfName(message, type_words)),
        type_name_(type_words.empty() ? "" : type_words.front()),
        whole_type_(message.FindLongest(type_words)),
        named_(KeysNamed(message.Without(type_), schema)),
        quantities_(message, schema, named_),
        use_(use),
        ranks_(ResolveRank(message, schema, type_words).has_value()) {}

  BoundConditions Run(std::vector<NumericRange>& ranges, std::vector<NumericRange> exact) {
    BindQuantifiedWishes();
    BindResolution();
    EraseHeld(ranges, exact);
    MergeRanges(ranges);
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

  void Set(const SchemaKey& key, std::vector<std::string> values, std::string said) {
    if (values.empty() || IsNamed(key.name)) return;
    result_.named.push_back(key.name);
    if (!said.empty()) result_.said.emplace_back(key.name, std::move(said));
    result_.attributes.push_back({key.name, std::move(values)});
  }

  std::string TextAt(const Span& span) const {
    return std::string(message_.text().substr(span.begin, span.size()));
  }

  std::string SaidOf(const KeyCondition& each) const {
    return each.said.empty() && each.span.found() ? TextAt(each.span) : each.said;
  }

  /// The words are no demand on titles any more.
  void Read(const Span& span) {
    taken_.push_back(span);
    result_.read.push_back(TextAt(span));
  }

  bool IsTaken(const Span& span) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const Span& other) {
      return span.begin < other.end && other.begin < span.end;
    });
  }

  // ---- Quantities

  std::vector<const SchemaKey*> KeysOf(const NumericRange& range) const {
    const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
    const double factor = scale ? scale->factor : 1;
    const double said = range.min.value_or(range.max.value_or(0)) * factor;
    return quantities_.KeysFor(scale ? std::string(scale->base) : "",
                               retrieval::FoldWords(range.attribute), said);
  }

  /// "Bigger than 40 inches but smaller than 60" bounds one attribute from both sides.
  void MergeRanges(std::vector<NumericRange>& ranges) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      const std::vector<const SchemaKey*> keys = KeysOf(ranges[i]);
      for (size_t j = i + 1; j < ranges.size();) {
        const std::vector<const SchemaKey*> others = KeysOf(ranges[j]);
        const bool is_same = keys.empty() || others.empty()
                                 ? keys == others && ranges[i].attribute == ranges[j].attribute
                                 : keys.front() == others.front();
        if (is_same && JoinRange(ranges[j], ranges[i])) {
          result_.contradicts |= *ranges[i].min > *ranges[i].max;
          ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(j));
        } else {
          ++j;
        }
      }
    }
  }

  void BindRange(NumericRange& range) {
    const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
    const std::string base = scale ? std::string(scale->base) : "";
    const double factor = scale ? scale->factor : 1;
    std::vector<const SchemaKey*> keys = KeysOf(range);
    std::erase_if(keys, [&](const SchemaKey* key) { return IsNamed(key->name); });
    if (keys.empty()) {
      if (scale) range.attribute = kUnstated;
      return;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    double min = range.min ? *range.min * factor : -infinity;
    double max = range.max ? *range.max * factor : infinity;
    const bool is_exact = range.min && range.max && *range.min == *range.max;
    const bool is_rough = is_exact && IsRough(range, message_);
    if (is_rough) {
      min *= 1 - kRoughly;
      max *= 1 + kRoughly;
    } else if (is_exact) {
      const Interval rounded = RoundedSize(base, min);
      min = rounded.min;
      max = rounded.max;
    }
    // What is made for 700 square metres does for (about) 650; "up to 150 kg" has to be borne.
    const bool is_near = is_exact || IsAbout(range);
    if (StatesReach(*keys.front()) && (is_near || !range.min)) {
      if (!range.min) min = max;
      max = infinity;
    }
    // Nothing is of exactly that size: the next greater ones are. So are longer hoses.
    const bool may_exceed = is_exact || (is_near && RunsAlong(*keys.front()));
    for (const double bound : {max, may_exceed ? infinity : max}) {
      for (const SchemaKey* key : keys) {
        std::vector<std::string> values = ValuesWithin(*key, base, min, bound, factor);
        // "More than 50 litres": not 50.
        for (const double open :
             {range.min_open ? min : infinity, range.max_open ? max : infinity}) {
          if (std::isinf(open)) continue;
          for (const std::string& equal : ValuesWithin(*key, base, open, open, factor)) {
            std::erase(values, equal);
          }
        }
        if (values.empty()) continue;
        if (bound > max && key != keys.front()) break;
        Set(*key, std::move(values), services::SaidOf(range, message_.text()));
        range.attribute = kBound;
        if (bound > max) result_.missing.push_back({.unit = base, .min = min, .max = max});
        return;
      }
    }
    if (is_exact && scale) result_.missing.push_back({.unit = base, .min = min, .max = max});
    range.attribute = keys.front()->name;
    if (!IsNamed(keys.front()->name)) result_.named.push_back(keys.front()->name);
  }

  /// "At least 2560x1440": both numbers count.
  void BindResolution() {
    const auto asked = FindResolution(message_);
    if (!asked) return;
    const WordedBound bound = BoundAt(message_, asked->span);
    const SchemaKey* best = nullptr;
    std::vector<std::string> found;
    for (const SchemaKey& key : schema_.keys()) {
      if (best != nullptr && key.records <= best->records) continue;
      std::vector<std::string> values = ValuesOfResolution(key, *asked, bound);
      if (values.empty()) continue;
      best = &key;
      found = std::move(values);
    }
    if (best == nullptr) return;
    Set(*best, std::move(found), TextAt(asked->span));
    Read(asked->span);
  }

  // ---- Counts: "4 slots", "for 4 people", "3 seat sofa", "spf 50"; sizes and ages

  void BindCounts() {
    for (KeyCondition& each : FindCounts(message_, language_, schema_)) {
      if (IsTaken(each.span)) continue;
      if (each.is_greater && !IsNamed(each.key->name)) result_.absent.push_back(SaidOf(each));
      Set(*each.key, std::move(each.values), SaidOf(each));
      taken_.push_back(each.span);
      if (!each.said.empty()) result_.read.push_back(std::move(each.said));
    }
    for (KeyCondition& each : FindSizes(message_, schema_)) {
      if (!IsTaken(each.span)) Set(*each.key, std::move(each.values), SaidOf(each));
    }
    if (use_ == ConditionUse::kQuestion) return;
    for (KeyCondition& each : FindAges(message_, schema_)) {
      const bool is_usual = 2 * each.key->records >= schema_.product_count();
      if (is_usual) {
        Set(*each.key, std::move(each.values), SaidOf(each));
      } else {
        result_.wishes.push_back({each.key->name, std::move(each.values)});
      }
    }
  }

  // ---- Values

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

  bool IsInName(const NamedValue& value) const {  // a name that is not found begins nowhere
    return value.span.begin >= whole_type_.begin && value.span.end <= whole_type_.end;
  }

  /// "USB sticks" are all USB: part of the name, and no condition.
  bool IsOfEvery(const NamedValue& value) const {
    const auto found = static_cast<double>(schema_.words().Find(DemandOf(value.canonical)).size());
    return IsInName(value) && found >= kNearlyAll * static_cast<double>(schema_.product_count());
  }

  void BindValues() {
    for (const NamedValue& each : FindValuesOf(message_, language_, schema_)) {
      if (NamesKey(each.canonical) || IsUnitAt(message_, each)) continue;
      const bool is_type =
          type_.found() && each.span.begin >= type_.begin && each.span.end <= type_.end;
      if (IsTaken(each.span) || IsOfEvery(each) || IsTimeWord(each.canonical)) continue;
      if (use_ == ConditionUse::kSearch && IsPlacePurpose(message_, each.canonical, each.span)) {
        Read(each.span);
        continue;
      }
      ValueMatch match = FindValue(schema_, named_, each.canonical);
      if (match.key != nullptr && is_type && StatesType(match.key->name)) continue;
      // "Monitor", of monitors, and "stick" of "USB stick" are demanded of no title.
      const bool is_part = is_type && each.span.size() < type_.size();
      const bool is_name = is_part || (IsInName(each) && MeansType(each, type_name_));
      if (!is_name && DemandsOfRecord(each, match)) continue;
      if (match.key == nullptr || ListsModels(*match.key)) continue;
      taken_.push_back(each.span);
      if (IsSparse(match)) {
        if (!is_type) DemandSparse(each);
        continue;
      }
      if (IsLiftedAt(message_, each.span.begin)) {
        result_.lifted.push_back(match.key->name);
        continue;
      }
      const bool is_negated = IsNegatedAt(message_, each.span.begin);
      if (is_negated) match.values = OtherValues(*match.key, match.values);
      AddValues(*match.key, std::move(match.values), is_negated,
                is_negated ? WithNegation(message_, each.span) : TextAt(each.span));
    }
  }

  /// "Wireless": some records state it as their interface, some in their titles. Where most of them
  /// do not state it in the attribute, it is demanded of the whole record.
  bool DemandsOfRecord(const NamedValue& value, const ValueMatch& match) {
    const bool is_colour =
        match.key != nullptr && match.key->folded.find("colo") != std::string::npos;
    const bool is_of_key = is_colour || match.is_named;
    if (use_ == ConditionUse::kQuestion || ranks_ || is_of_key || !IsKnown(value.canonical) ||
        TellingWords(FoldedMessage(TextAt(value.span))).empty() ||
        IsNegatedAt(message_, value.span.begin) || IsLiftedAt(message_, value.span.begin)) {
      return false;
    }
    WordCondition demand = DemandOf(value, TextAt(value.span));
    const size_t anywhere = schema_.words().Find(demand).size();
    const bool is_in_key =
        static_cast<double>(match.records) >= kMostly * static_cast<double>(anywhere);
    if (is_in_key || HasShortWord(demand) || IsAnswered(schema_, TextAt(value.span))) return false;
    taken_.push_back(value.span);
    result_.demanded.push_back(std::move(demand));
    return true;
  }

  /// A text attribute that most records of the type lack: others may be of the kind as well and
  /// only not say so there. Not where the message names the attribute, or speaks of yes and no.
  bool IsSparse(const ValueMatch& match) const {
    const bool is_colour = match.key->folded.find("colo") != std::string::npos;
    return use_ == ConditionUse::kSearch && match.key->kind == Kind::kText && !match.is_named &&
           !is_colour && kSparse * match.key->records < schema_.product_count();
  }

  /// "Compatibility: HP LaserJet 1320" is one of several ways to state it: its words are demanded.
  static bool ListsModels(const SchemaKey& key) {
    return key.folded.find("compatib") != std::string::npos &&
           key.folded.find("brand") == std::string::npos && StatesNoQuantity(key);
  }

  /// A value of such an attribute is demanded of the whole record.
  void DemandSparse(const NamedValue& value) {
    if (IsNegatedAt(message_, value.span.begin) || IsLiftedAt(message_, value.span.begin)) return;
    WordCondition demand = DemandOf(value, TextAt(value.span));
    if (!HasShortWord(demand)) result_.demanded.push_back(std::move(demand));
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

  /// "Red or blue" widens the condition of one attribute, "wireless, no bluetooth" narrows it.
  void AddValues(const SchemaKey& key, std::vector<std::string> values, bool is_negated,
                 const std::string& said) {
    const bool narrows = !denied_.insert(key.name).second || is_negated;
    if (!narrows) denied_.erase(key.name);
    for (AttributeCondition& condition : result_.attributes) {
      if (condition.name != key.name) continue;
      AddSaid(key.name, said);
      if (narrows) {
        std::erase_if(condition.values, [&](const std::string& value) {
          return std::find(values.begin(), values.end(), value) == values.end();
        });
        return;
      }
      for (std::string& value : values) condition.values.push_back(std::move(value));
      return;
    }
    Set(key, std::move(values), said);
  }

  void AddSaid(const std::string& key, const std::string& said) {
    for (auto& [name, text] : result_.said) {
      // "Large", of "in large".
      const bool is_known =
          FoldedMessage::FromFolded(text).Has(said) || FoldedMessage::FromFolded(said).Has(text);
      if (name == key && !is_known) text += ", " + said;
    }
  }

  // ---- Names: "with noise cancelling", "without wifi"

  struct Name {
    const SchemaKey* key;
    Span span;
  };

  /// The longest first: "power over ethernet" asks for no network port.
  std::vector<Name> Names() const {
    std::vector<Name> names;
    for (const SchemaKey& key : schema_.keys()) {
      const bool can_be_denied = key.kind == Kind::kBoolean || !key.ValuesThatMean(false).empty();
      if (!can_be_denied) continue;
      Span span = message_.FindLongest(key.phrases);
      if (span.found() && IsOrdinaryWord(TextAt(span))) span = {};
      if (const Span wish = message_.FindLongest(key.yes); wish.found() && !span.found())
        span = wish;
      if (span.found()) names.push_back({&key, span});
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const Name& a, const Name& b) { return a.span.size() > b.span.size(); });
    return names;
  }

  void BindNames() {
    std::vector<Span> longer;  // names that are bound
    for (const auto& [key, span] : Names()) {
      if (IsNamed(key->name) || IsTaken(span)) continue;
      if (type_.found() && span.begin >= type_.begin && span.end <= type_.end) continue;
      const bool is_part = std::any_of(longer.begin(), longer.end(), [&](const Span& other) {
        return other.begin <= span.begin && span.end <= other.end && other.size() > span.size();
      });
      if (is_part) continue;
      longer.push_back(span);
      const bool is_any = span.end == message_.text().size() && IsAnyAt(message_, span.begin);
      if (is_any || IsLiftedAt(message_, span.begin)) {
        result_.lifted.push_back(key->name);
      } else {
        const bool is_negated = IsNegatedAt(message_, span.begin);
        std::vector<std::string> values = key->ValuesThatMean(!is_negated);
        if (values.empty() && !is_negated) result_.absent.push_back(TextAt(span));
        Set(*key, std::move(values), is_negated ? WithNegation(message_, span) : TextAt(span));
      }
    }
  }

  /// "Height adjustable", of an attribute that states by how much: any value but no.
  void BindQuantifiedWishes() {
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind != Kind::kNumber) continue;
      const Span span = message_.FindLongest(key.yes);
      if (!span.found() || IsTaken(span) || IsNegatedAt(message_, span.begin)) continue;
      // "Wireless" says nothing of a version of Bluetooth.
      const std::vector<std::string> said = SplitWords(TextAt(span));
      if (std::none_of(said.begin(), said.end(),
                       [&](const std::string& word) { return HasWords(key.folded, word); }))
        continue;
      std::vector<std::string> values = key.ValuesThatMean(true);
      std::erase(values, "0");
      Set(key, std::move(values), TextAt(span));
      Read(span);
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
        result_.said.emplace_back(key.name, TextAt(span));
      }
    }
  }

  const FoldedMessage& message_;
  const View language_;
  const TypeSchema& schema_;
  const Span type_;  // the head of its name: "stick"
  const std::string type_name_;
  const Span whole_type_;                      // "usb stick"
  const std::vector<const SchemaKey*> named_;  // attributes that the message speaks about
  const QuantityKeys quantities_;
  const ConditionUse use_;
  const bool ranks_;
  std::vector<Span> taken_;
  std::set<std::string> denied_;  // attributes of which the message denies a value
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
