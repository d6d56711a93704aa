// Types between values, attributes and needs.
#include "services/assistant/reading/type_reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/reading/accessory_reading.h"
#include "services/assistant/reading/advised_types.h"
#include "services/assistant/reading/asked_goods.h"
#include "services/assistant/reading/head_types.h"
#include "services/assistant/reading/narrower_types.h"
#include "services/assistant/reading/purposes.h"
#include "services/assistant/reading/type_evidence.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr size_t kFewWords = 3;     // "most ram?" asks about the topic
constexpr size_t kFewOfTopic = 8;   // words of a message that goes on about the topic
constexpr size_t kMaxOwnWords = 3;  // of a name of the shop's own
constexpr size_t kMaxBehind = 6;    // words behind the name of what goods are for
constexpr size_t kMaxPurpose = 5;   // words behind "for" that may begin it

class Reader {
 public:
  explicit Reader(const TypeReading& reading) : reading_(reading) {}

  std::optional<ProductType> Run() const {
    if (reading_.profile == nullptr) return std::nullopt;
    auto named = Named();
    if (auto of_pet = NameOfPet(named)) return of_pet;
    return named;
  }

 private:
  std::optional<ProductType> Named() const {
    std::optional<ProductType> named = LongestName();
    const bool is_of_topic =
        named && reading_.topic != nullptr && reading_.topic->name == named->name;
    HeadReading head = ReadHeadType(reading_, named);
    if (head.type) return std::move(head.type);
    if (head.decides) named.reset();
    if (named && !is_of_topic) {
      if (auto narrower = ReadNarrowerType(reading_, *named)) return narrower;
    }
    if (auto own = head.decides ? std::nullopt : OwnName(named)) return own;
    if (auto accessory = ReadAccessory(reading_, named)) named = std::move(accessory);
    if (named && SelectsByIt(*named)) named.reset();
    if (named && (IsPartOfValue(*named) || IsPartOfKey(*named) || IsColour(*named))) named.reset();
    if (named && (IsWordOfKey(*named) || IsWithIt(*named) || SaysWhichOnes(*named))) named.reset();
    if (auto advised = ReadAdvisedTypes(reading_, named)) return advised;
    if (auto use = ReadUse(reading_, named)) return use;
    return named ? named : TypeOfLine();
  }

  bool is_unknown(const ProductType& type) const {
    return IsUnknownType(type, reading_.schema_of, reading_.is_sold, reading_.language);
  }
  Span NameOf(const ProductType& type) const { return reading_.folded.FindLongest(type.words); }

  std::optional<ProductType> LongestName() const {
    // "Montre m'en" asks for no watch, nor does "she watches films".
    FoldedMessage goods = reading_.folded;
    for (Span other = FindCue(goods, Cue::kNotGoods); other.found();) {
      goods = goods.Without(other);
      other = FindCue(goods, Cue::kNotGoods);
    }
    const std::string message(goods.text());
    const std::string_view before = BeforePurpose(message, reading_.language);
    auto named = FindProductTypes(before, reading_.language, *reading_.profile);
    auto whole = FindProductTypes(message, reading_.language, *reading_.profile);
    // "Fontaine à eau pour chat" is a name of its own, and no water dispenser for a cat.
    const Span longest = whole.empty() ? Span() : NameOf(whole.front());
    const bool spans =
        longest.found() && longest.begin < before.size() && longest.end > before.size();
    if (named.empty() || spans) named = std::move(whole);
    if (named.empty()) return std::nullopt;
    if (auto joined = ForPurpose(named.front(), message)) return joined;
    if (auto accessory = AccessoryBehind(named.front())) return accessory;
    for (const ProductType& type : named) {
      // "Tableta gráfica", where no graphics tablets are sold, names no tablet.
      if (&type != &named.front() && IsInside(type, named.front())) continue;
      if (!is_unknown(type)) return type;
      if (auto wider = SoldWider(type)) return wider;
      if (auto called = OnlySoldOfNoun(reading_, type, type.name)) return called;
    }
    return named.front();
  }

  /// "iPhone 14 transparent back cover": goods of a listed type, for what is named before.
  std::optional<ProductType> AccessoryBehind(const ProductType& whole) const {
    const FoldedMessage asked = FoldedMessage::FromFolded(
        std::string(BeforePurpose(reading_.folded.text(), reading_.language)));
    const Span name = asked.FindLongest(whole.words);
    if (!name.found() || reading_.language != "en") return std::nullopt;
    const std::vector<std::string> behind = SplitWords(asked.text().substr(name.end));
    if (behind.empty() || behind.size() > kMaxBehind) return std::nullopt;
    for (const std::string& word : behind) {
      if (!HasCue(FoldedMessage::FromFolded(word), Cue::kAccessory)) continue;
      const auto listed = TypeNamed(whole.name + " " + word, "en");
      if (!listed || TheLexiconTypes()[*listed].canonical == whole.name) continue;
      return FindProductType(TheLexiconTypes()[*listed].canonical, "en", *reading_.profile);
    }
    return std::nullopt;
  }

  /// Part of the other's name in the message, and no wider name for it.
  bool IsInside(const ProductType& type, const ProductType& other) const {
    const Span inner = NameOf(type), outer = NameOf(other);
    return inner.found() && outer.found() && outer.begin <= inner.begin && inner.end <= outer.end &&
           !IsKindOf(other.name, type);
  }

  /// "Laptop" of "for my laptop", "tablet" of "for my ipad"; empty: no goods.
  std::string TypeOfPurpose(const std::string& purpose) const {
    const auto types = FindProductTypes(purpose, reading_.language, *reading_.profile);
    if (!types.empty()) return types.front().name;
    const std::vector<std::string> words = SplitWords(purpose);
    for (size_t i = 0; i < std::min(words.size(), kMaxPurpose); ++i) {
      if (std::string type = TypeOfKnownLine(words[i]); !type.empty()) return type;
    }
    return "";
  }

  /// "Netzteil für meinen Laptop", "funda para tableta": goods of a type of their own.
  std::optional<ProductType> ForPurpose(const ProductType& goods,
                                        const std::string& message) const {
    const std::string_view asked = BeforePurpose(message, reading_.language);
    const bool says_no_purpose = asked.size() == message.size();
    if (says_no_purpose) return std::nullopt;
    const std::string purpose = TypeOfPurpose(message.substr(asked.size()));
    if (purpose.empty() || purpose == goods.name) return std::nullopt;
    auto joined = TypeOfBoth(purpose, goods.name, *reading_.profile);
    if (!joined) return std::nullopt;
    // Of a category that holds them the words of the purpose tell more, unless it is another kind.
    const bool is_other = !IsKindOf(joined->name, goods) && is_unknown(*joined);
    if (!goods.categories.empty() && !is_other) return std::nullopt;
    if (!is_other) {
      joined->words.insert(joined->words.end(), goods.words.begin(), goods.words.end());
    } else if (const Span said = NameOf(goods); said.found() && reading_.language != "en") {
      joined->words.push_back(FirstWords(reading_.folded.text().substr(said.begin), kMaxPurpose));
    }
    return joined;
  }

  /// Where the shop has no wall clocks by that name, its clocks.
  std::optional<ProductType> SoldWider(const ProductType& type) const {
    const auto listed = TypeNamed(type.name, "en");
    if (!listed || TheLexiconTypes()[*listed].wider.empty()) return std::nullopt;
    // "Oral care" without toothpaste is of other goods.
    const std::string& name = TheLexiconTypes()[*listed].wider;
    const FoldedMessage last = FoldedMessage::FromFolded(name.substr(name.rfind(' ') + 1));
    const bool is_collective = HasCue(last, Cue::kNotName) || HasCue(last, Cue::kAccessory);
    if (is_collective || last.text() == "care") return std::nullopt;
    auto wider = FindProductType(TheLexiconTypes()[*listed].wider, "en", *reading_.profile);
    if (!wider) return std::nullopt;
    wider->words.insert(wider->words.end(), type.words.begin(), type.words.end());
    return is_unknown(*wider) ? SoldWider(*wider) : std::move(wider);
  }

  /// "Guitar bag" of "a bag for my guitar": the shop's own name of what is asked for, where the
  /// lexicon has none, a part of it or a wider one.
  std::optional<ProductType> OwnName(const std::optional<ProductType>& named) const {
    if (reading_.own_names == nullptr || reading_.language != "en") return std::nullopt;
    const FoldedMessage asked = FoldedMessage::FromFolded(
        std::string(BeforePurpose(reading_.folded.text(), reading_.language)));
    const Span lexicon = named ? asked.FindLongest(named->words) : Span();
    const bool is_wider = named && !named->is_whole;
    const OwnSpan own = LongestOwnName(asked);
    const bool is_compound = own.name.find(' ') != std::string::npos;
    if (!is_compound) {
      if (auto joined = JoinedName(asked, named && !is_wider)) return joined;
    }
    if (own.name.empty()) return std::nullopt;
    // "Address labels for a laser printer": what stands behind the purpose is not asked for.
    const bool is_purpose = is_compound && named && !lexicon.found();
    const bool goes_on =
        lexicon.found() && own.span.begin <= lexicon.begin && own.span.end > lexicon.end;
    const bool narrows = is_wider && lexicon.found() && own.span.end == lexicon.end;
    if (named && !is_purpose && !goes_on && !narrows) return std::nullopt;
    return TypeOfOwn(own.name, asked.text().substr(own.span.begin, own.span.size()));
  }

  struct OwnSpan {
    std::string name;  // singular; empty: none
    Span span;
  };

  OwnSpan LongestOwnName(const FoldedMessage& asked) const {
    const std::vector<std::string> words = SplitWords(asked.text());
    const std::vector<std::string> singular = SingularWords(asked.text());
    if (words.size() != singular.size()) return {};
    for (size_t count = kMaxOwnWords; count > 0; --count) {
      // A single word is rarely a name in the midst of a conversation.
      if (count == 1 && reading_.topic != nullptr) break;
      for (size_t i = 0; i + count <= words.size(); ++i) {
        const std::string name = JoinWords(singular, i, count);
        const bool is_own = count > 1
                                ? reading_.own_names->Has(name)
                                : reading_.own_names->IsHead(name) && !IsOrdinaryWord(words[i]);
        if (!is_own) continue;
        size_t begin = 0;
        for (size_t at = 0; at < i; ++at) begin += words[at].size() + 1;
        size_t size = count - 1;
        for (size_t at = i; at < i + count; ++at) size += words[at].size();
        return {name, {begin, begin + size}};
      }
    }
    return {};
  }

  /// "A bag for my acoustic guitar"; of what the lexicon names only "perfume for the car", for
  /// goods.
  std::optional<ProductType> JoinedName(const FoldedMessage& asked, bool is_listed) const {
    const std::string rest(reading_.folded.text().substr(asked.text().size()));
    const std::vector<std::string> behind = SingularWords(rest), head = SingularWords(asked.text());
    if (behind.empty() || behind.front() != "for" || head.empty()) return std::nullopt;
    const size_t end = std::min(behind.size(), kMaxPurpose);
    for (size_t i = 1; i < end; ++i) {
      if (auto joined = ListedName(behind[i] + " " + head.back())) return joined;
      // "A case for a Redmi Note 12": the lexicon knows whose line it is.
      const std::string whole = TypeOfKnownLine(behind[i]);
      if (whole.empty()) continue;
      if (auto joined = ListedName(whole + " " + head.back())) return joined;
    }
    for (size_t i = 1; i < end; ++i) {
      if (is_listed && !TypeNamed(behind[i], "en")) continue;
      const std::string name = reading_.own_names->Between(behind[i], head.back());
      if (!name.empty()) return TypeOfOwn(name, SplitWords(asked.text()).back());
    }
    return std::nullopt;
  }

  /// "He needs a bed, too", of a dog: a dog bed, where the shop has any.
  std::optional<ProductType> NameOfPet(const std::optional<ProductType>& named) const {
    if (reading_.pet.empty()) return std::nullopt;
    const std::string pet(reading_.pet);
    const bool is_goods = named && !named->is_advised;
    if (auto listed = ListedForPet(pet)) return listed;
    if (is_goods && FoldedMessage(named->name).Has(pet)) return std::nullopt;
    if (is_goods) {
      if (auto listed = ListedName(pet + " " + named->name)) return listed;
      if (auto unsold = UnsoldOfPet(pet, *named)) return unsold;
    }
    if (reading_.own_names == nullptr) return std::nullopt;
    for (const std::string& each : is_goods ? std::vector{named->name} : AskedNames()) {
      const std::string own = reading_.own_names->Between(pet, SingularOf(each));
      if (!own.empty() && each != pet) return TypeOfOwn(own, each);
    }
    return std::nullopt;
  }

  /// "Litter for cats": what the lexicon lists under the pet, sold or not.
  std::optional<ProductType> ListedForPet(const std::string& pet) const {
    const std::vector<std::string> asked =
        SingularWords(BeforePurpose(reading_.folded.text(), reading_.language));
    const bool is_short = !asked.empty() && asked.size() <= kFewOfTopic &&
                          TypeNamed(pet + " " + asked.back(), "en").has_value();
    const Span noun = is_short ? reading_.folded.Find(asked.back()) : Span();
    if (!noun.found() || PetOfGoods(reading_.folded, noun).empty()) return std::nullopt;
    auto listed = FindProductType(pet + " " + asked.back(), "en", *reading_.profile);
    const Span owner = reading_.folded.Find(pet);
    if (listed && owner.found() && owner.begin > noun.end) {
      listed->words.emplace_back(reading_.folded.text().substr(noun.begin, owner.end - noun.begin));
    }
    return listed;
  }

  /// "A toy for my cat" asks for no toy of children, where the shop has none for cats.
  std::optional<ProductType> UnsoldOfPet(const std::string& pet, const ProductType& named) const {
    const std::string name = pet + " " + named.name;
    const Span goods = NameOf(named);
    const bool is_for_pet =
        goods.found() && TypeNamed(name, "en") && !PetOfGoods(reading_.folded, goods).empty();
    const bool is_own =
        reading_.own_names != nullptr && !reading_.own_names->Between(pet, named.name).empty();
    if (!is_for_pet || is_own) return std::nullopt;
    return FindProductType(name, "en", *reading_.profile);
  }

  /// "Shampoo" of "which shampoo would you suggest": the lexicon need not have it.
  std::vector<std::string> AskedNames() const {
    std::vector<std::string> names = ReadAskedGoods(reading_.folded).names;
    const std::vector<std::string> words = SplitWords(reading_.folded.text());
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      const bool is_which = HasCue(FoldedMessage::FromFolded(words[i]), Cue::kWhich);
      if (is_which && !IsOrdinaryWord(words[i + 1])) names.push_back(words[i + 1]);
    }
    return names;
  }

  /// "A ThinkPad with 8 GB": what the shop's ThinkPads are.
  std::optional<ProductType> TypeOfLine() const {
    const bool asks = reading_.topic == nullptr || HasCue(reading_.folded, Cue::kRequest);
    if (reading_.own_names == nullptr || !asks) return std::nullopt;
    for (const std::string& word : TellingWords(reading_.folded)) {
      const std::string type = reading_.own_names->TypeOfLine(word);
      if (type.empty()) continue;
      auto found = FindProductType(type, "en", *reading_.profile);
      if (found && !is_unknown(*found)) return found;
    }
    return std::nullopt;
  }

  /// "A bed for my dog": a dog bed. Of a "guitar accessory" the shop's own name says more.
  std::optional<ProductType> ListedName(const std::string& name) const {
    const auto listed = TypeNamed(name, "en");
    if (!listed) return std::nullopt;
    const std::string& type = TheLexiconTypes()[*listed].canonical;
    const FoldedMessage last = FoldedMessage::FromFolded(type.substr(type.rfind(' ') + 1));
    if (HasCue(last, Cue::kNotName)) return std::nullopt;
    auto found = FindProductType(name, "en", *reading_.profile);
    return found && !is_unknown(*found) ? found : std::nullopt;
  }

  std::optional<ProductType> TypeOfOwn(const std::string& name, std::string_view said) const {
    ProductType type{name, {}, {name}, true};
    for (const std::string& each : {std::string(said), name + "s"}) {
      if (each != name) type.words.push_back(each);
    }
    return is_unknown(type) ? std::nullopt : std::make_optional(std::move(type));
  }

  /// "Which one makes the most cups" asks for no cups that the shop does not have.
  bool SelectsByIt(const ProductType& type) const {
    // "Which has a remote control", of fans.
    const Span name = NameOf(type), which = FindCue(reading_.folded, Cue::kWhich);
    const bool has_it = reading_.topic != nullptr && name.found() && which.found() &&
                        which.end <= name.begin && reading_.topic->name != type.name &&
                        HasCue(FoldedMessage::FromFolded(std::string(reading_.folded.text().substr(
                                   which.end, name.begin - which.end))),
                               Cue::kHas);
    if (has_it) return true;
    return reading_.topic != nullptr && HasCue(reading_.folded, Cue::kWhich) &&
           !HasCue(reading_.folded, Cue::kWhole) && is_unknown(type);
  }

  /// "The short ones wont do" asks for no shorts.
  bool SaysWhichOnes(const ProductType& type) const {
    const Span name = NameOf(type);
    if (!name.found() || type.is_advised) return false;
    const std::string_view said = reading_.folded.text().substr(name.begin, name.size());
    const std::vector<std::string> behind = SplitWords(reading_.folded.text().substr(name.end));
    // "Kettle oneida" is a kettle.
    const bool says_ones = !behind.empty() && (behind.front() == "ones" || behind.front() == "one");
    return says_ones && !said.ends_with('s');
  }

  bool IsPartOfValue(const ProductType& type) const {
    const Span name = NameOf(type);
    // "Chocolate flavour", of protein powder.
    if (name.found() && reading_.topic != nullptr) {
      const std::vector<std::string> behind = SplitWords(reading_.folded.text().substr(name.end));
      if (!behind.empty() && IsPropertyNoun(behind.front())) return true;
    }
    const auto values = FindNamedValues(reading_.folded, reading_.language);
    return name.found() && std::any_of(values.begin(), values.end(), [&](const NamedValue& each) {
             return each.span.begin <= name.begin && each.span.end >= name.end &&
                    each.span.size() > name.size() + 1;
           });
  }

  /// "And one without a microphone", of a speaker.
  bool IsBehindProperty(const ProductType& type) const {
    const Span cue = FindCue(reading_.folded, Cue::kProperty), name = NameOf(type);
    return cue.found() && name.found() && cue.begin < name.begin;
  }

  /// "With a lunch box", of school bags: what goes with the topic is said of it.
  bool IsWithIt(const ProductType& type) const {
    if (reading_.topic == nullptr || reading_.topic->name == type.name || type.is_advised) {
      return false;
    }
    return BeginsWithPart(reading_.folded) ||
           (IsBehindProperty(type) && !HasCue(reading_.folded, Cue::kMore));
  }

  bool IsPartOfKey(const ProductType& type) const {
    if (reading_.topic == nullptr || reading_.topic->name == type.name || !reading_.schema_of) {
      return false;
    }
    const bool ranks = ResolveRank(reading_.folded, TypeSchema()) ||
                       HasCue(reading_.folded, Cue::kWhich) ||
                       HasCue(reading_.folded, Cue::kCondition) ||  // "with 8 GB of RAM or more"
                       IsBehindProperty(type) || reading_.folded.word_count() <= kFewWords;
    if (!ranks && !is_unknown(type)) return false;
    const TypeSchema* const schema = reading_.schema_of(*reading_.topic, reading_.language);
    const Span name = NameOf(type);
    if (schema == nullptr || !name.found()) return false;
    const bool compares =
        reading_.folded.word_count() <= kFewWords && SaysGenericRank(reading_.folded);
    return std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
      const Span span = reading_.folded.FindLongest(key.phrases);
      // "A longer battery?", of what states a battery life.
      const bool ranks_by_it =
          compares && key.kind == SchemaKey::Kind::kNumber &&
          std::find(key.words.begin(), key.words.end(), type.name) != key.words.end();
      return ranks_by_it || (span.found() && span.begin <= name.begin && span.end >= name.end);
    });
  }

  /// "No temp control needed", of a kettle: "control" alone names no remote control.
  bool IsWordOfKey(const ProductType& type) const {
    if (reading_.topic == nullptr || type.is_whole || !reading_.schema_of) return false;
    const TypeSchema* const schema = reading_.schema_of(*reading_.topic, reading_.language);
    return schema != nullptr &&
           std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
             return std::find(key.words.begin(), key.words.end(), type.name) != key.words.end();
           });
  }

  bool IsColour(const ProductType& type) const {
    return reading_.topic != nullptr &&
           std::any_of(type.words.begin(), type.words.end(),
                       [&](const std::string& name) { return reading_.folded.Has("in " + name); });
  }

  const TypeReading& reading_;
};

}  // namespace

std::optional<ProductType> ReadNamedType(const TypeReading& reading) {
  return Reader(reading).Run();
}

bool IsUnknownType(const ProductType& type, const SchemaLookup& schema_of,
                   const SoldLookup& is_sold, const std::string& language) {
  if (!type.categories.empty() || !schema_of) return false;
  if (is_sold) return !is_sold(type, language);
  const TypeSchema* const schema = schema_of(type, language);
  return schema != nullptr && schema->product_count() == 0;
}

}  // namespace emptor::services
