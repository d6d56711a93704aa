// Stems and their records.
#include "services/assistant/schema/record_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/stemmer.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/greeting_words.h"
#include "services/assistant/words/message_language.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinBytes = 3;         // a shorter word names no property, unless it has a digit
constexpr size_t kMinModel = 3;         // digits of the number of a model
constexpr size_t kMaxConditions = 5;    // of one message
constexpr size_t kTitlesOfMaker = 3;    // that begin with its name
constexpr size_t kFewQuantities = 5;    // of a dimension, that records state
constexpr size_t kMaxValueBytes = 400;  // a longer value is prose; lists of printers are not

using Stems = std::vector<std::string>;

const retrieval::Stemmer& EnglishStemmer() {
  thread_local const retrieval::Stemmer stemmer(retrieval::Language::kEnglish);
  return stemmer;
}

Stems StemsOf(std::string_view text) {
  Stems stems;
  ForEachWord(retrieval::FoldWords(text),
              [&](const std::string& word) { stems.push_back(StemOf(word)); });
  return stems;
}

bool IsPackingName(const std::string& name) { return FoldedMessage(name).HasAny(PackingWords()); }

/// What a product fits is a list of models, however long.
bool IsCompatibility(const std::string& name) {
  const std::string folded = retrieval::FoldWords(name);
  return folded.find("compatib") != std::string::npos || folded.find("fits") != std::string::npos ||
         folded.find("suitable for") != std::string::npos ||
         folded.find("兼容") != std::string::npos;
}

/// "70x37" of a "label width" of 70 and a "label height" of 37.
std::vector<std::string> DimensionTermsOf(const catalog::Product& product) {
  constexpr std::array<std::string_view, 3> kOthers = {"height", "length", "depth"};
  constexpr std::string_view kWidth = "width";
  std::vector<std::string> terms;
  for (const catalog::Attribute& each : product.attributes) {
    if (!each.name.ends_with(kWidth) || IsPackingName(each.name)) continue;
    const std::string about = each.name.substr(0, each.name.size() - kWidth.size());
    for (const catalog::Attribute& other : product.attributes) {
      const bool is_pair = std::any_of(kOthers.begin(), kOthers.end(), [&](std::string_view name) {
        return other.name == about + std::string(name);
      });
      if (!is_pair) continue;
      for (CountedTerm& term : FindCountedTerms(each.value + " x " + other.value)) {
        terms.push_back(std::move(term.term));
      }
    }
  }
  return terms;
}

/// Stems that were asked for before: records of a type share most of their words.
using StemCache = std::unordered_map<std::string, std::string>;

std::set<std::string> WordsOfRecord(const catalog::Product& product, StemCache& cache) {
  std::set<std::string> words;
  const auto add = [&](std::string_view text) {
    ForEachWord(retrieval::FoldWords(text), [&](std::string word) {
      const auto [stem, is_new] = cache.try_emplace(std::move(word));
      if (is_new) {
        stem->second = StemOf(stem->first);
      }
      words.insert(stem->second);
    });
    for (CountedTerm& each : FindCountedTerms(text)) words.insert(std::move(each.term));
  };
  add(product.title);
  add(product.brand);
  // "Compatible with HP LaserJet 1320": models are also named in the description.
  ForEachWord(retrieval::FoldWords(product.description), [&](const std::string& word) {
    if (IsModelWord(word)) words.insert(word);
  });
  for (std::string& each : DimensionTermsOf(product)) words.insert(std::move(each));
  for (const auto* list : {&product.attributes, &product.options}) {
    for (const catalog::Attribute& each : *list) {
      const std::string folded = retrieval::FoldWords(each.value);
      const bool is_list = IsCompatibility(each.name);
      if (MeansNo(folded) || (each.value.size() > kMaxValueBytes && !is_list)) continue;
      add(MeansYes(folded) ? each.name : each.value);
    }
  }
  return words;
}

/// What a record states with a unit.
std::vector<retrieval::Measure> QuantitiesOf(const catalog::Product& product) {
  constexpr size_t kMaxMeasures = 12;  // of a text
  auto found = retrieval::FindMeasures(product.title, kMaxMeasures);
  for (const auto* list : {&product.attributes, &product.options}) {
    for (const catalog::Attribute& each : *list) {
      if (each.value.size() > kMaxValueBytes) continue;
      for (const auto& measure : retrieval::FindMeasures(each.value, 2)) found.push_back(measure);
    }
  }
  return found;
}

bool IsWithin(double number, const StatedQuantity& quantity) {
  const double slack = retrieval::MeasureTolerance(quantity.base);
  return number >= quantity.min - std::abs(quantity.min) * slack &&
         number <= quantity.max + std::abs(quantity.max) * slack;
}

std::vector<uint32_t> Common(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// Names no property of goods.
bool IsSmall(const std::string& word) {
  if (IsWideText(word)) return true;  // Chinese text has no words to compare: values name them
  return (word.size() < kMinBytes && !HasDigit(word)) || IsSmallWord(word) ||
         retrieval::IsStopWord(word) || retrieval::IsRequestWord(word) || IsCueWord(word) ||
         IsStoryWord(word);
}

}  // namespace

RecordWords RecordWords::Learn(const std::vector<const catalog::Product*>& products) {
  RecordWords learned;
  StemCache cache;
  for (size_t i = 0; i < products.size(); ++i) {
    const std::string title = retrieval::FoldWords(products[i]->title);
    ++learned.first_words_[title.substr(0, title.find(' '))];
    for (const std::string& word : WordsOfRecord(*products[i], cache)) {
      learned.records_[word].push_back(static_cast<uint32_t>(i));
    }
    for (const retrieval::Measure& each : QuantitiesOf(*products[i])) {
      learned.quantities_[std::string(each.base)].emplace_back(each.value,
                                                               static_cast<uint32_t>(i));
    }
  }
  for (auto& [base, quantities] : learned.quantities_) {
    std::sort(quantities.begin(), quantities.end());
  }
  return learned;
}

bool RecordWords::IsMaker(const std::string& word) const {
  const auto found = first_words_.find(word);
  return found != first_words_.end() && found->second >= kTitlesOfMaker;
}

bool RecordWords::IsMostlyMaker(const std::string& word) const {
  return IsMaker(word) && 2 * first_words_.at(word) >= Find(DemandOf(word)).size();
}

std::vector<uint32_t> RecordWords::Find(const WordCondition& condition) const {
  std::vector<uint32_t> found;
  for (const Stems& stems : condition.any_of) {
    std::vector<uint32_t> all;
    for (size_t i = 0; i < stems.size(); ++i) {
      const auto records = records_.find(stems[i]);
      if (records == records_.end()) {
        all.clear();
        break;
      }
      all = i == 0 ? records->second : Common(all, records->second);
    }
    std::vector<uint32_t> either;
    std::set_union(found.begin(), found.end(), all.begin(), all.end(), std::back_inserter(either));
    found = std::move(either);
  }
  if (condition.quantity) AddStating(*condition.quantity, found);
  return found;
}

bool RecordWords::StatesDimension(std::string_view base) const {
  const auto stated = quantities_.find(base);
  return stated != quantities_.end() && stated->second.size() >= kFewQuantities;
}

void RecordWords::AddStating(const StatedQuantity& quantity, std::vector<uint32_t>& found) const {
  const auto stated = quantities_.find(quantity.base);
  if (stated == quantities_.end()) return;
  for (const auto& [number, record] : stated->second) {
    if (IsWithin(number, quantity)) found.push_back(record);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

std::vector<std::vector<uint32_t>> RecordWords::ByCoverage(
    const std::vector<WordCondition>& conditions) const {
  std::unordered_map<uint32_t, size_t> met;
  for (const WordCondition& each : conditions) {
    for (const uint32_t record : Find(each)) ++met[record];
  }
  std::vector<std::vector<uint32_t>> groups(conditions.size());
  for (const auto& [record, count] : met) groups[conditions.size() - count].push_back(record);
  for (std::vector<uint32_t>& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

std::string StemOf(const std::string& word) {
  return IsWideText(word) ? word : EnglishStemmer().Stem(word);
}

std::vector<std::string> TellingWords(const FoldedMessage& message) {
  std::vector<std::string> words;
  ForEachWord(message.text(), [&](const std::string& word) {
    if (!IsSmall(word) && !retrieval::ParsePlainNumber(word)) words.push_back(word);
  });
  return words;
}

bool IsOrdinaryWord(const std::string& word) {
  if (IsWideText(word) || word.find(' ') != std::string::npos) return false;
  return retrieval::IsStopWord(word) || retrieval::IsRequestWord(word) || IsCueWord(word) ||
         IsGreetingWord(word) || IsSmallWord(word);
}

bool IsModelWord(const std::string& word) {
  if (IsSizeWord(word.substr(0, word.find(' ')))) return false;  // "size 8"
  const size_t digits = DigitsOf(word);
  if (digits == 0 || word.size() < kMinBytes || IsWideText(word)) return false;
  const bool begins_with_letter = std::isdigit(static_cast<unsigned char>(word[0])) == 0;
  return (digits == word.size() || begins_with_letter) && !retrieval::ParseMeasure(word);
}

size_t DigitsOf(std::string_view word) {
  return static_cast<size_t>(std::count_if(word.begin(), word.end(),
                                           [](unsigned char c) { return std::isdigit(c) != 0; }));
}

bool HasDigit(std::string_view word) { return DigitsOf(word) > 0; }

bool IsLineName(const std::string& word) {
  return word.size() >= kMinBytes && !HasDigit(word) && !IsOrdinaryWord(word) &&
         !IsLexiconWord(word);
}

WordCondition DemandOf(const std::string& word) { return {word, {StemsOf(word)}}; }

WordCondition DemandOf(const CountedTerm& term) { return {term.said, {{term.term}}}; }

WordCondition DemandOf(const NamedValue& value, std::string_view said) {
  WordCondition condition{std::string(said), {StemsOf(said)}};
  for (const std::string& phrase : EnglishPhrasesOf(value.canonical)) {
    Stems stems = StemsOf(phrase);
    if (!stems.empty()) condition.any_of.push_back(std::move(stems));
  }
  return condition;
}

bool HasShortWord(const WordCondition& condition) {
  return std::any_of(condition.any_of.begin(), condition.any_of.end(), [](const Stems& stems) {
    return stems.size() == 1 && stems.front().size() < kMinBytes;
  });
}

bool IsUnitAt(const FoldedMessage& message, const NamedValue& value) {
  const std::string_view before = message.text().substr(0, value.span.begin);
  const size_t end = before.find_last_not_of(' ');
  return end != std::string_view::npos && before[end] >= '0' && before[end] <= '9' &&
         retrieval::FindUnit(value.canonical).has_value();
}

bool Meets(std::string_view text, const WordCondition& condition) {
  const Stems stems = StemsOf(text);
  std::set<std::string> words(stems.begin(), stems.end());
  for (CountedTerm& each : FindCountedTerms(text)) words.insert(std::move(each.term));
  if (condition.quantity) {
    constexpr size_t kMaxMeasures = 40;
    for (const auto& each : retrieval::FindMeasures(text, kMaxMeasures)) {
      const bool is_of_dimension = each.base == condition.quantity->base;
      if (is_of_dimension && IsWithin(each.value, *condition.quantity)) return true;
    }
  }
  return std::any_of(condition.any_of.begin(), condition.any_of.end(), [&](const Stems& wanted) {
    return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(),
                                          [&](const auto& stem) { return words.contains(stem); });
  });
}

namespace {

constexpr std::array<std::string_view, 6> kOr = {"or", "oder", "ou", "o", "u", "或"};

bool IsAlternative(const std::string& word) {
  return std::find(kOr.begin(), kOr.end(), word) != kOr.end();
}

/// As FoldedMessage::Without leaves it.
bool IsStruck(const std::string& word) { return word.size() > 1 && IsStruckOut(word); }

/// Collects the demands of a message in its order.
class DemandReader {
 public:
  explicit DemandReader(const RecordWords& words) : words_(words) {}

  /// `is_required`: demanded also where no record has it, which the answer has to say.
  bool Add(WordCondition condition, bool is_required = false) {
    const bool is_new =
        std::find(conditions_.begin(), conditions_.end(), condition) == conditions_.end();
    const bool counts =
        is_new && conditions_.size() < kMaxConditions && (is_required || words_.Knows(condition));
    if (counts) conditions_.push_back(std::move(condition));
    return counts;
  }

  void Read(const FoldedMessage& rest) {
    bool follows = false;   // behind a word that counts: "spf 50"
    bool widens = false;    // behind "or"
    bool measures = false;  // behind a number
    const bool has_purpose = HasCue(rest, Cue::kPurpose);
    std::string before;  // the word before
    ForEachWord(rest.text(), [&](const std::string& word) {
      const bool is_unit = measures && retrieval::FindUnit(word);
      measures = retrieval::ParsePlainNumber(word).has_value();
      // "750 watt" is a quantity, and struck words are none.
      if (is_unit || IsStruck(word) || IsPropertyNoun(word)) {
        follows = widens = false;
        return;
      }
      if (IsAlternative(word)) {
        widens = follows;
        return;
      }
      const bool is_number = retrieval::ParsePlainNumber(word).has_value();
      // "LG", "HP".
      const bool is_short_maker =
          word.size() + 1 == kMinBytes && words_.IsMostlyMaker(word) && !IsOrdinaryWord(word);
      // "Samsung ML-2010", "Deskjet 5740": the number of what goods have to fit.
      const bool is_model = is_number && has_purpose && word.size() >= kMinModel &&
                            word.find_first_of(".,") == std::string::npos && IsNameBefore(before);
      before = word;
      if (is_number ? !follows && !is_model : IsSmall(word) && !is_short_maker) {
        follows = widens = false;
        return;
      }
      const bool is_fitted = is_model || (has_purpose && NamesModel(word));
      if (is_number && follows && !is_model && AddToName(word, has_purpose)) return;
      follows = widens && !is_number ? Widen(DemandOf(word)) : Add(DemandOf(word), is_fitted);
      widens = false;
    });
  }

  std::vector<WordCondition> Take() { return std::move(conditions_); }

 private:
  /// "T60", "X5570": letters before digits.
  static bool NamesModel(const std::string& word) {
    return IsModelWord(word) && std::isalpha(static_cast<unsigned char>(word[0])) != 0;
  }

  /// "13" of "a case for iPhone 13" is of the word before it, and of no other.
  bool AddToName(const std::string& number, bool is_fitted) {
    if (conditions_.empty() || number.size() >= kMinModel) return false;
    const WordCondition& name = conditions_.back();
    if (name.any_of.size() != 1 || name.quantity || name.any_of[0].size() != 1) return false;
    WordCondition both{name.text + " " + number, {{name.any_of[0][0], number}}};
    return Add(std::move(both), is_fitted);
  }

  /// What may begin the name of a model: no word of a language.
  static bool IsNameBefore(const std::string& word) {
    return !word.empty() && !IsOrdinaryWord(word) && !IsStruck(word) && !HasDigit(word);
  }

  /// "Philips or Havells": the latest demand is met by the word, too.
  bool Widen(const WordCondition& condition) {
    WordCondition& widened = conditions_.back();
    if (!words_.Knows(condition) || widened.any_of == condition.any_of) return false;
    widened.text += " / " + condition.text;
    widened.any_of.insert(widened.any_of.end(), condition.any_of.begin(), condition.any_of.end());
    return true;
  }

  const RecordWords& words_;
  std::vector<WordCondition> conditions_;
};

}  // namespace

namespace {

/// "有lg的吗": Latin words within Chinese text stand between blanks.
FoldedMessage PartScripts(const FoldedMessage& message) {
  std::string parted;
  for (const char c : message.text()) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    const bool was_ascii = parted.empty() || static_cast<unsigned char>(parted.back()) < 0x80;
    const bool changes = is_ascii ? !was_ascii && c != ' ' : was_ascii && !parted.empty();
    if (changes && parted.back() != ' ') parted += ' ';
    parted += c;
  }
  return FoldedMessage::FromFolded(std::move(parted));
}

}  // namespace

namespace {

/// "Red or blue": one demand, which either value meets.
void JoinAlternatives(const FoldedMessage& message, std::vector<WordCondition>& conditions) {
  const auto are_joined = [&](const WordCondition& a, const WordCondition& b) {
    return std::any_of(kOr.begin(), kOr.end(), [&](std::string_view joint) {
      return message.Has(a.text + " " + std::string(joint) + " " + b.text);
    });
  };
  for (size_t i = 0; i < conditions.size(); ++i) {
    for (size_t j = 0; j < conditions.size(); ++j) {
      if (i == j || !are_joined(conditions[i], conditions[j])) continue;
      conditions[i].text += " / " + conditions[j].text;
      conditions[i].any_of.insert(conditions[i].any_of.end(), conditions[j].any_of.begin(),
                                  conditions[j].any_of.end());
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(j));
      return;
    }
  }
}

}  // namespace

std::vector<WordCondition> ReadWordConditions(const FoldedMessage& message,
                                              std::string_view language, const RecordWords& words) {
  DemandReader reader(words);
  FoldedMessage rest = message;
  for (const NamedValue& value : FindNamedValues(message, language)) {
    const std::string said(message.text().substr(value.span.begin, value.span.size()));
    if (IsSmall(said) && !IsWideText(said)) continue;
    if (IsUnitAt(message, value)) continue;
    // "我说的是": yes and no are no properties.
    if (MeansYes(value.canonical) || MeansNo(value.canonical)) continue;
    if (IsTimeWord(value.canonical)) {
      rest = rest.Without(value.span);
      continue;
    }
    if (IsPlacePurpose(message, value.canonical, value.span)) {
      rest = rest.Without(value.span);
      continue;
    }
    reader.Add(DemandOf(value, said), IsFeature(value.canonical));
    rest = rest.Without(value.span);
  }
  reader.Read(language == "zh" ? PartScripts(rest) : rest);
  std::vector<WordCondition> conditions = reader.Take();
  JoinAlternatives(message, conditions);
  return conditions;
}

}  // namespace emptor::services
