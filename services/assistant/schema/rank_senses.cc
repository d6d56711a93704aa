// The lines "adjective of types" of the lexicon.
#include "services/assistant/schema/rank_senses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/degree_lexicon.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr std::string_view kOf = " of ", kAnyType = "any";
constexpr std::string_view kMaxSuffix = " most", kMinSuffix = " least";
constexpr std::string_view kDegree = " degree", kHigh = " high", kLow = " low";
constexpr size_t kNearWords = 2;  // between a word that ranks and the property that it ranks by

/// A line "size of tv | monitor: ...".
struct Sense {
  std::string adjective;
  std::vector<std::string> types, keys, asked;  // folded
  double least = 0, most = 0;                   // that goods have, in the unit; 0: not known
  std::string unit;
};

const std::vector<Sense>& TheSenses() {
  static const auto* const senses = [] {
    auto* parsed = new std::vector<Sense>;
    ForEachLexiconLine(kRankLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      const size_t of = head.find(kOf);
      if (of == std::string_view::npos) return;
      Sense sense;
      sense.adjective = std::string(head.substr(0, of));
      sense.types = AllPhrases(ParsePhraseGroups(head.substr(of + kOf.size())));
      for (LexiconGroup& group : ParsePhraseGroups(rest)) {
        if (group.tag == "unit" && !group.phrases.empty()) {
          sense.unit = group.phrases.front();
        } else if (group.tag == "range" && group.phrases.size() == 2) {
          sense.least = std::strtod(group.phrases.front().c_str(), nullptr);
          sense.most = std::strtod(group.phrases.back().c_str(), nullptr);
        } else {
          (group.tag == "asked" ? sense.asked : sense.keys) = std::move(group.phrases);
        }
      }
      parsed->push_back(std::move(sense));
    });
    return parsed;
  }();
  return *senses;
}

/// Phrases by "size most", "any least".
const std::vector<std::string>& WordsOf(const std::string& head) {
  static const auto* const words = new PhraseTable(ParsePhraseTable(kRankLexicon, ": "));
  static const std::vector<std::string> kNone;
  const auto found = words->find(head);
  return found == words->end() ? kNone : found->second;
}

bool IsOf(const Sense& sense, const std::vector<std::string>& type_names) {
  return std::any_of(type_names.begin(), type_names.end(), [&](const std::string& name) {
    return std::find(sense.types.begin(), sense.types.end(), name) != sense.types.end();
  });
}

/// A word that ranks, and what it ranks by.
struct Found {
  const Sense* sense = nullptr;
  bool is_least = false;
  Span rank, asked;
};

/// Words between the two.
size_t WordsBetween(const FoldedMessage& message, const Span& one, const Span& other) {
  const size_t from = std::min(one.end, other.end), to = std::max(one.begin, other.begin);
  if (to <= from) return 0;
  return SplitWords(message.text().substr(from, to - from)).size();
}

/// "The most storage", "容量最大": the property of the type is named next to a word that ranks.
std::optional<Found> ByAskedWords(const FoldedMessage& message, const std::vector<Span>& ranks,
                                  const std::vector<std::string>& type_names) {
  std::optional<Found> best;
  for (const Sense& sense : TheSenses()) {
    if (!IsOf(sense, type_names)) continue;
    const Span asked = message.FindLongest(sense.asked);
    if (!asked.found()) continue;
    for (size_t i = 0; i < ranks.size(); ++i) {
      const bool is_near = ranks[i].found() && WordsBetween(message, ranks[i], asked) < kNearWords;
      if (is_near && (!best || asked.size() > best->asked.size())) {
        best = Found{&sense, i == 1, ranks[i], asked};
      }
    }
  }
  return best;
}

std::optional<Found> ByAdjective(const FoldedMessage& message,
                                 const std::vector<std::string>& type_names) {
  std::optional<Found> best;
  for (const Sense& sense : TheSenses()) {
    if (!IsOf(sense, type_names)) continue;
    for (const bool is_least : {false, true}) {
      const Span span = message.FindLongest(
          WordsOf(sense.adjective + std::string(is_least ? kMinSuffix : kMaxSuffix)));
      if (span.found() && (!best || span.size() > best->rank.size())) {
        best = Found{&sense, is_least, span, {}};
      }
    }
  }
  return best;
}

/// Another attribute is named next to the word: "the biggest battery", "akku am größten".
bool RanksOther(const FoldedMessage& message, const Found& found, const TypeSchema& schema) {
  const std::string text(message.text());
  const std::vector<std::string> before = SplitWords(text.substr(0, found.rank.begin));
  const std::vector<std::string> after = SplitWords(text.substr(found.rank.end));
  std::string near, with_rank;
  for (size_t i = before.size() - std::min(before.size(), kNearWords); i < before.size(); ++i) {
    near += before[i] + " ";
  }
  with_rank = near + text.substr(found.rank.begin, found.rank.size());
  for (size_t i = 0; i < std::min(after.size(), kNearWords); ++i) {
    near += after[i] + " ";
    with_rank += " " + after[i];
  }
  const FoldedMessage words(near);
  const auto keys = RankKeys(words, schema);
  const bool names_key = !keys.empty() && keys.front().is_named && keys.front().score > 0;
  const auto of_type = std::find_if(keys.begin(), keys.end(), [&](const KeyMatch& match) {
    return std::find(found.sense->keys.begin(), found.sense->keys.end(), match.key->folded) !=
           found.sense->keys.end();
  });
  if (names_key && of_type == keys.end()) return true;
  // "Biggest battery" asks for a charge.
  const auto asked = BasesOf(ReadAskedFor(FoldedMessage(with_rank)));
  const auto unit = retrieval::FindUnit(found.sense->unit);
  return schema.empty() && !asked.empty() && (!unit || asked.front() != unit->base);
}

/// Of the quantities without a unit.
double MedianOf(const SchemaKey& key) {
  std::vector<double> numbers;
  for (const SchemaValue& value : key.values) {
    const auto plain = value.plain ? value.plain : value.number;
    const bool is_plain = value.plain || value.unit.empty();
    if (plain && *plain > 0 && is_plain) numbers.insert(numbers.end(), value.records, *plain);
  }
  if (numbers.empty()) return 0;
  std::nth_element(numbers.begin(),
                   numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2),
                   numbers.end());
  return numbers[numbers.size() / 2];
}

/// The unit that titles give to most values, as a factor; 0: none.
double LearnedFactor(const SchemaKey& key, const std::string& base) {
  std::map<double, size_t> factors;
  for (const SchemaValue& value : key.values) {
    if (value.plain && value.number && *value.plain > 0 && value.unit == base) {
      factors[*value.number / *value.plain] += value.records;
    }
  }
  if (factors.empty()) return 0;
  return std::max_element(factors.begin(), factors.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Attributes that state the property, with the unit of their plain numbers: that of titles, else
/// the one in which they are nearest to the first attribute, which has that of the lexicon.
std::vector<RankSource> SourcesOf(const Sense& sense, const TypeSchema& schema,
                                  const std::string& base) {
  std::vector<RankSource> sources;
  double usual = 0;  // base units
  const auto unit = retrieval::FindUnit(sense.unit);
  for (const std::string& name : sense.keys) {
    if (name == kExtent) sources.push_back({std::string(kExtent)});
    for (const SchemaKey& key : schema.keys()) {
      if (key.folded != name) continue;
      double factor = base.empty() || base == kPixels ? 1 : LearnedFactor(key, base);
      const double median = MedianOf(key);
      if (factor <= 0) factor = unit ? unit->factor : 1;
      const bool differs = usual > 0 && median > 0 && !base.empty() && base != kPixels;
      if (differs && LearnedFactor(key, base) <= 0) {
        const std::vector<double>& scales = ScalesOf(base);
        factor = *std::min_element(scales.begin(), scales.end(), [&](double a, double b) {
          return std::abs(std::log(median * a / usual)) < std::abs(std::log(median * b / usual));
        });
      }
      if (usual <= 0) usual = median * factor;
      sources.push_back({key.name, factor});
    }
  }
  return sources;
}

/// "Battery capacity" of "mah": what a line of any type or of batteries calls it.
std::string LabelOfBase(std::string_view base) {
  for (const Sense& sense : TheSenses()) {
    const auto unit = retrieval::FindUnit(sense.unit);
    if (unit && unit->base == base && !sense.keys.empty()) return sense.keys.front();
  }
  return std::string(base);
}

/// Nothing where neither attributes nor titles can state it.
std::optional<SenseRank> RankOf(const FoldedMessage& message, const Found& found,
                                const TypeSchema& schema) {
  const Sense& sense = *found.sense;
  SenseRank result;
  RankedKey& rank = result.rank;
  const auto unit = retrieval::FindUnit(sense.unit);
  rank.base = unit ? std::string(unit->base) : sense.unit == kPixels ? sense.unit : "";
  rank.sources = SourcesOf(sense, schema, rank.base);
  if (rank.sources.empty() && rank.base.empty()) return std::nullopt;
  if (unit && sense.most > 0) {
    rank.least = sense.least * unit->factor;
    rank.most = sense.most * unit->factor;
  }
  rank.is_least = found.is_least;
  rank.label = sense.keys.empty() ? sense.asked.front() : sense.keys.front();
  const bool has_key = !rank.sources.empty() && rank.sources.front().key != kExtent;
  rank.key = has_key ? rank.sources.front().key : std::string(kTitleKey);
  if (has_key) rank.label = rank.key;
  for (const Span& span : {found.rank, found.asked}) {
    if (span.found()) rank.said.emplace_back(message.text().substr(span.begin, span.size()));
  }
  result.span = found.rank;
  return result;
}

/// Phrases by "price low", "capacity high".
const std::vector<std::string>& DegreesNamed(const std::string& head) {
  static const auto* const degrees = new PhraseTable(ParsePhraseTable(kDegreeLexicon, " : "));
  static const std::vector<std::string> kNone;
  const auto found = degrees->find(head);
  return found == degrees->end() ? kNone : found->second;
}

/// An adjective in the positive.
struct Degree {
  Span span;
  bool is_low = false;
};

/// The longest phrase of the properties, as degrees.txt names them.
Degree LongestDegree(const FoldedMessage& message, const std::vector<std::string>& properties) {
  Degree longest;
  for (const std::string& property : properties) {
    for (const bool is_low : {false, true}) {
      const Span span =
          message.FindLongest(DegreesNamed(property + std::string(is_low ? kLow : kHigh)));
      const bool is_longer =
          span.found() && (!longest.span.found() || span.size() > longest.span.size());
      if (is_longer) longest = {span, is_low != IsNegatedAt(message, span.begin)};
    }
  }
  return longest;
}

/// What follows an adjective of the type is the type, at most `kNearWords` words on, or says
/// nothing of goods: "a small water kettle", "nothing huge, please", but not "for my small
/// business".
bool IsOfType(const FoldedMessage& message, const Span& span,
              const std::vector<std::string>& type_names) {
  const std::string text(message.text());
  if (IsWideText(text.substr(span.begin, span.size()))) return true;
  const bool is_phrase = text.substr(span.begin, span.size()).find(' ') != std::string::npos;
  const std::vector<std::string> after = SplitWords(text.substr(span.end));
  if (is_phrase || after.empty() || IsOrdinaryWord(after.front())) return true;
  const Span type = message.FindLongest(type_names);
  if (!type.found()) return false;
  // "Una maleta muy pequeña".
  const size_t near = type.begin > span.begin ? kNearWords : 1;
  return WordsBetween(message, span, type) <= near;
}

}  // namespace

std::vector<SenseRank> FindDegrees(const FoldedMessage& message, const TypeSchema& schema,
                                   const std::vector<std::string>& type_names) {
  std::vector<SenseRank> degrees;
  for (const std::string_view key : {"price", "rating"}) {
    const Degree found = LongestDegree(message, {std::string(key)});
    if (!found.span.found()) continue;
    SenseRank degree{{.key = std::string(key), .is_least = found.is_low}, found.span};
    degree.rank.said = {std::string(message.text().substr(found.span.begin, found.span.size()))};
    degrees.push_back(std::move(degree));
  }
  for (const Sense& sense : TheSenses()) {
    if (!IsOf(sense, type_names)) continue;
    const Degree found = LongestDegree(message, WordsOf(sense.adjective + std::string(kDegree)));
    if (!found.span.found() || !IsOfType(message, found.span, type_names)) continue;
    const bool is_read = std::any_of(degrees.begin(), degrees.end(), [&](const SenseRank& other) {
      return other.span.begin < found.span.end && found.span.begin < other.span.end;
    });
    if (is_read) continue;
    if (auto rank = RankOf(message, {&sense, found.is_low, found.span, {}}, schema)) {
      degrees.push_back(*std::move(rank));
    }
  }
  return degrees;
}

std::optional<SenseRank> RankBySense(const FoldedMessage& message, const TypeSchema& schema,
                                     const std::vector<std::string>& type_names) {
  if (type_names.empty()) return std::nullopt;
  const std::vector<Span> ranks = {message.FindLongest(WordsOf("any most")),
                                   message.FindLongest(WordsOf("any least"))};
  std::optional<Found> found = ByAskedWords(message, ranks, type_names);
  if (!found) {
    found = ByAdjective(message, type_names);
    if (found && RanksOther(message, *found, schema)) return std::nullopt;
  }
  return found ? RankOf(message, *found, schema) : std::nullopt;
}

std::optional<SenseRank> RankByTitles(const FoldedMessage& message) {
  static const std::vector<std::string> kAny = {std::string(kAnyType)};
  if (const auto found = ByAdjective(message, kAny)) return RankOf(message, *found, TypeSchema());
  const std::vector<Span> ranks = {message.FindLongest(WordsOf("any most")),
                                   message.FindLongest(WordsOf("any least"))};
  if (const auto found = ByAskedWords(message, ranks, kAny)) {
    return RankOf(message, *found, TypeSchema());
  }
  // "The most megapixels", "highest mah": a unit that titles state.
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (!ranks[i].found()) continue;
    SenseRank result;
    ForEachWord(message.text(), [&](const std::string& word) {
      auto unit = retrieval::FindUnit(word);
      if (!unit) unit = retrieval::FindUnit(SingularOf(word));
      if (!unit || IsOrdinaryWord(word) || word.size() < kNearWords || !result.rank.base.empty())
        return;
      result.rank.base = std::string(unit->base);
      result.rank.label = word;
      result.rank.said = {word};
    });
    // "The biggest battery": a size of more than the titles' lengths is asked for.
    for (const std::string_view base : BasesOf(ReadAskedFor(message))) {
      if (base == "mm" || !result.rank.base.empty()) continue;
      result.rank.base = std::string(base);
      result.rank.label = LabelOfBase(base);
    }
    if (result.rank.base.empty()) continue;
    result.rank.key = std::string(kTitleKey);
    result.rank.is_least = i == 1;
    result.span = ranks[i];
    return result;
  }
  return std::nullopt;
}

}  // namespace emptor::services
