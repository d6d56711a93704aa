// Names and values of attributes in the folded message.
#include "services/assistant/attribute_binding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/attribute_lexicon.h"

namespace emptor::services {
namespace {

using retrieval::FoldWords;

constexpr size_t kMaxValueBytes = 40;  // a longer value is prose
constexpr size_t kMinValueBytes = 3;
constexpr size_t kNegationReach = 24;  // bytes before a name in which a negation counts

bool IsWide(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text[0]) >= 0xE0;
}

/// Where `phrase` stands in the folded text as whole words; npos: nowhere.
size_t FindPhrase(const std::string& folded, const std::string& phrase) {
  if (phrase.empty()) return std::string::npos;
  if (IsWide(phrase)) return folded.find(phrase);
  const std::string padded = " " + folded + " ";
  for (const char* ending : {" ", "s "}) {
    const size_t at = padded.find(" " + phrase + ending);
    if (at != std::string::npos) return at;
  }
  return std::string::npos;
}

/// One property: the names that it has in records, and the phrases that speak about it.
struct LexiconProperty {
  std::vector<std::string> names, phrases;  // folded
  std::vector<std::string> less, more;      // words that rank: "quieter", "louder"
};

/// The phrases of "en phrase | en phrase ; de: Phrase ; less: Wort | Wort", each where it belongs.
void AddPhrases(std::string_view text, LexiconProperty& property) {
  std::vector<std::string>* target = &property.phrases;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("|;"), text.size());
    std::string_view part = text.substr(0, end);
    const bool ends_group = end < text.size() && text[end] == ';';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const size_t tag = part.find(':'); tag != std::string_view::npos) {
      const std::string name = FoldWords(part.substr(0, tag));
      target = name == "less"   ? &property.less
               : name == "more" ? &property.more
                                : &property.phrases;
      part.remove_prefix(tag + 1);
    }
    if (std::string folded = FoldWords(part); !folded.empty()) target->push_back(std::move(folded));
    if (ends_group) target = &property.phrases;
  }
}

const std::vector<LexiconProperty>& TheLexicon() {
  static const auto* const lexicon = [] {
    auto parsed = std::make_unique<std::vector<LexiconProperty>>();
    std::string_view text = kAttributeLexicon;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const size_t colon = line.find(" : ");
      if (line.empty() || line[0] == '#' || colon == std::string_view::npos) continue;
      LexiconProperty names, property;
      AddPhrases(line.substr(0, colon), names);
      AddPhrases(line.substr(colon + 3), property);
      property.names = std::move(names.phrases);
      parsed->push_back(std::move(property));
    }
    return parsed.release();
  }();
  return *lexicon;
}

/// The properties that a key of a record may stand for.
std::vector<const LexiconProperty*> PropertiesOf(const std::string& folded_key) {
  std::vector<const LexiconProperty*> found;
  for (const LexiconProperty& property : TheLexicon()) {
    const bool is_it =
        std::find(property.names.begin(), property.names.end(), folded_key) != property.names.end();
    if (is_it) found.push_back(&property);
  }
  return found;
}

bool IsYes(const std::string& folded) {
  return folded == "yes" || folded == "是" || folded == "有";
}
bool IsNo(const std::string& folded) {
  return folded == "no" || folded == "none" || folded == "否" || folded == "无" || folded == "没有";
}

bool IsBoolean(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), [](const std::string& value) {
    const std::string folded = FoldWords(value);
    return IsYes(folded) || IsNo(folded);
  });
}

bool IsNegatedAt(const std::string& folded, size_t at) {
  static constexpr std::array<std::string_view, 16> kNegations = {
      " without ", " no ",   " not ", " dont ", " doesnt ", " ohne ", " kein ", " keine ",
      " nicht ",   " sans ", " pas ", " sin ",  " isnt ",   " non ",  "没有",   "不带"};
  const size_t begin = at > kNegationReach ? at - kNegationReach : 0;
  const std::string before = " " + folded.substr(begin, at - begin) + " ";
  return std::any_of(kNegations.begin(), kNegations.end(),
                     [&](std::string_view word) { return before.find(word) != std::string::npos; });
}

void SetCondition(const std::string& name, const std::string& value, retrieval::Filter& filter) {
  std::erase_if(filter.attributes, [&](const auto& each) { return each.name == name; });
  filter.attributes.push_back({name, {value}});
}

/// "yes" or "no" in the words of the records.
std::string WordFor(bool wanted, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    const std::string folded = FoldWords(value);
    if (wanted ? IsYes(folded) : IsNo(folded)) return value;
  }
  return "";
}

bool IsTextValue(const std::string& folded) {
  const bool has_digit = std::any_of(folded.begin(), folded.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  const bool is_short =
      folded.size() <= kMaxValueBytes && (folded.size() >= kMinValueBytes || IsWide(folded));
  return is_short && !has_digit && !IsYes(folded) && !IsNo(folded);
}

bool IsColorName(const std::string& name) {
  return name.find("color") != std::string::npos || name.find("colour") != std::string::npos ||
         name.find("颜色") != std::string::npos;
}

void BindValues(const std::string& folded, const std::string& name,
                const std::vector<std::string>& values, retrieval::Filter& filter) {
  std::vector<std::string> found;
  for (const std::string& value : std::set<std::string>(values.begin(), values.end())) {
    const std::string text = FoldWords(value);
    const size_t at = IsTextValue(text) ? FindPhrase(folded, text) : std::string::npos;
    if (at != std::string::npos && !IsNegatedAt(folded, at)) found.push_back(value);
  }
  if (found.empty() || (IsColorName(name) && !filter.colors.empty())) return;
  std::erase_if(filter.attributes, [&](const auto& each) { return each.name == name; });
  filter.attributes.push_back({name, std::move(found)});
}

}  // namespace

TypeSchema LearnSchema(const std::vector<catalog::Product>& products) {
  TypeSchema schema;
  for (const catalog::Product& product : products) {
    for (const catalog::Attribute& each : product.attributes) {
      schema[each.name].push_back(each.value);
    }
  }
  return schema;
}

std::vector<std::string> ResolveAttributes(std::string_view message, const TypeSchema& schema) {
  const std::string folded = FoldWords(message);
  std::vector<std::pair<size_t, std::string>> found;  // by the length of what names it
  for (const auto& [name, values] : schema) {
    const std::string own = FoldWords(name);
    size_t length = FindPhrase(folded, own) == std::string::npos ? 0 : own.size() + 1;
    for (const LexiconProperty* property : PropertiesOf(own)) {
      for (const std::string& phrase : property->phrases) {
        if (FindPhrase(folded, phrase) != std::string::npos)
          length = std::max(length, phrase.size());
      }
    }
    if (length > 0) found.emplace_back(length, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [length, name] : found) names.push_back(std::move(name));
  return names;
}

namespace {

using Views = std::vector<std::string_view>;

/// Words that rank by what every record has.
struct RankWords {
  std::string_view key;
  bool is_least;
  Views phrases;
};
const std::vector<RankWords>& TheRankWords() {
  static const auto* const words = new std::vector<RankWords>{
      {"price", true, {"cheapest",        "cheaper",     "least expensive", "lowest price",
                       "most affordable", "costs less",  "billigste",       "billigsten",
                       "gunstigste",      "gunstigsten", "gunstiger",       "billiger",
                       "moins cher",      "moins chere", "mas barato",      "mas barata",
                       "cuesta menos",    "最便宜",      "更便宜",          "便宜"}},
      {"price",
       false,
       {"most expensive", "dearest", "priciest", "more expensive", "costs more", "teuerste",
        "teuersten", "teurer", "plus cher", "plus chere", "mas caro", "mas cara", "最贵", "更贵"}},
      {"reviews",
       false,
       {"most reviewed", "most reviews", "more reviews", "most popular", "meisten bewertungen",
        "plus d avis", "mas opiniones", "mas resenas", "评论最多", "评价最多", "most ratings",
        "meistbewertete"}},
      {"rating",
       false,
       {"best rated",     "highest rated",      "better rated",   "top rated",
        "best reviewed",  "highest rating",     "better reviews", "best rating",
        "better rating",  "am besten bewertet", "bestbewertete",  "besser bewertet",
        "mieux note",     "mieux notee",        "meilleure note", "mejor valorado",
        "mejor valorada", "mejor puntuacion",   "评分最高",       "评价最好"}}};
  return *words;
}
constexpr std::array<std::string_view, 22> kMostWords = {
    "longest",     "highest",  "most",    "biggest",  "largest", "longer",
    "higher",      "bigger",   "larger",  "more",     "langste", "langsten",
    "hochste",     "hochsten", "grosste", "grossten", "meisten", "plus longue",
    "plus grande", "mayor",    "最长",    "最大"};
constexpr std::array<std::string_view, 16> kLeastWords = {
    "shortest", "lowest",     "least",    "smallest",  "shorter",     "lower", "smaller", "fewest",
    "kurzeste", "niedrigste", "kleinste", "wenigsten", "plus petite", "menor", "最短",    "最小"};

bool HoldsAny(const std::string& folded, const auto& phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
    return !phrase.empty() && FindPhrase(folded, std::string(phrase)) != std::string::npos;
  });
}

}  // namespace

std::optional<RankedKey> ResolveRank(std::string_view message, const TypeSchema& schema) {
  const std::string folded = FoldWords(message);
  for (const RankWords& words : TheRankWords()) {
    if (HoldsAny(folded, words.phrases)) return RankedKey{std::string(words.key), words.is_least};
  }
  const std::vector<std::string> keys = ResolveAttributes(message, schema);
  if (keys.empty()) return std::nullopt;
  const std::string own = FoldWords(keys.front());
  for (const LexiconProperty* property : PropertiesOf(own)) {
    if (HoldsAny(folded, property->less)) return RankedKey{keys.front(), true};
    if (HoldsAny(folded, property->more)) return RankedKey{keys.front(), false};
  }
  if (HoldsAny(folded, kMostWords)) return RankedKey{keys.front(), false};
  if (HoldsAny(folded, kLeastWords)) return RankedKey{keys.front(), true};
  return std::nullopt;
}

void BindAttributes(std::string_view message, const TypeSchema& schema, retrieval::Filter& filter) {
  const std::string folded = FoldWords(message);
  for (const auto& [name, values] : schema) {
    if (!IsBoolean(values)) BindValues(folded, name, values, filter);
  }
  for (const std::string& name : ResolveAttributes(message, schema)) {
    const std::vector<std::string>& values = schema.at(name);
    if (!IsBoolean(values)) continue;
    const size_t at = FindPhrase(folded, FoldWords(name));
    const bool is_negated = IsNegatedAt(folded, at == std::string::npos ? folded.size() : at);
    const std::string wanted = WordFor(!is_negated, values);
    if (!wanted.empty()) SetCondition(name, wanted, filter);
  }
  for (retrieval::NumericRange& range : filter.ranges) {
    if (!range.attribute.empty()) continue;
    for (const std::string& name : ResolveAttributes(message, schema)) {
      if (range.attribute.empty() && !IsBoolean(schema.at(name))) range.attribute = name;
    }
  }
}

}  // namespace emptor::services
