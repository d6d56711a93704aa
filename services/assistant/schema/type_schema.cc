// Learning a schema; quantities of values.
#include "services/assistant/schema/type_schema.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/learned_units.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/grounding/attribute_lexicon.h"
#include "services/grounding/degree_lexicon.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxBetween = 4;       // bytes between the ends of an interval: " to "
constexpr double kMostlyNumbers = 0.6;  // share of a key's values

/// One property of the lexicon: the names that it has in records, and the phrases about it.
struct LexiconProperty {
  std::vector<std::string> phrases, less, more, low, high, yes;
  std::map<std::string, std::string, std::less<>> labels;  // by language
};

struct AttributeLexicon {
  std::vector<LexiconProperty> properties;
  struct Name {
    size_t property, place;
  };
  std::unordered_map<std::string, std::vector<Name>> by_name;  // folded name of a key
  /// Names that stand for longer ones as well, as their words: "noise level*".
  std::vector<std::pair<std::vector<std::string>, size_t>> by_part;
};

void Append(const std::vector<std::string>& from, std::vector<std::string>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Words of names of attributes that tell nothing about what they state.
const std::unordered_set<std::string_view>& GenericWords() {
  static const std::unordered_set<std::string_view> kWords = {
      "quantity",  "number",  "of",       "the",       "type",    "numeric",    "included",
      "supported", "max",     "min",      "maximum",   "minimum", "technology", "and",
      "or",        "with",    "for",      "per",       "in",      "on",         "to",
      "imperial",  "product", "total",    "installed", "built",   "additional", "average",
      "typical",   "support", "function", "level",     "value",   "system"};
  return kWords;
}

/// The words of a folded name of a key that tell what it states, singular; no units: "27 inch" does
/// not speak of a "depth (inch)".
std::vector<std::string> TellingWordsOf(std::string_view name) {
  std::vector<std::string> words;
  ForEachWord(name, [&](std::string each) {
    std::string word = SingularOf(std::move(each));
    const bool is_wifi = word == "fi" && !words.empty() && words.back() == "wi";
    if (is_wifi) {
      words.back() = "wifi";
    } else if (word.size() > 1 && !GenericWords().contains(word) && !retrieval::FindUnit(word)) {
      words.push_back(std::move(word));
    }
  });
  return words;
}

void AddProperty(std::string_view head, std::string_view rest, AttributeLexicon& lexicon) {
  LexiconProperty property;
  for (const LexiconGroup& group : ParsePhraseGroups(rest)) {
    Append(group.phrases, group.tag == "less"   ? property.less
                          : group.tag == "more" ? property.more
                                                : property.phrases);
  }
  property.labels = FirstPhrases(rest);
  size_t place = 0;
  while (!head.empty()) {
    const size_t end = std::min(head.find('|'), head.size());
    const std::string_view each = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    const std::string name = retrieval::FoldWords(each);
    lexicon.by_name[name].push_back({lexicon.properties.size(), place++});
    if (each.find('*') != std::string_view::npos) {
      lexicon.by_part.emplace_back(SplitWords(name), lexicon.properties.size());
    }
  }
  lexicon.properties.push_back(std::move(property));
}

/// "noise level low : quiet | silent ; de: leise".
void AddDegree(std::string_view head, std::string_view rest, AttributeLexicon& lexicon) {
  const std::string folded = retrieval::FoldWords(head);
  const size_t blank = folded.rfind(' ');
  if (blank == std::string::npos) return;
  const std::string degree = folded.substr(blank + 1);
  const auto found = lexicon.by_name.find(folded.substr(0, blank));
  if (found == lexicon.by_name.end()) return;
  LexiconProperty& property = lexicon.properties[found->second.front().property];
  std::vector<std::string>* const target = degree == "low"    ? &property.low
                                           : degree == "high" ? &property.high
                                           : degree == "yes"  ? &property.yes
                                                              : nullptr;
  if (target != nullptr) Append(AllPhrases(ParsePhraseGroups(rest)), *target);
}

const AttributeLexicon& TheLexicon() {
  static const AttributeLexicon* const lexicon = [] {
    auto parsed = std::make_unique<AttributeLexicon>();
    ForEachLexiconLine(kAttributeLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      AddProperty(head, rest, *parsed);
    });
    ForEachLexiconLine(kDegreeLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      AddDegree(head, rest, *parsed);
    });
    return parsed.release();
  }();
  return *lexicon;
}

/// "near field communication (nfc)" is also called "nfc".
void AddAbbreviation(SchemaKey& key) {
  const size_t open = key.name.find('('), close = key.name.find(')', open);
  if (open == std::string::npos || close == std::string::npos) return;
  const std::string inner = retrieval::FoldWords(key.name.substr(open + 1, close - open - 1));
  const bool is_one_word = inner.size() > 1 && inner.find(' ') == std::string::npos;
  // But "no frost (freezer)" is not called "freezer".
  std::string initials;
  for (const std::string& word : SplitWords(retrieval::FoldWords(key.name.substr(0, open)))) {
    initials += word.front();
  }
  const bool is_short = inner == initials;
  if (is_one_word && is_short && !GenericWords().contains(inner) && !retrieval::FindUnit(inner)) {
    key.phrases.push_back(inner);
  }
}

/// What the lexicon says of properties whose name is a part of the key's, which it does not have.
void AddPartPhrases(SchemaKey& key) {
  const std::vector<std::string> own = SplitWords(key.folded);
  for (const auto& [words, property] : TheLexicon().by_part) {
    const bool has_all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(own.begin(), own.end(), word) != own.end();
    });
    if (!has_all) continue;
    const LexiconProperty& of_part = TheLexicon().properties[property];
    Append(of_part.phrases, key.part_phrases);
    Append(of_part.less, key.less);
    Append(of_part.more, key.more);
  }
}

void AddProperty(const LexiconProperty& property, SchemaKey& key) {
  Append(property.phrases, key.phrases);
  Append(property.less, key.less);
  Append(property.more, key.more);
  Append(property.low, key.low);
  Append(property.high, key.high);
  Append(property.yes, key.yes);
}

/// "gps" of "gps (satellite)".
std::string UnqualifiedName(const SchemaKey& key) {
  return retrieval::FoldWords(std::string_view(key.name).substr(0, key.name.find('(')));
}

/// What the lexicon has under the name of each attribute. Where no attribute of the type has a name
/// of the lexicon, the commonest one that ends with it stands for it: "projector brightness".
void AddLexicon(std::vector<SchemaKey>& keys) {
  std::unordered_set<size_t> owned;
  std::vector<SchemaKey*> others;
  for (SchemaKey& key : keys) {
    key.phrases.push_back(key.folded);
    // "Power over ethernet (PoE)".
    if (key.kind == SchemaKey::Kind::kBoolean) Append({UnqualifiedName(key)}, key.phrases);
    AddAbbreviation(key);
    key.words = TellingWordsOf(key.folded);
    key.head_words = TellingWordsOf(UnqualifiedName(key)).size();
    auto found = TheLexicon().by_name.find(key.folded);
    if (found == TheLexicon().by_name.end()) {
      found = TheLexicon().by_name.find(UnqualifiedName(key));
    }
    if (found == TheLexicon().by_name.end()) {
      AddPartPhrases(key);
      if (!IsPacking(key)) others.push_back(&key);
      continue;
    }
    key.place = found->second.front().place;
    for (const auto& [at, place] : found->second) {
      key.place = std::min(key.place, place);
      AddProperty(TheLexicon().properties[at], key);
      owned.insert(at);
    }
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto* a, const auto* b) { return a->records > b->records; });
  for (SchemaKey* key : others) {
    // "Backlight display: no" does not say that there is no display.
    if (key->kind == SchemaKey::Kind::kBoolean) continue;
    const size_t blank = key->folded.find(' ');
    if (blank == std::string::npos) continue;
    const auto found = TheLexicon().by_name.find(key->folded.substr(blank + 1));
    if (found == TheLexicon().by_name.end()) continue;
    for (const auto& [at, place] : found->second) {
      if (!owned.insert(at).second) continue;
      // Wishes are about the property itself: "a big house" wants no switching capacity.
      LexiconProperty spoken = TheLexicon().properties[at];
      spoken.low = spoken.high = spoken.yes = {};
      AddProperty(spoken, *key);
    }
  }
}

/// "12 cups", "10 cups": the attribute is also asked about by what it counts.
void AddCounted(SchemaKey& key) {
  std::map<std::string, size_t> counted;
  for (const SchemaValue& value : key.values) {
    const size_t blank = value.folded.find(' ');
    if (!value.number || blank == std::string::npos) continue;
    const std::string word = value.folded.substr(blank + 1);
    const bool is_word = word.size() > 2 && word.find(' ') == std::string::npos &&
                         word.find_first_of("0123456789") == std::string::npos;
    if (is_word) counted[SingularOf(word)] += value.records;
  }
  for (const auto& [word, records] : counted) {
    if (2 * records >= key.records) key.phrases.push_back(word);
  }
}

SchemaKey::Kind KindOf(const SchemaKey& key) {
  size_t numbers = 0, answers = 0;
  for (const SchemaValue& value : key.values) {
    if (value.is_yes() || value.is_no()) answers += value.records;
    if (value.number) numbers += value.records;
  }
  if (answers == key.records) return SchemaKey::Kind::kBoolean;
  const auto all = static_cast<double>(key.records - answers);
  return static_cast<double>(numbers) >= kMostlyNumbers * all ? SchemaKey::Kind::kNumber
                                                              : SchemaKey::Kind::kText;
}

}  // namespace

std::string SingularOf(std::string word) {
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

bool MeansYes(std::string_view folded) {
  return folded == "yes" || folded == "y" || folded == "true" || folded == "是" || folded == "有" ||
         folded == "支持";
}
bool MeansNo(std::string_view folded) {
  return folded == "no" || folded == "n" || folded == "none" || folded == "false" ||
         folded == "否" || folded == "无" || folded == "没有" || folded == "不支持";
}

std::vector<std::string> SchemaKey::ValuesThatMean(bool wanted) const {
  std::vector<std::string> found;
  for (const SchemaValue& value : values) {
    if (value.is_no() != wanted) found.push_back(value.text);
  }
  return found;
}

TypeSchema TypeSchema::Learn(const std::vector<const catalog::Product*>& products) {
  std::map<std::string, std::map<std::string, size_t>> counts;
  for (const catalog::Product* product : products) {
    for (const auto* list : {&product->attributes, &product->options}) {
      for (const catalog::Attribute& each : *list) ++counts[each.name][each.value];
    }
  }
  TypeSchema schema;
  schema.product_count_ = products.size();
  schema.words_ = RecordWords::Learn(products);
  for (auto& [name, values] : counts) {
    SchemaKey key;
    key.name = name;
    key.folded = retrieval::FoldWords(name);
    for (const auto& [text, records] : values) {
      SchemaValue value{.text = text, .folded = retrieval::FoldWords(text), .records = records};
      if (auto quantity = QuantityOf(text)) {
        value.number = quantity->number;
        value.number_to = quantity->number_to;
        value.unit = std::move(quantity->unit);
      }
      key.records += records;
      key.values.push_back(std::move(value));
    }
    key.kind = KindOf(key);
    schema.keys_.push_back(std::move(key));
  }
  AddLexicon(schema.keys_);
  for (SchemaKey& key : schema.keys_) AddCounted(key);
  LearnUnits(products, schema.keys_);
  return schema;
}

const SchemaKey* TypeSchema::Find(std::string_view name) const {
  const auto found = std::lower_bound(
      keys_.begin(), keys_.end(), name,
      [](const SchemaKey& key, std::string_view wanted) { return key.name < wanted; });
  return found == keys_.end() || found->name != name ? nullptr : &*found;
}

namespace {

/// "58 to 62 cm": the unit stands behind the end.
void AddInterval(std::string_view value, Quantity& quantity) {
  double from = 0, to = 0;
  const size_t digit = value.find_first_of("0123456789");
  const char* const end = value.data() + value.size();
  const auto first = std::from_chars(value.data() + digit, end, from);
  std::string_view rest(first.ptr, static_cast<size_t>(end - first.ptr));
  const size_t next = rest.find_first_of("0123456789");
  if (next == std::string_view::npos || next > kMaxBetween || from <= 0) return;
  const std::string_view between = rest.substr(0, next);
  if (between.find("to") == std::string_view::npos && between.find('-') == std::string_view::npos)
    return;
  if (std::from_chars(rest.data() + next, end, to).ec != std::errc() || to <= from) return;
  quantity.number_to = quantity.number;
  quantity.number = *quantity.number_to * from / to;
}

}  // namespace

std::optional<Quantity> QuantityOf(std::string_view value) {
  const auto measures = retrieval::FindMeasures(value, 1);
  const size_t digit = value.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  if (value.find(" x ") != std::string_view::npos) return std::nullopt;  // several: "256 x 170 mm"
  if (!measures.empty()) {
    Quantity quantity{measures[0].value, std::string(measures[0].base)};
    AddInterval(value, quantity);
    return quantity;
  }
  const size_t end = std::min(value.find_first_not_of("0123456789.,", digit), value.size());
  std::string_view number = value.substr(digit, end - digit);
  while (!number.empty() && std::isdigit(static_cast<unsigned char>(number.back())) == 0) {
    number.remove_suffix(1);
  }
  auto plain = retrieval::ParsePlainNumber(number);
  if (!plain) return std::nullopt;
  if (digit > 0 && value[digit - 1] == '-' && (digit == 1 || value[digit - 2] == ' ')) {
    plain = -*plain;
  }
  return Quantity{*plain, ""};
}

std::optional<double> NumberOf(const catalog::Product& product, std::string_view key,
                               int64_t now_unix, const catalog::Market& market) {
  if (key == "price") {
    const auto price = catalog::ComputePayablePrice(product, now_unix, market).price;
    return price ? std::optional<double>(static_cast<double>(price->amount)) : std::nullopt;
  }
  if (key == "rating" || key == "reviews") {
    if (!product.rating) return std::nullopt;
    return key == "rating" ? product.rating->value : static_cast<double>(product.rating->count);
  }
  const std::string* const value = ValueOf(product, key);
  const auto quantity = value == nullptr ? std::nullopt : QuantityOf(*value);
  return quantity ? std::optional<double>(quantity->number) : std::nullopt;
}

std::string LabelOf(const std::string& name, std::string_view language) {
  const auto& names = TheLexicon().by_name;
  auto found = names.find(retrieval::FoldWords(name));
  std::string_view qualifier;
  if (const size_t at = name.find(" (");
      found == names.end() && at != std::string::npos && at > 0) {
    // "noise level (spin)" is a "Lautstärke (Schleudern)".
    found = names.find(retrieval::FoldWords(std::string_view(name).substr(0, at)));
    qualifier = std::string_view(name).substr(at + 2, name.find(')', at) - at - 2);
  }
  if (found == names.end()) return name;
  // "Play time" names a property of its own, and is another name of "battery life".
  const auto own = std::find_if(found->second.begin(), found->second.end(),
                                [](const auto& each) { return each.place == 0; });
  const auto& property = own == found->second.end() ? found->second.front() : *own;
  const auto& labels = TheLexicon().properties[property.property].labels;
  const auto label = labels.find(language);
  if (label == labels.end() || label->second.empty()) return name;
  if (qualifier.empty()) return label->second;
  const std::string translated = TranslateValue(qualifier, language);
  return label->second + " (" + (translated.empty() ? std::string(qualifier) : translated) + ")";
}

const std::string* ValueOf(const catalog::Product& product, std::string_view key) {
  for (const auto* list : {&product.attributes, &product.options}) {
    for (const catalog::Attribute& each : *list) {
      if (each.name == key) return &each.value;
    }
  }
  return nullptr;
}

}  // namespace emptor::services
