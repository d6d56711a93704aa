// Keys and ranks: which attribute a message speaks about.
#include "services/assistant/attribute_binding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/assistant/rank_lexicon.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr std::string_view kAnyKey = "any";

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

/// How strongly a message speaks of a key: bytes of what names it.
struct Mention {
  const SchemaKey* key;
  double weight;
};

constexpr double kOwnName = 100;       // the key's own name comes before the phrases about others
constexpr double kEnoughWords = 0.5;   // share of a name's words that speak of it
constexpr double kShareOfWords = 0.6;  // of the weight, for words in any order

std::vector<std::string> WordsOf(const FoldedMessage& message) {
  std::vector<std::string> words;
  ForEachWord(message.text(),
              [&](std::string word) { words.push_back(SingularOf(std::move(word))); });
  if (message.Has("wi fi")) words.emplace_back("wifi");
  return words;
}

/// "How many buttons" speaks of "buttons quantity", "duplex" of "duplex scanning".
double WeightOfWords(const SchemaKey& key, const std::vector<std::string>& said) {
  size_t bytes = 0, matched = 0;
  for (const std::string& word : key.words) {
    if (std::find(said.begin(), said.end(), word) == said.end()) continue;
    bytes += word.size();
    ++matched;
  }
  if (matched == 0) return 0;
  const double share = static_cast<double>(matched) / static_cast<double>(key.words.size());
  if (matched == key.words.size() && matched > 1) return kOwnName + static_cast<double>(bytes);
  return share < kEnoughWords ? 0 : kShareOfWords * share * static_cast<double>(bytes);
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
  const bool has_ending = std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) {
    return phrase.size() > end.size() + 1 && phrase.ends_with(end);
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

/// "Lowest" belongs to many keys: it counts where the key is named as well.
bool IsGenericRank(const FoldedMessage& message, const Span& span) {
  const std::string_view word = message.text().substr(span.begin, span.size());
  return std::any_of(TheRankWords().begin(), TheRankWords().end(), [&](const RankWords& each) {
    return each.key == kAnyKey &&
           std::find(each.phrases.begin(), each.phrases.end(), word) != each.phrases.end();
  });
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

/// The ranking phrase that is longest; a tie goes to the key of more records.
std::optional<RankedKey> RankByOwnWords(const FoldedMessage& message, const TypeSchema& schema) {
  std::vector<std::pair<RankMention, bool>> found;
  for (const SchemaKey& key : schema.keys()) {
    if (key.kind != SchemaKey::Kind::kNumber) continue;
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
    if (rank(a.first.key) != rank(b.first.key)) return rank(a.first.key) < rank(b.first.key);
    return a.first.key->records > b.first.key->records;
  });
  return RankedKey{best->first.key->name, best->second, IsSuperlative(message, best->first.span)};
}

}  // namespace

std::vector<const SchemaKey*> ResolveAttributes(const FoldedMessage& message,
                                                const TypeSchema& schema) {
  const std::vector<std::string> said = WordsOf(message);
  std::vector<Mention> found;
  for (const SchemaKey& key : schema.keys()) {
    Span span = message.FindLongest(key.phrases);
    for (const auto* words : {&key.yes, &key.less, &key.more}) {
      const Span other = message.FindLongest(*words);
      if (other.found() && words != &key.yes && IsGenericRank(message, other)) continue;
      if (other.found() && (!span.found() || other.size() > span.size())) span = other;
    }
    double weight = span.found() ? static_cast<double>(span.size()) : 0;
    // "How hard" is as telling as the name of the attribute.
    const std::string_view phrase =
        message.text().substr(span.found() ? span.begin : 0, span.size());
    if (span.found() && phrase.find(' ') != std::string_view::npos) weight += kOwnName;
    if (message.Has(key.folded)) {
      const bool is_telling = key.folded.find(' ') != std::string::npos;
      weight = std::max(weight, (is_telling ? 2 * kOwnName : kOwnName / 2) +
                                    static_cast<double>(key.folded.size()));
    }
    weight = std::max(weight, WeightOfWords(key, said));
    if (weight > 0) found.push_back({&key, weight});
  }
  std::stable_sort(found.begin(), found.end(), [](const Mention& a, const Mention& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return a.key->records > b.key->records;
  });
  std::vector<const SchemaKey*> keys;
  for (const Mention& mention : found) keys.push_back(mention.key);
  return keys;
}

std::optional<RankedKey> ResolveRank(const FoldedMessage& asked, const TypeSchema& schema) {
  const FoldedMessage message = WithoutBounds(asked);
  std::optional<RankedKey> live;
  Span longest;
  for (const RankWords& words : TheRankWords()) {
    const Span span = words.key == kAnyKey ? Span() : message.FindLongest(words.phrases);
    if (!span.found() || (live && span.size() <= longest.size())) continue;
    live = RankedKey{words.key, words.is_least, IsSuperlative(message, span)};
    longest = span;
  }
  if (live) return live;
  if (auto own = RankByOwnWords(message, schema)) return own;
  const SchemaKey* key = nullptr;
  for (const SchemaKey* each : ResolveAttributes(message, schema)) {
    if (key == nullptr && each->kind == SchemaKey::Kind::kNumber) key = each;
  }
  if (key == nullptr) return std::nullopt;
  for (const bool is_least : {true, false}) {
    const Span span = message.FindLongest(AnyRank(is_least).phrases);
    if (span.found()) return RankedKey{key->name, is_least, IsSuperlative(message, span)};
  }
  return std::nullopt;
}

}  // namespace emptor::services
