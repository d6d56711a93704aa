// Attributes ranked by their unit, their name, and their place in the message.
#include "services/assistant/schema/quantity_keys.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using Kind = SchemaKey::Kind;
using Span = FoldedMessage::Span;
using View = std::string_view;

constexpr size_t kNamedFirst = 1000000;  // records
constexpr size_t kShareOfUnit = 3;       // one record in so many states the unit
constexpr double kEqual = 0.001;         // share by which equal quantities differ
constexpr size_t kRareShare = 5;         // a key that so few of the records of the best state
constexpr size_t kNearWords = 4;         // between a quantity and the name of its attribute
constexpr double kInch = 25.4;           // mm
constexpr double kFar = 5;               // times what any value of an attribute states
constexpr size_t kImplausible = 16;      // by which an attribute of other sizes counts less

bool HasWords(const std::string& text, const std::string& words) {
  if (IsWideText(words)) return text.find(words) != std::string::npos;
  return (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

/// "27", "2 - 5", but no "10/100/1000Base-T".
bool IsPlain(const SchemaValue& value) {
  return value.text.find_first_not_of("0123456789.,-+~<>≤≥ \"") == std::string::npos;
}

/// A number with a unit in a message, in base units.
struct QuantitySpan {
  std::string base;
  double number;
  Span span;
};

std::vector<QuantitySpan> QuantitiesIn(const FoldedMessage& message) {
  std::vector<QuantitySpan> found;
  const View text = message.text();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const size_t next = end == text.size() ? end : std::min(text.find(' ', end + 1), text.size());
    bool is_measured = false;
    for (const size_t stop : {end, next}) {
      const auto measure = retrieval::ParseMeasure(text.substr(at, stop - at));
      if (!measure) continue;
      found.push_back({std::string(measure->base), measure->value, {at, stop}});
      is_measured = true;
      break;
    }
    // Of 27" folding leaves the number.
    const auto number = retrieval::ParsePlainNumber(text.substr(at, end - at));
    if (number && !is_measured) found.push_back({"mm", *number * kInch, {at, end}});
    at = end + 1;
  }
  return found;
}

/// The words that belong to a quantity before them: "of DDR4 memory", not "of memory for less".
FoldedMessage FirstWords(View text) {
  std::string first;
  size_t words = 0;
  bool ends = false;
  ForEachWord(text, [&](const std::string& word) {
    // "27 inch monitor with height adjustment" is of no such height.
    ends = ends || ++words > kNearWords || HasCue(FoldedMessage::FromFolded(word), Cue::kPlus) ||
           (words > 2 && HasCue(FoldedMessage::FromFolded(word), Cue::kNameEnd));
    if (!ends) first += (first.empty() ? "" : " ") + word;
  });
  return FoldedMessage::FromFolded(std::move(first));
}

/// The words that belong to a quantity behind them: "memory of at least".
FoldedMessage LastWords(View text) {
  size_t begin = text.size();
  for (size_t words = 0; words <= kNearWords && begin != View::npos && begin > 0; ++words) {
    begin = text.rfind(' ', begin - 1);
  }
  return FoldedMessage::FromFolded(std::string(text.substr(begin == View::npos ? 0 : begin)));
}

/// The diameter of a hose, 13 to 19 mm, is not the 30 m that are asked for. True where no value has
/// the unit.
bool IsPlausible(const SchemaKey& key, const std::string& base, double number) {
  double smallest = 0, largest = 0;
  for (const SchemaValue& value : key.values) {
    if (!value.number || value.unit != base || *value.number <= 0) continue;
    smallest = smallest > 0 ? std::min(smallest, *value.number) : *value.number;
    largest = std::max(largest, *value.number);
  }
  return largest <= 0 || (number <= largest * kFar && number >= smallest / kFar);
}

}  // namespace

std::vector<const SchemaKey*> KeysNamed(const FoldedMessage& message, const TypeSchema& schema) {
  std::vector<const SchemaKey*> keys = ResolveAttributes(message, schema);
  std::vector<Span> spans;
  for (const SchemaKey* key : keys) spans.push_back(message.FindLongest(key->phrases));
  const Span direction = FindCue(message, Cue::kDirection);
  const auto begins = [&](const Span& next) {
    return next.found() && direction.found() && next.begin == direction.end + 1;
  };
  if (std::none_of(spans.begin(), spans.end(), begins)) return keys;
  std::vector<const SchemaKey*> named;
  for (size_t i = 0; i < keys.size(); ++i) {
    const bool is_direction = !spans[i].found() || spans[i].begin == direction.begin;
    if (!is_direction) named.push_back(keys[i]);
  }
  return named;
}

QuantityKeys::QuantityKeys(const FoldedMessage& message, const TypeSchema& schema,
                           const std::vector<const SchemaKey*>& named)
    : message_(message),
      schema_(schema),
      named_(named),
      asks_packing_(message.HasAny(PackingWords())) {}

size_t QuantityKeys::Suits(const SchemaKey& key, const std::string& base,
                           const std::string& asked) const {
  size_t with_unit = 0, plain = 0;
  for (const SchemaValue& value : key.values) {
    if (!value.number || IsProse(value)) continue;
    if (value.unit == base) {
      with_unit += value.records;
    } else if (value.unit.empty() && IsPlain(value)) {
      plain += value.records;
    }
  }
  // "Bluetooth 2.0; 3G" states no grams: other values have no such unit.
  if (kShareOfUnit * with_unit < key.records) with_unit = 0;
  if (with_unit + plain == 0 || StatesNoQuantity(key)) return 0;
  const auto at = std::find(named_.begin(), named_.end(), &key);
  const bool is_named = at != named_.end() || (!asked.empty() && HasWords(key.folded, asked));
  const bool is_of_dimension = StatesDimension(key, base);
  // "Wi-Fi 5" is no 5 grams, whatever is named, and a memory states no weight.
  if (with_unit == 0 && !(is_named && key.kind == Kind::kNumber) && !is_of_dimension) return 0;
  if (with_unit == 0 && StatesOtherDimension(key, base)) return 0;
  size_t score = with_unit + plain / 2;
  if (with_unit > 0) score += kNamedFirst;
  if (is_named) score += 3 * kNamedFirst / (1 + static_cast<size_t>(at - named_.begin()));
  if (is_of_dimension) score += 2 * kNamedFirst / (with_unit > 0 ? 1 : 2);
  return score;
}

const SchemaKey* QuantityKeys::KeyOfWordAt(std::string_view text) const {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::string word(text.substr(begin, text.find(' ', begin) - begin));
  const SchemaKey* found = nullptr;
  for (const SchemaKey& key : schema_.keys()) {
    const bool is_name =
        std::find(key.phrases.begin(), key.phrases.end(), word) != key.phrases.end();
    if (is_name && (found == nullptr || key.records > found->records)) found = &key;
  }
  return found;
}

std::vector<const SchemaKey*> QuantityKeys::NamedNextTo(const std::string& base,
                                                        double number) const {
  const std::vector<QuantitySpan> quantities = QuantitiesIn(message_);
  for (size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].base != base || std::abs(quantities[i].number - number) > number * kEqual) {
      continue;
    }
    const size_t next =
        i + 1 < quantities.size() ? quantities[i + 1].span.begin : message_.text().size();
    const size_t last = i > 0 ? quantities[i - 1].span.end : 0;
    const Span& span = quantities[i].span;
    const FoldedMessage behind = FirstWords(message_.text().substr(span.end, next - span.end));
    auto keys = KeysNamed(behind, schema_);
    if (const SchemaKey* const key = KeyOfWordAt(message_.text().substr(span.end))) {
      const bool is_kept = keys.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
      if (is_kept && Suits(*key, base, "") > 0) return {key};
    }
    const auto suits = [&](const SchemaKey* key) { return Suits(*key, base, "") > 0; };
    if (std::none_of(keys.begin(), keys.end(), suits)) {
      keys = KeysNamed(LastWords(message_.text().substr(last, span.begin - last)), schema_);
    }
    return keys;
  }
  return {};
}

std::vector<const SchemaKey*> QuantityKeys::KeysFor(const std::string& base,
                                                    const std::string& asked, double number) const {
  const std::vector<const SchemaKey*> near = NamedNextTo(base, number);
  std::vector<std::pair<size_t, const SchemaKey*>> ranked;
  for (const SchemaKey& key : schema_.keys()) {
    if (key.kind == Kind::kBoolean || (IsPacking(key) && !asks_packing_)) continue;
    size_t suits = Suits(key, base, asked);
    if (suits == 0) continue;
    if (!IsPlausible(key, base, number)) suits = 1 + suits / kImplausible;
    const auto at = std::find(near.begin(), near.end(), &key);
    const size_t rank = 1 + static_cast<size_t>(at - near.begin());
    ranked.emplace_back(suits + (at == near.end() ? 0 : 8 * kNamedFirst / rank), &key);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  std::vector<const SchemaKey*> keys;
  for (const auto& [suits, key] : ranked) {
    // "Weighs 200 g": a battery's weight, which few records state, is not it.
    const bool is_rare = !keys.empty() && key->records * kRareShare < keys.front()->records;
    const auto is_near = [&](const SchemaKey* each) {
      return std::find(near.begin(), near.end(), each) != near.end();
    };
    if (!is_rare || (is_near(key) && !is_near(keys.front()))) keys.push_back(key);
  }
  return keys;
}

}  // namespace emptor::services
