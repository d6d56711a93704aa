// Noun phrases by the small words around them.
#include "services/assistant/reading/head_types.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "services/assistant/reading/advised_types.h"
#include "services/assistant/reading/narrower_types.h"
#include "services/assistant/reading/type_evidence.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;
using Words = std::vector<std::string>;

constexpr size_t kMaxPhrase = 4;  // words of a noun phrase
constexpr size_t kMaxBehind = 6;  // words behind it that may be of the name

bool IsArticle(const std::string& word) {
  const FoldedMessage each = FoldedMessage::FromFolded(word);
  return HasCue(each, Cue::kDeterminer) || HasCue(each, Cue::kIndefinite) ||
         HasCue(each, Cue::kDefinite) || IsOwnerWord(word) || word == "one" || HasDigit(word);
}

/// Ends a noun phrase: "to", "that", "my", "64".
bool EndsPhrase(const std::string& word) {
  return HasCue(FoldedMessage::FromFolded(word), Cue::kNameEnd) || IsOrdinaryWord(word) ||
         IsArticle(word);
}

/// Words before what is asked for: behind "do you have", "i want", "want a"; 0: nothing says it.
size_t BehindRequest(const FoldedMessage& message, const Words& words) {
  Span request = FindCue(message, Cue::kRequest);
  if (!request.found()) request = FindCue(message, Cue::kSells);
  if (request.found()) return SplitWords(message.text().substr(0, request.end)).size();
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool wants = words[i] == "want" || words[i] == "need";
    if (wants && HasCue(FoldedMessage::FromFolded(words[i + 1]), Cue::kIndefinite)) return i + 1;
  }
  return 0;
}

/// Where the noun phrase may begin: behind the request, "to buy" and the article.
size_t FirstOfPhrase(const Words& words, size_t at) {
  while (at < words.size()) {
    const bool is_verb = words[at] == "to" && at + 1 < words.size() && IsStoryWord(words[at + 1]);
    if (!is_verb && !IsArticle(words[at]) && !IsStoryWord(words[at])) break;
    ++at;
  }
  return at;
}

/// Last words of the lexicon's English names: "net" of "mosquito net".
bool EndsListedName(const std::string& noun) {
  static const auto* const heads = [] {
    auto* made = new std::unordered_set<std::string>;
    for (const LexiconType& type : TheLexiconTypes()) {
      for (const std::string& name : type.names) {
        if (TypeNamed(name, "en")) made->insert(name.substr(name.rfind(' ') + 1));
      }
    }
    return made;
  }();
  return heads->contains(noun);
}

class Reader {
 public:
  Reader(const TypeReading& reading, const std::optional<ProductType>& named)
      : reading_(reading), named_(named) {}

  HeadReading Run() {
    const Span phrase = FindHeadPhrase(reading_.folded);
    if (!phrase.found()) return {};
    raw_ = SplitWords(reading_.folded.text().substr(phrase.begin, phrase.size())).back();
    const Words nouns = SingularWords(raw_);
    if (nouns.size() != 1) return {};
    noun_ = nouns.front();
    const Span name = named_ ? reading_.folded.FindLongest(named_->words) : Span();
    if (name.found() && name.begin < phrase.end) return OfNamed(name, phrase);
    if (name.found() && IsJoined(phrase.end)) return {};
    // "Video camera", of "a camera for video calls".
    if (named_ && !name.found() && !named_->is_advised) {
      if (auto kind = ReadKindForNeed(reading_, *named_, noun_)) return {true, std::move(kind)};
    }
    const bool is_own = reading_.own_names != nullptr && reading_.own_names->IsHead(noun_);
    if (!is_own && !EndsListedName(noun_)) return {};
    if (auto narrower = ReadNarrowerType(reading_, {noun_, {}, {noun_, raw_}})) {
      return {true, Called(*std::move(narrower))};
    }
    if (auto own = OwnCompound(phrase.end)) return {true, Called(*std::move(own))};
    if (!name.found()) return {};
    ProductType own{noun_, {}, {noun_, raw_}, true};
    const bool is_meant = is_own && !IsGeneric() && IsSold(own);
    return {true, is_meant ? std::make_optional(std::move(own)) : std::nullopt};
  }

 private:
  bool IsSold(const ProductType& type) const {
    return !IsUnknownType(type, reading_.schema_of, reading_.is_sold, reading_.language);
  }

  /// "Set", "machine": says nothing of the goods.
  bool IsGeneric() const { return HasCue(FoldedMessage::FromFolded(noun_), Cue::kNotName); }

  /// "A tent and a sleeping bag": both are asked for.
  bool IsJoined(size_t end) const {
    const Words behind = SplitWords(reading_.folded.text().substr(end));
    return !behind.empty() && (behind.front() == "and" || behind.front() == "or");
  }

  ProductType Called(ProductType type) const {
    type.noun = raw_;
    return type;
  }

  /// The noun itself names the type: whether it is meant is told by the records.
  HeadReading OfNamed(const Span& name, const Span& phrase) const {
    const std::string_view said = reading_.folded.text().substr(name.begin, name.size());
    if (named_->is_advised) return {};
    if (said != raw_) return {name.end < phrase.end && IsUnknownLine(raw_), std::nullopt};
    if (auto kind = ReadKindForNeed(reading_, *named_, noun_)) return {true, std::move(kind)};
    if (auto better = BetterOfNoun(reading_, *named_, noun_)) {
      return {true, Called(*std::move(better))};
    }
    return {KnowsNothingSaid(reading_, *named_, noun_), std::nullopt};
  }

  /// "Boat rockerz": a line of other goods behind what is their maker, too.
  bool IsUnknownLine(const std::string& word) const {
    if (!IsLineName(word) || !reading_.schema_of || reading_.mentions == nullptr ||
        !*reading_.mentions || (*reading_.mentions)(word) == 0) {
      return false;
    }
    const TypeSchema* const schema = reading_.schema_of(*named_, reading_.language);
    return schema != nullptr && !schema->words().Knows(DemandOf(word));
  }

  /// "Guitar bag" of "a bag to carry my guitar", by the shop's titles alone.
  std::optional<ProductType> OwnCompound(size_t begin) const {
    if (reading_.own_names == nullptr || IsGeneric()) return std::nullopt;
    const Words behind = SingularWords(reading_.folded.text().substr(begin));
    for (size_t i = 0; i < std::min(behind.size(), kMaxBehind); ++i) {
      if (IsOrdinaryWord(behind[i])) continue;
      const std::string name = reading_.own_names->Between(behind[i], noun_);
      ProductType own{name, {}, {name, name + "s"}, true};
      if (!name.empty() && IsSold(own)) return own;
    }
    return std::nullopt;
  }

  const TypeReading& reading_;
  const std::optional<ProductType>& named_;
  std::string raw_, noun_;  // as it was said, and singular
};

}  // namespace

Span FindHeadPhrase(const FoldedMessage& message) {
  const Words words = SplitWords(message.text());
  const size_t before = BehindRequest(message, words);
  // "My plants are on the floor": said of what is had.
  if (before < words.size() && IsOwnerWord(words[before])) return {};
  const size_t begin = FirstOfPhrase(words, before);
  size_t end = begin;
  while (end < words.size() && !EndsPhrase(words[end])) ++end;
  if (begin == end || end - begin > kMaxPhrase) return {};
  // "Split one port into four", "keep my tea warm": a verb and its object.
  const bool is_bare = begin == 0 && end == 1;
  if (is_bare && end < words.size() && IsArticle(words[end])) return {};
  size_t from = 0;
  for (size_t i = 0; i < begin; ++i) from += words[i].size() + 1;
  size_t size = end - begin - 1;
  for (size_t i = begin; i < end; ++i) size += words[i].size();
  return {from, from + size};
}

HeadReading ReadHeadType(const TypeReading& reading, const std::optional<ProductType>& named) {
  const bool asks = reading.topic == nullptr || HasCue(reading.folded, Cue::kRequest);
  if (reading.language != "en" || reading.profile == nullptr || !asks) return {};
  return Reader(reading, named).Run();
}

}  // namespace emptor::services
