// Changes of conditions by data/lexicon/cues.txt and data/lexicon/exclusions.txt.
#include "services/assistant/reading/condition_changes.h"

#include <algorithm>
#include <optional>

#include "retrieval/text/fold.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxLiftedWords = 5;

/// Words that stand for values of one dimension, by its name.
const PhraseTable& TheDimensions() {
  static const auto* const dimensions = new PhraseTable(ParsePhraseTable(kExclusionLexicon, ": "));
  return *dimensions;
}

std::optional<std::string_view> DimensionOf(const WordCondition& condition) {
  for (const auto& [name, words] : TheDimensions()) {
    const bool is_of_it = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word == condition.text || Meets(word, condition);
    });
    if (is_of_it) return name;
  }
  return std::nullopt;
}

bool IsMaker(const WordCondition& condition, const RecordWords* words) {
  return words != nullptr && words->IsMostlyMaker(condition.text);
}

bool Names(const std::string& text, const std::string& value) {
  return !text.empty() && FoldedMessage::FromFolded(text).Has(retrieval::FoldWords(value));
}

void DropNamed(const std::string& text, std::vector<std::string>& values) {
  std::erase_if(values, [&](const std::string& each) { return Names(text, each); });
}

/// Appends the values of `more` that `values` lacks.
void Join(const std::vector<std::string>& more, std::vector<std::string>& values) {
  for (const std::string& each : more) {
    if (std::find(values.begin(), values.end(), each) == values.end()) values.push_back(each);
  }
}

/// `said` joins what `wanted` demands, or no longer is `unwanted`; else it demands nothing.
void JoinValues(const std::vector<std::string>& wanted, std::vector<std::string>& unwanted,
                std::vector<std::string>& said) {
  std::erase_if(unwanted, [&](const std::string& each) {
    return std::find(said.begin(), said.end(), each) != said.end();
  });
  if (wanted.empty()) {
    said.clear();
  } else {
    Join(wanted, said);
  }
}

}  // namespace

Lifted ReadLifted(const FoldedMessage& message) {
  Lifted lifted;
  lifted.brand = HasCue(message, Cue::kAnyBrand);
  lifted.colour = HasCue(message, Cue::kAnyColour);
  lifted.price = HasCue(message, Cue::kAnyPrice);
  const FoldedMessage::Span cue = FindCue(message, Cue::kLift);
  if (!cue.found()) return lifted;
  size_t count = 0;
  bool ends = false;
  ForEachWord(message.text().substr(cue.end), [&](const std::string& word) {
    // "Von Dell": what the first small words belong to follows.
    const bool is_end = HasCue(FoldedMessage::FromFolded(word), Cue::kNameEnd);
    ends = ends || (is_end && !lifted.text.empty());
    if (is_end || ends || ++count > kMaxLiftedWords) return;
    lifted.text += (lifted.text.empty() ? "" : " ") + word;
  });
  return lifted;
}

void LiftFrom(const Lifted& lifted, retrieval::Filter& filter) {
  if (lifted.brand) filter.brands.clear(), filter.excluded_brands.clear();
  if (lifted.colour) filter.colors.clear(), filter.excluded_colors.clear();
  if (lifted.price) filter.min_price.reset(), filter.max_price.reset();
  for (auto* values : {&filter.brands, &filter.excluded_brands, &filter.colors,
                       &filter.excluded_colors, &filter.excluded_terms}) {
    DropNamed(lifted.text, *values);
  }
  std::erase_if(filter.attributes, [&](const retrieval::AttributeCondition& each) {
    const bool is_colour = retrieval::FoldWords(each.name).find("colo") != std::string::npos;
    if (lifted.colour && is_colour) return true;
    return std::any_of(each.values.begin(), each.values.end(),
                       [&](const std::string& value) { return Names(lifted.text, value); });
  });
}

void LiftFrom(const Lifted& lifted, const RecordWords* words, std::vector<WordCondition>& said) {
  std::erase_if(said, [&](const WordCondition& each) {
    return (lifted.brand && IsMaker(each, words)) ||
           (lifted.colour && DimensionOf(each) == "colour") || Names(lifted.text, each.text);
  });
}

void AddAlternatives(retrieval::Filter& before, retrieval::Filter& filter) {
  JoinValues(before.brands, before.excluded_brands, filter.brands);
  JoinValues(before.colors, before.excluded_colors, filter.colors);
}

bool AreAlternatives(const WordCondition& one, const WordCondition& other,
                     const RecordWords* words) {
  if (IsMaker(one, words) && IsMaker(other, words)) return true;
  const auto dimension = DimensionOf(one);
  return dimension && dimension == DimensionOf(other);
}

bool ExcludeOneAnother(const WordCondition& one, const WordCondition& other,
                       const RecordWords& words, size_t records) {
  constexpr size_t kExpected = 5;  // records with both, if one said nothing of the other
  if (IsMaker(one, &words) || IsMaker(other, &words)) return false;
  if (one.quantity && other.quantity) return one.quantity->base == other.quantity->base;
  if (one.quantity || other.quantity || DimensionOf(one) || DimensionOf(other)) return false;
  const std::vector<uint32_t> a = words.Find(one), b = words.Find(other);
  std::vector<uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.empty() && a.size() * b.size() >= kExpected * records;
}

std::vector<std::string> AlternativesTo(const WordCondition& wanted,
                                        const std::vector<WordCondition>& all) {
  std::vector<std::string> alternatives;
  const auto dimension = DimensionOf(wanted);
  if (!dimension) return alternatives;
  for (const auto& [name, words] : TheDimensions()) {
    if (name != *dimension) continue;
    for (const std::string& word : words) {
      const bool is_wanted = std::any_of(all.begin(), all.end(), [&](const WordCondition& each) {
        return each.text == word || Meets(word, each);
      });
      if (!is_wanted) alternatives.push_back(word);
    }
    return alternatives;
  }
  return alternatives;
}

void JoinAlternatives(const RecordWords* words, std::vector<WordCondition>& before,
                      std::vector<WordCondition>& said) {
  for (const WordCondition& each : said) {
    for (WordCondition& other : before) {
      if (!AreAlternatives(each, other, words)) continue;
      other.any_of.insert(other.any_of.end(), each.any_of.begin(), each.any_of.end());
    }
  }
  said.clear();
}

}  // namespace emptor::services
