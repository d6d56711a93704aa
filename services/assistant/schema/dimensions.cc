// Dimensions by the words of questions and of keys.
#include "services/assistant/schema/dimensions.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {

struct Dimension {
  std::string name, unit;
  std::vector<std::string> asked, of_keys;  // folded phrases
};

namespace {

using Span = FoldedMessage::Span;

constexpr std::string_view kNumber = "number";  // a number of any dimension
constexpr std::string_view kSide = "side";
constexpr std::string_view kVague = "vague";  // a size of any dimension
constexpr std::string_view kCount = "count";

const std::vector<Dimension>& TheDimensions() {
  static const std::vector<Dimension>* const dimensions = [] {
    auto parsed = std::make_unique<std::vector<Dimension>>();
    ForEachLexiconLine(kDimensionLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      const size_t blank = std::min(head.find(' '), head.size());
      Dimension dimension{std::string(head.substr(0, blank)), "", {}, {}};
      if (blank < head.size()) dimension.unit = std::string(head.substr(blank + 1));
      for (LexiconGroup& group : ParsePhraseGroups(rest)) {
        auto& phrases = group.tag == "key" ? dimension.of_keys : dimension.asked;
        std::move(group.phrases.begin(), group.phrases.end(), std::back_inserter(phrases));
      }
      parsed->push_back(std::move(dimension));
    });
    return parsed.release();
  }();
  return *dimensions;
}

const Dimension& DimensionOf(std::string_view name) {
  return *std::find_if(TheDimensions().begin(), TheDimensions().end(),
                       [&](const Dimension& each) { return each.name == name; });
}

/// "Ports" and "gears" count something.
bool NamesSeveral(const SchemaKey& key) {
  const std::string_view name = key.folded;
  return key.kind == SchemaKey::Kind::kNumber && name.ends_with('s') && !name.ends_with("ss") &&
         name.find(" for ") == std::string_view::npos;
}

bool States(const SchemaKey& key, const FoldedMessage& name, const Dimension& dimension) {
  const bool has_unit =
      !dimension.unit.empty() && !StatesNoQuantity(key) &&  // "802.11g" weighs nothing
      std::any_of(key.values.begin(), key.values.end(),
                  [&](const SchemaValue& value) { return value.unit == dimension.unit; });
  return has_unit || name.HasAny(dimension.of_keys) ||
         (dimension.name == kCount && NamesSeveral(key));
}

}  // namespace

AskedFor ReadAskedFor(const FoldedMessage& question) {
  std::vector<std::pair<Span, const Dimension*>> found;
  for (const Dimension& each : TheDimensions()) {
    if (const Span span = question.FindLongest(each.asked); span.found()) {
      found.emplace_back(span, &each);
    }
  }
  AskedFor asked;
  asked.is_number = !found.empty();
  for (const auto& [span, dimension] : found) {
    // "How many hours" asks for a time and counts nothing.
    const bool is_part = std::any_of(found.begin(), found.end(), [&](const auto& other) {
      return other.first.begin <= span.begin && span.end <= other.first.end &&
             other.first.size() > span.size();
    });
    if (dimension->name == kVague && !is_part) asked.is_vague = true;
    const bool is_one = dimension->name != kNumber && dimension->name != kVague;
    if (!is_part && is_one) asked.dimensions.push_back(dimension);
  }
  asked.is_value = HasCue(question, Cue::kWh) && !HasCue(question, Cue::kYesNo);
  return asked;
}

DimensionFit FitOf(const SchemaKey& key, const AskedFor& asked) {
  if (asked.dimensions.empty()) return DimensionFit::kUnknown;
  const FoldedMessage name = FoldedMessage::FromFolded(key.folded);
  const bool is_same = std::any_of(asked.dimensions.begin(), asked.dimensions.end(),
                                   [&](const Dimension* each) { return States(key, name, *each); });
  if (is_same) return DimensionFit::kSame;
  if (asked.is_vague) return DimensionFit::kUnknown;
  const bool is_known = std::any_of(
      TheDimensions().begin(), TheDimensions().end(),
      [&](const Dimension& each) { return each.name != kSide && States(key, name, each); });
  return is_known ? DimensionFit::kOther : DimensionFit::kUnknown;
}

std::vector<std::string_view> BasesOf(const AskedFor& asked) {
  std::vector<std::string_view> bases;
  for (const Dimension* each : asked.dimensions) {
    if (!each->unit.empty()) bases.emplace_back(each->unit);
  }
  return bases;
}

FoldedMessage WithoutDimensions(const FoldedMessage& question) {
  FoldedMessage rest = question;
  for (const Dimension& each : TheDimensions()) {
    for (Span span = rest.FindLongest(each.asked); span.found();
         span = rest.FindLongest(each.asked)) {
      std::string text(rest.text());
      text.erase(span.begin, span.size());
      rest = FoldedMessage(text);
    }
  }
  return rest;
}

std::vector<std::string> CountedWords(const AskedFor& asked, const FoldedMessage& question) {
  std::vector<std::string> words;
  for (const std::string& word : SplitWords(question.text())) {
    if (!IsOrdinaryWord(word)) words.push_back(word);
  }
  for (const Dimension* each : asked.dimensions) {
    if (each->name != kCount && each->unit.empty()) {
      words.insert(words.end(), each->of_keys.begin(), each->of_keys.end());
    }
  }
  return words;
}

size_t CountSideWords(const SchemaKey& key, const FoldedMessage& question) {
  const std::vector<std::string>& words = DimensionOf(kSide).of_keys;
  const FoldedMessage name = FoldedMessage::FromFolded(key.folded);
  return static_cast<size_t>(std::count_if(
      words.begin(), words.end(),
      [&](const std::string& word) { return name.Has(word) && !question.Has(word); }));
}

}  // namespace emptor::services
