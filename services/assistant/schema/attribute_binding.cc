// Keys and ranks: which attribute a message speaks about.
#include "services/assistant/schema/attribute_binding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/rank_senses.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr std::string_view kAnyKey = "any";
constexpr std::string_view kPlace = "place ";
constexpr size_t kRareShare = 20;  // a key that one record in so many states ranks no type
constexpr size_t kMinRank = 5;     // bytes of "zweit-leichteste" behind the place
constexpr int kMaxCounted = 8;     // products of one answer

/// Words that rank, by data/lexicon/ranks.txt.
struct RankWords {
  std::string key;  // "any": that of the attribute that is named as well
  bool is_least;
  std::vector<std::string> phrases;
};
const std::vector<RankWords>& TheRankWords() {
  static const std::vector<RankWords>* const words = [] {
    auto* parsed = new std::vector<RankWords>;
    ForEachLexiconLine(kRankLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      const size_t blank = head.rfind(' ');
      if (head.starts_with(kPlace) || head.find(" of ") != std::string_view::npos) return;
      parsed->push_back({std::string(head.substr(0, blank)), head.substr(blank + 1) == "least",
                         AllPhrases(ParsePhraseGroups(rest))});
    });
    return parsed;
  }();
  return *words;
}

const RankWords& AnyRank(bool is_least) {
  return *std::find_if(TheRankWords().begin(), TheRankWords().end(), [&](const RankWords& each) {
    return each.key == kAnyKey && each.is_least == is_least;
  });
}

/// A ranking phrase and the key that it belongs to.
struct RankMention {
  const SchemaKey* key;
  Span span;
};

/// "the lightest", "am leisesten", "la plus légère", "最轻": not "lighter".
bool IsSuperlative(const FoldedMessage& message, const Span& span) {
  const std::string_view text = message.text();
  const std::string_view phrase = text.substr(span.begin, span.size());
  constexpr std::array<std::string_view, 6> kEndings = {"est",  "ste",  "sten",
                                                        "ster", "stes", "stem"};
  bool has_ending = false;  // "biggest battery"
  ForEachWord(phrase, [&](const std::string& word) {
    has_ending =
        has_ending || std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) {
          return word.size() > end.size() + 1 && word.ends_with(end);
        });
  });
  if (has_ending || phrase.find("最") != std::string_view::npos) return true;
  for (const std::string_view word :
       {"most", "least", "best", "worst", "top", "meisten", "highest", "lowest", "fewest"}) {
    if (phrase.find(word) != std::string_view::npos) return true;
  }
  const std::string before = " " + std::string(text.substr(0, span.begin));
  for (const std::string_view article :
       {" le ", " la ", " les ", " el ", " los ", " las ", " lo "}) {
    if (before.ends_with(article)) return true;
  }
  return false;
}

/// "At least 16 GB" ranks nothing.
FoldedMessage WithoutBounds(const FoldedMessage& message) {
  FoldedMessage rest = message;
  for (const std::string_view bound :
       {"at least", "at most", "more than", "less than", "or more", "or less", "bit more", "mas de",
        "menos de", "plus de", "moins de", "al menos", "au moins", "au plus", "a bit", "no more"}) {
    rest = rest.Without(rest.Find(bound));
  }
  return rest;
}

/// The best of the few records that state it is not the best of the type.
bool IsRare(const SchemaKey& key, const TypeSchema& schema) {
  return key.records * kRareShare < schema.product_count();
}

/// "Processor frequency", "modem speed": of a part, which is not what ranks the whole.
bool StatesOfComponent(const SchemaKey& key) {
  static const auto* const names = new std::vector<std::string>(
      ParsePhraseTable(kQuantityLexicon, " : ").find("component")->second);
  return FoldedMessage::FromFolded(key.folded).HasAny(*names);
}

bool IsMuchCommoner(const SchemaKey& key, const SchemaKey& than) {
  constexpr double kMuch = 1.5;
  return static_cast<double>(key.records) > kMuch * static_cast<double>(than.records);
}

/// The ranking phrase that is longest; a tie goes to the key of more records.
std::optional<RankedKey> RankByOwnWords(const FoldedMessage& message, const TypeSchema& schema) {
  std::vector<std::pair<RankMention, bool>> found;
  for (const SchemaKey& key : schema.keys()) {
    if (key.kind != SchemaKey::Kind::kNumber || IsRare(key, schema)) continue;
    for (const bool is_least : {true, false}) {
      const Span span = message.FindLongest(is_least ? key.less : key.more);
      if (!span.found()) continue;
      if (IsGenericRank(message, span)) continue;
      found.push_back({{&key, span}, is_least});
    }
  }
  if (found.empty()) return std::nullopt;
  const std::vector<const SchemaKey*> named = ResolveAttributes(message, schema);
  const auto rank = [&](const SchemaKey* key) {
    const auto at = std::find(named.begin(), named.end(), key);
    return static_cast<size_t>(at - named.begin());
  };
  const auto best = std::min_element(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    if (a.first.span.size() != b.first.span.size()) {
      return a.first.span.size() > b.first.span.size();
    }
    // "Fastest", of printers: their print speed, not the clock of the processor in them.
    const bool is_part = StatesOfComponent(*a.first.key);
    if (is_part != StatesOfComponent(*b.first.key)) return !is_part;
    // Nor the modem's, that few of them state.
    if (IsMuchCommoner(*a.first.key, *b.first.key)) return true;
    if (IsMuchCommoner(*b.first.key, *a.first.key)) return false;
    return rank(a.first.key) < rank(b.first.key);
  });
  return RankedKey{best->first.key->name, best->second, IsSuperlative(message, best->first.span)};
}

}  // namespace

bool IsGenericRank(const FoldedMessage& message, const FoldedMessage::Span& span) {
  const std::string_view word = message.text().substr(span.begin, span.size());
  return std::any_of(TheRankWords().begin(), TheRankWords().end(), [&](const RankWords& each) {
    return each.key == kAnyKey &&
           std::find(each.phrases.begin(), each.phrases.end(), word) != each.phrases.end();
  });
}

bool SaysGenericRank(const FoldedMessage& message) {
  return message.HasAny(AnyRank(true).phrases) || message.HasAny(AnyRank(false).phrases);
}

FoldedMessage WithoutRankWords(const FoldedMessage& message) {
  FoldedMessage rest = message;
  for (const RankWords& each : TheRankWords()) {
    if (each.key != kAnyKey) rest = rest.Without(rest.FindLongest(each.phrases));
  }
  return rest;
}

std::vector<const SchemaKey*> ResolveAttributes(const FoldedMessage& message,
                                                const TypeSchema& schema) {
  std::vector<const SchemaKey*> keys;
  for (const KeyMatch& match : RankKeys(message, schema)) keys.push_back(match.key);
  return keys;
}

namespace {

/// "Most watts" of power supplies: the number in that unit which most records state.
const SchemaKey* KeyByUnit(const FoldedMessage& message, const TypeSchema& schema) {
  const SchemaKey* best = nullptr;
  ForEachWord(message.text(), [&](const std::string& word) {
    auto unit = retrieval::FindUnit(word);
    if (!unit) unit = retrieval::FindUnit(SingularOf(word));
    if (!unit) return;
    const std::string base(unit->base);
    for (const SchemaKey& key : schema.keys()) {
      if (key.kind != SchemaKey::Kind::kNumber || IsRare(key, schema)) continue;
      const bool states = StatesDimension(key, base) ||
                          std::any_of(key.values.begin(), key.values.end(),
                                      [&](const SchemaValue& value) { return value.unit == base; });
      if (states && (best == nullptr || key.records > best->records)) best = &key;
    }
  });
  return best;
}

/// Most of its values begin with their number: ports are counted, "IEC-320 C14" is no count.
bool RanksByNumber(const SchemaKey& key, const TypeSchema& schema) {
  if (key.kind != SchemaKey::Kind::kNumber || IsRare(key, schema)) return false;
  size_t numbers = 0;
  for (const SchemaValue& value : key.values) {
    if (value.number && BeginsWithNumber(value.text)) numbers += value.records;
  }
  return 2 * numbers > key.records;
}

std::optional<RankedKey> RankOf(std::optional<SenseRank> sense, const FoldedMessage& message) {
  if (!sense) return std::nullopt;
  sense->rank.is_superlative = IsSuperlative(message, sense->span);
  return std::move(sense->rank);
}

std::optional<RankedKey> KeyOfRank(const FoldedMessage& message, const TypeSchema& schema,
                                   const std::vector<std::string>& type_names) {
  std::optional<RankedKey> live;
  Span longest;
  for (const RankWords& words : TheRankWords()) {
    const Span span = IsLiveRank(words.key) ? message.FindLongest(words.phrases) : Span();
    if (!span.found() || (live && span.size() <= longest.size())) continue;
    live = RankedKey{words.key, words.is_least, IsSuperlative(message, span)};
    longest = span;
  }
  if (live) return live;
  auto sense = RankOf(RankBySense(message, schema, type_names), message);
  // Titles are read where no attribute says it.
  if (sense && (schema.empty() || !sense->sources.empty())) return sense;
  if (auto own = RankByOwnWords(message, schema)) return own;
  const SchemaKey* key = nullptr;
  for (const SchemaKey* each : ResolveAttributes(message, schema)) {
    if (key == nullptr && RanksByNumber(*each, schema)) key = each;
  }
  if (key == nullptr) key = KeyByUnit(message, schema);
  if (key == nullptr || sense) {
    if (sense) return sense;
    return type_names.empty() ? std::nullopt : RankOf(RankByTitles(message), message);
  }
  for (const bool is_least : {true, false}) {
    const Span span = message.FindLongest(AnyRank(is_least).phrases);
    if (span.found()) return RankedKey{key->name, is_least, IsSuperlative(message, span)};
  }
  return std::nullopt;
}

/// "Second", "2nd", "zweit": each with its place.
const std::vector<std::pair<int, std::vector<std::string>>>& ThePlaces() {
  static const auto* const places = [] {
    auto* parsed = new std::vector<std::pair<int, std::vector<std::string>>>;
    ForEachLexiconLine(kRankLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      if (!head.starts_with(kPlace)) return;
      const int place = NumberOfWord(std::string(head.substr(kPlace.size())));
      parsed->emplace_back(place, AllPhrases(ParsePhraseGroups(rest)));
    });
    return parsed;
  }();
  return *places;
}

/// A word that ranks stands at the beginning of the text.
bool StartsWithRank(const FoldedMessage& rest, const TypeSchema& schema) {
  const auto starts = [&](const std::vector<std::string>& phrases) {
    const Span span = rest.FindLongest(phrases);
    return span.found() && span.begin <= 1;
  };
  const bool is_general = std::any_of(TheRankWords().begin(), TheRankWords().end(),
                                      [&](const RankWords& each) { return starts(each.phrases); });
  return is_general ||
         std::any_of(schema.keys().begin(), schema.keys().end(),
                     [&](const SchemaKey& key) { return starts(key.less) || starts(key.more); });
}

/// "The second cheapest"; in German also one word: "zweitbilligste".
int PlaceIn(const FoldedMessage& message, const TypeSchema& schema) {
  for (const auto& [place, phrases] : ThePlaces()) {
    for (const std::string& phrase : phrases) {
      const std::string text(message.text());
      const size_t at = text.find(phrase);
      const bool begins = at == 0 || (at != std::string::npos && text[at - 1] == ' ');
      if (at == std::string::npos || (!begins && !IsWideText(phrase))) continue;
      const auto rest = FoldedMessage::FromFolded(text.substr(at + phrase.size()));
      if (StartsWithRank(rest, schema)) return place;
    }
  }
  return 1;
}

/// "Top 3", "the three lightest", "les 3 moins chers", "前三".
int CountIn(const FoldedMessage& message, const TypeSchema& schema) {
  const std::vector<std::string> words = SplitWords(message.text());
  constexpr std::array<std::string_view, 7> kBefore = {"top", "les", "los", "las",
                                                       "die", "my",  "best"};
  for (size_t i = 0; i < words.size(); ++i) {
    const int number = NumberOfWord(words[i]);
    if (number < 2 || number > kMaxCounted) continue;
    std::string after;
    for (size_t j = i + 1; j < words.size(); ++j) after += (after.empty() ? "" : " ") + words[j];
    const bool follows =
        i > 0 && std::find(kBefore.begin(), kBefore.end(), words[i - 1]) != kBefore.end();
    if (follows || StartsWithRank(FoldedMessage::FromFolded(after), schema)) return number;
  }
  for (const auto& [word, number] : {std::pair<std::string_view, int>{"前三", 3},
                                     {"前3", 3},
                                     {"三款", 3},
                                     {"前五", 5},
                                     {"前5", 5}}) {
    if (message.Has(word)) return number;
  }
  return 0;
}

/// "Zweitbilligste" is said as two words.
FoldedMessage WithPlacesApart(const FoldedMessage& message) {
  std::string apart;
  ForEachWord(message.text(), [&](const std::string& word) {
    apart += apart.empty() ? "" : " ";
    for (const std::string_view place : {"zweit", "dritt", "viert"}) {
      const bool ranks =
          word.starts_with(place) && word.find("st", place.size()) != std::string::npos;
      if (!ranks || word.size() < place.size() + kMinRank) continue;
      apart += std::string(place) + " " + word.substr(place.size());
      return;
    }
    apart += word;
  });
  return FoldedMessage::FromFolded(std::move(apart));
}

}  // namespace

std::optional<RankedKey> ResolveRank(const FoldedMessage& asked, const TypeSchema& schema,
                                     const std::vector<std::string>& type_names) {
  const FoldedMessage message = WithPlacesApart(WithoutBounds(asked));
  std::optional<RankedKey> rank = KeyOfRank(message, schema, type_names);
  if (!rank) return rank;
  rank->place = PlaceIn(message, schema);
  // "第二便宜的".
  rank->is_superlative = rank->is_superlative || rank->place > 1;
  rank->count = rank->place > 1 ? 0 : CountIn(message, schema);
  return rank;
}

}  // namespace emptor::services
