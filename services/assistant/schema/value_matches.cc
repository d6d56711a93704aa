// Words against the values of each attribute.
#include "services/assistant/schema/value_matches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "services/assistant/schema/record_words.h"

namespace emptor::services {
namespace {

using Kind = SchemaKey::Kind;
using Span = FoldedMessage::Span;
using View = std::string_view;

constexpr size_t kMaxValueBytes = 40;    // a longer value is prose
constexpr size_t kRareValue = 40;        // records for one with the words in a longer value
constexpr size_t kNamedFirst = 1000000;  // records

bool IsTextValue(const SchemaValue& value) {
  const bool is_short = value.folded.size() <= kMaxValueBytes &&
                        (value.folded.size() >= 2 || IsWideText(value.folded));
  // "27 in" is a quantity, "4k" and "4 people" are words as well.
  const bool is_number =
      value.number &&
      (!value.unit.empty() || value.folded.find_first_not_of("0123456789 ") == std::string::npos);
  return is_short && !is_number && !value.is_yes() && !value.is_no();
}

/// "USB-C" is "USB Type-C" in a record: names that share the first word. "Wireless" is not
/// "Bluetooth".
std::vector<std::string> SpellingsOf(const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  std::vector<std::string> spellings = {name};
  for (const std::string& phrase : EnglishPhrasesOf(name)) {
    const bool is_longer = phrase != name && phrase.starts_with(first + " ");
    if (is_longer && name != first) spellings.push_back(phrase);
  }
  return spellings;
}

/// "两人" names the value "2 人".
void AddChineseCounts(const FoldedMessage& message, const TypeSchema& schema,
                      std::vector<NamedValue>& named) {
  constexpr std::array<View, 11> kNumerals = {"",   "一", "两", "三", "四", "五",
                                              "六", "七", "八", "九", "十"};
  for (const SchemaKey& key : schema.keys()) {
    for (const SchemaValue& value : key.values) {
      const size_t blank = value.folded.find(' ');
      const bool is_count = value.number && *value.number >= 1 && *value.number <= 10 &&
                            *value.number == std::floor(*value.number) &&
                            blank != std::string::npos &&
                            IsWideText(View(value.folded).substr(blank + 1));
      if (!is_count) continue;
      const std::string counted = value.folded.substr(blank + 1);
      const Span span =
          message.FindLongest({std::string(kNumerals[static_cast<size_t>(*value.number)]) + counted,
                               value.folded.substr(0, blank) + counted});
      if (span.found()) named.push_back({value.folded, span});
    }
  }
}

}  // namespace

bool MeansType(const NamedValue& value, const std::string& type) {
  if (value.canonical == type) return true;
  const auto own = FindNamedValues(FoldedMessage::FromFolded(type), "en");
  return std::any_of(own.begin(), own.end(),
                     [&](const auto& each) { return each.canonical == value.canonical; });
}

bool HasWords(const std::string& text, const std::string& words) {
  if (IsWideText(words)) return text.find(words) != std::string::npos;
  return (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

namespace {

/// The colour of the product itself: "product colour", not "laser colour".
bool IsOwnColour(const SchemaKey& key) {
  return key.folded == "color" || key.folded == "colour" || key.folded == "product colour" ||
         key.folded == "product color" || key.folded == "颜色";
}

}  // namespace

ValueMatch FindValue(const TypeSchema& schema, const std::vector<const SchemaKey*>& named,
                     const std::string& name) {
  ValueMatch best, own_colour;
  const std::vector<std::string> phrases = SpellingsOf(name);
  for (const SchemaKey& key : schema.keys()) {
    if (key.kind == Kind::kBoolean) continue;
    ValueMatch match{&key, {}, 0};
    size_t whole = 0;  // records whose value is nothing else
    for (const SchemaValue& value : key.values) {
      const auto words =
          std::find_if(phrases.begin(), phrases.end(),
                       [&](const std::string& phrase) { return HasWords(value.folded, phrase); });
      if (!IsTextValue(value) || words == phrases.end()) continue;
      if (value.folded == *words) whole += value.records;
      // "People" alone is no capacity of four people.
      if (value.number && !HasDigit(*words)) continue;
      match.values.push_back(value.text);
      match.records += value.records;
    }
    // "Adjustable lumbar support": the attribute that is named comes first.
    const bool is_named = std::find(named.begin(), named.end(), &key) != named.end();
    // "Kids" is part of one value in a thousand: it selects nothing.
    const bool is_rare = whole == 0 && kRareValue * match.records < schema.product_count();
    if (is_rare && !is_named) continue;
    match.is_named = is_named;
    if (!match.values.empty() && is_named) match.records += kNamedFirst;
    if (match.values.empty()) continue;
    if (IsOwnColour(key)) own_colour = match;
    if (match.records > best.records) best = std::move(match);
  }
  // "Red", of mice with red lasers; toner is rather called by the colour in which it prints.
  const bool is_other_colour =
      best.key != nullptr && !best.is_named && best.key->folded.find("colo") != std::string::npos;
  const bool is_usual =
      own_colour.key != nullptr && 2 * own_colour.key->records >= schema.product_count();
  return is_other_colour && is_usual ? own_colour : best;
}

bool IsAnswered(const TypeSchema& schema, const std::string& said) {
  return std::any_of(schema.keys().begin(), schema.keys().end(), [&](const SchemaKey& key) {
    const bool is_named =
        std::find(key.phrases.begin(), key.phrases.end(), said) != key.phrases.end();
    return is_named && key.kind == Kind::kBoolean && !key.ValuesThatMean(true).empty();
  });
}

std::vector<NamedValue> FindValuesOf(const FoldedMessage& message, std::string_view language,
                                     const TypeSchema& schema) {
  std::vector<NamedValue> named = FindNamedValues(message, language);
  std::set<std::string> tried;
  for (const SchemaKey& key : schema.keys()) {
    if (key.kind == Kind::kBoolean) continue;
    for (const SchemaValue& value : key.values) {
      if (!IsTextValue(value) || value.folded.size() < 2 || !tried.insert(value.folded).second)
        continue;
      if (IsOrdinaryWord(value.folded)) continue;
      const Span span = message.Find(value.folded);
      // A verb is no value: "prints".
      if (span.found() && span.size() == value.folded.size()) named.push_back({value.folded, span});
    }
  }
  AddChineseCounts(message, schema, named);
  std::stable_sort(named.begin(), named.end(), [](const NamedValue& a, const NamedValue& b) {
    return a.span.size() > b.span.size();
  });
  return named;
}

}  // namespace emptor::services
