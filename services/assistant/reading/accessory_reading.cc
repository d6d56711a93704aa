// Words of accessories and of uses, bound to the goods that stand with them.
#include "services/assistant/reading/accessory_reading.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/assistant/types/accessories.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr size_t kMaxBetween = 4;  // words between "for" and the goods: "my two old 27 inch"
constexpr size_t kMaxNames = 8;    // of the goods to which an accessory belongs
constexpr size_t kMaxWideGap = 6;  // bytes between Chinese goods and the accessory: "用的"
constexpr std::string_view kBlank = " ";

/// Goods of the message to which an accessory belongs.
struct Whole {
  ProductType type;
  Span span;
};

bool IsJoint(const std::string& word) {
  constexpr std::array<std::string_view, 15> kJoints = {"for", "to",   "fur", "furs", "zum",
                                                        "zur", "pour", "de",  "d",    "du",
                                                        "des", "para", "del", "a",    "al"};
  return std::find(kJoints.begin(), kJoints.end(), word) != kJoints.end();
}

/// "To hang", "pour accrocher": the verb says what goods are for. German puts it behind them.
bool IsPurpose(const std::string& word) {
  constexpr std::array<std::string_view, 7> kMarks = {"to",   "for", "pour", "quoi",
                                                      "para", "and", "can"};
  return std::find(kMarks.begin(), kMarks.end(), word) != kMarks.end();
}

class Reader {
 public:
  Reader(const TypeReading& reading, const std::optional<ProductType>& named)
      : reading_(reading), named_(named) {}

  std::optional<ProductType> Accessory() const {
    if (auto found = Find(false)) return found;
    return MayAsk() && reading_.language == "de" ? CompoundType() : std::nullopt;
  }

  std::optional<ProductType> Use() const { return Find(true); }

 private:
  std::optional<ProductType> Find(bool of_use) const {
    if (!MayAsk()) return std::nullopt;
    for (const AccessoryWord& word : FindAccessoryWords(reading_.folded, reading_.language)) {
      if (word.is_use != of_use || IsInName(word.span)) continue;
      const auto whole = word.is_use ? ObjectOf(word) : WholeOf(word);
      if (!whole || !IsTheOnlyGoods(*whole, word.span)) continue;
      return TypeFor(*whole, word, Around(word.span, whole->span));
    }
    return std::nullopt;
  }

  std::string_view text() const { return reading_.folded.text(); }

  /// In the midst of a conversation only a request asks for other goods.
  bool MayAsk() const {
    const bool requests = HasCue(reading_.folded, Cue::kRequest) ||
                          HasCue(reading_.folded, Cue::kSells) ||
                          HasCue(reading_.folded, Cue::kMore);
    const std::string first(text().substr(0, text().find(' ')));
    // "A case for the drill?"
    const bool begins_with_goods = HasCue(FoldedMessage::FromFolded(first), Cue::kIndefinite);
    return reading_.topic == nullptr || requests || begins_with_goods;
  }

  bool AsksHow() const {
    const bool sells = HasCue(reading_.folded, Cue::kSells);
    return (HasCue(reading_.folded, Cue::kDetail) && !sells) ||
           reading_.folded.HasAny(
               std::array<std::string_view, 6>{"how", "wie", "comment", "como", "怎么", "如何"});
  }

  /// "Bag" of "trolley bag", which the lexicon names as a whole.
  bool IsInName(const Span& word) const {
    const Span name = named_ ? reading_.folded.FindLongest(named_->words) : Span();
    const bool is_inside = name.found() && name.begin <= word.begin && word.end <= name.end;
    return is_inside && (named_->is_whole || name.size() > word.size());
  }

  static Span Around(const Span& a, const Span& b) {
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
  }

  /// The first type that begins among the first words of the text from `begin` to `end`.
  std::optional<Whole> TypeBetween(size_t begin, size_t end) const {
    const std::string part(text().substr(begin, end - begin));
    const FoldedMessage folded = FoldedMessage::FromFolded(part);
    std::optional<Whole> first;
    for (ProductType& type : FindProductTypes(part, reading_.language, *reading_.profile)) {
      const Span span = folded.FindLongest(type.words);
      if (!span.found() || (first && first->span.begin <= begin + span.begin)) continue;
      const size_t before = SplitWords(folded.text().substr(0, span.begin)).size();
      if (before > kMaxBetween) continue;
      first = Whole{std::move(type), {begin + span.begin, begin + span.end}};
    }
    return first;
  }

  std::string WordBefore(size_t begin) const {
    const std::vector<std::string> words = SplitWords(text().substr(0, begin));
    return words.empty() ? "" : words.back();
  }

  /// "Monitor" of "a stand for my monitor", "bike" of "bike rack".
  std::optional<Whole> WholeOf(const AccessoryWord& word) const {
    if (const auto before = WholeBefore(word)) return before;
    const std::vector<std::string> behind = SplitWords(text().substr(word.span.end));
    if (behind.empty() || !IsJoint(behind.front())) return std::nullopt;
    return TypeBetween(std::min(word.span.end + behind.front().size() + 1, text().size()),
                       text().size());
  }

  /// English and Chinese put the accessory right behind the goods.
  std::optional<Whole> WholeBefore(const AccessoryWord& word) const {
    const bool is_wide = reading_.language == "zh";
    if (reading_.language != "en" && !is_wide) return std::nullopt;
    const std::string part(text().substr(0, word.span.begin));
    const FoldedMessage folded = FoldedMessage::FromFolded(part);
    for (ProductType& type : FindProductTypes(part, reading_.language, *reading_.profile)) {
      const Span span = folded.FindLongest(type.words);
      const size_t gap = is_wide ? kMaxWideGap : kBlank.size();
      if (span.found() && span.end + gap >= word.span.begin) return Whole{std::move(type), span};
    }
    return std::nullopt;
  }

  /// "Bike" of "something to hang my bike", "um mein Fahrrad aufzuhängen".
  std::optional<Whole> ObjectOf(const AccessoryWord& word) const {
    if (AsksHow()) return std::nullopt;
    const bool asks_about = HasCue(reading_.folded, Cue::kYesNo) &&
                            !HasCue(reading_.folded, Cue::kRequest) &&
                            !HasCue(reading_.folded, Cue::kSells);
    if (asks_about) return std::nullopt;
    const bool is_german = reading_.language == "de";
    const bool is_purpose =
        is_german || reading_.language == "zh" || IsPurpose(WordBefore(word.span.begin));
    if (!is_purpose) return std::nullopt;
    // "A vacuum to clean my sofa" names what is wanted.
    const std::string before(text().substr(0, word.span.begin));
    const auto named = FindProductTypes(before, reading_.language, *reading_.profile);
    if (is_german) {
      const auto object = named.size() == 1 ? TypeBetween(0, before.size()) : std::nullopt;
      return object;
    }
    auto object = named.empty() ? TypeBetween(word.span.end, text().size()) : std::nullopt;
    return object && IsHad(word, *object) ? std::move(object) : std::nullopt;
  }

  /// "To hang my bike"; "to hang a lamp" asks for a lamp, and "to attach it to the desk" for none.
  bool IsHad(const AccessoryWord& word, const Whole& object) const {
    const auto between =
        SplitWords(text().substr(word.span.end, object.span.begin - word.span.end));
    return std::none_of(between.begin(), between.end(), [](const std::string& each) {
      const FoldedMessage folded = FoldedMessage::FromFolded(each);
      return HasCue(folded, Cue::kIndefinite) || HasCue(folded, Cue::kRefOne) || each == "it" ||
             each == "them";
    });
  }

  /// "Fahrradständer", where the lexicon lists none.
  std::optional<ProductType> CompoundType() const {
    size_t begin = 0;
    for (const std::string& word : SplitWords(text())) {
      const Span span{begin, begin + word.size()};
      begin = span.end + 1;
      AccessoryCompound parts = PartAccessory(word, "de");
      if (parts.part.empty() || TypeNamed(word, "de")) continue;
      for (const std::string_view link : {"", "s", "n", "en"}) {
        if (!parts.whole.ends_with(link)) continue;
        const std::string name = parts.whole.substr(0, parts.whole.size() - link.size());
        auto type = FindProductType(name, "de", *reading_.profile);
        if (!type || !TypeNamed(name, "de")) continue;
        const bool names_other = named_ && named_->name != type->name;
        if (!names_other)
          return TypeFor({*std::move(type), span}, {span, parts.goods, {}, false}, span);
      }
    }
    return std::nullopt;
  }

  /// No other goods are named, which would be what is asked for.
  bool IsTheOnlyGoods(const Whole& whole, const Span& word) const {
    if (!named_ || named_->name == whole.type.name) return true;
    const Span span = reading_.folded.FindLongest(named_->words);
    // "Case", by which a shop of phone cases is named in part.
    if (!named_->is_whole && span.begin == word.begin && span.end == word.end) return true;
    return span.found() && span.begin >= whole.span.begin && span.end <= whole.span.end;
  }

  bool IsSold(const ProductType& type) const {
    return !IsUnknownType(type, reading_.schema_of, reading_.is_sold, reading_.language);
  }

  /// What the goods are called in English: as the shopper says, as the lexicon does, and in short.
  std::vector<std::string> EnglishNamesOf(const Whole& whole) const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
      if (is_new && !name.empty() && names.size() < kMaxNames) names.push_back(name);
    };
    if (reading_.language == "en") {
      const auto said = SingularWords(text().substr(whole.span.begin, whole.span.size()));
      std::string name = said.empty() ? "" : JoinWords(said, 0, said.size());
      if (name.ends_with("sse")) name += 's';  // "glasses" are a pair
      add(name);
    }
    add(whole.type.name);
    const auto listed = TypeNamed(whole.type.name, "en");
    if (listed) {
      for (const std::string& each : TheLexiconTypes()[*listed].names) {
        if (TypeNamed(each, "en") == listed) add(each);
      }
    }
    // Of the shop's city bikes, which the lexicon does not list, "bike".
    const std::string last = whole.type.name.substr(whole.type.name.rfind(' ') + 1);
    if (listed ? TheLexiconTypes()[*listed].wider == last : TypeNamed(last, "en").has_value()) {
      add(last);
    }
    return names;
  }

  std::optional<ProductType> ListedType(const std::string& name, const Whole& whole) const {
    const auto listed = TypeNamed(name, "en");
    if (!listed || TheLexiconTypes()[*listed].canonical == whole.type.name) return std::nullopt;
    return FindProductType(TheLexiconTypes()[*listed].canonical, "en", *reading_.profile);
  }

  /// "Case", where an English message says it, of "cover, case or sleeve".
  std::string UsualName(const AccessoryWord& word) const {
    const bool is_noun = reading_.language == "en" && !word.is_use;
    const auto said = SingularWords(text().substr(word.span.begin, word.span.size()));
    return is_noun && !said.empty() ? JoinWords(said, 0, said.size()) : word.goods.front();
  }

  /// The accessory: listed and sold, of the shop's own, or goods that serve any others; else one
  /// that is not sold. `said`: how the message puts it.
  ProductType TypeFor(const Whole& whole, const AccessoryWord& word, const Span& said) const {
    const std::vector<std::string> names = EnglishNamesOf(whole);
    ProductType own{names.front() + " " + UsualName(word), {}, {}, true};
    for (const std::string& each : word.goods) {
      for (const std::string& name : names) {
        auto listed = ListedType(name + " " + each, whole);
        if (listed && IsSold(*listed)) return *std::move(listed);
        own.words.push_back(name + " " + each);
      }
    }
    if (IsSold(own)) return own;
    for (const std::string& each : word.any) {
      auto listed = ListedType(each, whole);
      if (listed && IsSold(*listed)) return *std::move(listed);
    }
    if (reading_.language != "en") own.words.emplace_back(text().substr(said.begin, said.size()));
    return own;
  }

  const TypeReading& reading_;
  const std::optional<ProductType>& named_;
};

}  // namespace

std::optional<ProductType> ReadAccessory(const TypeReading& reading,
                                         const std::optional<ProductType>& named) {
  return reading.profile == nullptr ? std::nullopt : Reader(reading, named).Accessory();
}

std::optional<ProductType> ReadUse(const TypeReading& reading,
                                   const std::optional<ProductType>& named) {
  return reading.profile == nullptr ? std::nullopt : Reader(reading, named).Use();
}

}  // namespace emptor::services
