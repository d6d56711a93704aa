// Types of needs, and when a need says more than the goods that are named.
#include "services/assistant/reading/advised_types.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/asked_name.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr size_t kFewWords = 3;    // between a request and the name of what it asks for
constexpr size_t kFewAbout = 5;    // "and for a puppy?"
constexpr size_t kFewOfTopic = 8;  // words of a message that goes on about the topic

class Reader {
 public:
  explicit Reader(const TypeReading& reading) : reading_(reading) {}

  std::optional<ProductType> Advised(const std::optional<ProductType>& named) const {
    // "Is it safe for a 5 year old", "which is best for running" ask about what was shown.
    const bool asks_about_shown =
        reading_.topic != nullptr &&
        (HasCue(reading_.folded, Cue::kYesNo) || HasCue(reading_.folded, Cue::kWhich)) &&
        !HasCue(reading_.folded, Cue::kMore);
    if (asks_about_shown) return std::nullopt;
    // "And for a puppy?" asks for another kind of the topic.
    const bool goes_on = reading_.topic != nullptr && HasCue(reading_.folded, Cue::kAbout) &&
                         reading_.folded.word_count() <= kFewAbout;
    if (goes_on) return std::nullopt;
    const auto need = FindNeed(reading_.folded);
    if (!need || (named && IsAskedByName(*named))) return std::nullopt;
    // "I need one for a newborn", of car seats that were shown.
    const bool is_of_topic = reading_.topic != nullptr && !reading_.topic->is_advised && !named &&
                             need->places.size() > 1 && reading_.folded.word_count() <= kFewOfTopic;
    if (is_of_topic) return std::nullopt;
    if (named && !is_unknown(*named)) {
      const Span name = NameOf(*named);
      // "We lose power", where a word of "power supply" is said only.
      const bool is_hinted = !name.found() && !named->is_whole;
      if (!is_hinted && !IsPartOf(*need, name)) return std::nullopt;
    }
    const bool helps =
        std::any_of(need->types.begin(), need->types.end(), [&](const std::string& name) {
          const auto type = FindProductType(name, "en", *reading_.profile);
          return type && !is_unknown(*type);
        });
    // What helps is not sold: the answer says so. What somebody likes may be found among all goods.
    if (!helps && !FindLiking(reading_.folded.text()).empty()) return std::nullopt;
    return TypeOf(*need);
  }

  std::optional<ProductType> KindForNeed(const ProductType& named, const std::string& noun) const {
    const auto need = FindNeed(reading_.folded);
    if (!need) return std::nullopt;
    for (const std::string& name : need->types) {
      const auto listed = TypeNamed(name, "en");
      if (!listed || !IsCalledBy(*listed, noun)) continue;
      if (name == named.name) return named;
      auto type = FindProductType(name, "en", *reading_.profile);
      if (type && !is_unknown(*type)) return type;
    }
    return std::nullopt;
  }

 private:
  /// All that may please somebody; where it helps the shopper, what helps most, and alternatives.
  ProductType TypeOf(const Need& need) const {
    constexpr size_t kMaxAlternatives = 2;
    ProductType type{need.name, {}, {}, true, true};
    const bool is_gift = need.is_who || HasCue(reading_.folded, Cue::kGift) ||
                         !FindLiking(reading_.folded.text()).empty();
    if (is_gift) return type;
    for (const std::string& name : need.types) {
      const auto each = FindProductType(name, "en", *reading_.profile);
      const bool is_sold = each && !is_unknown(*each);
      // The answer says that the best is not sold.
      if (!is_sold && type.advised.empty()) return type;
      if (is_sold && type.alternatives.size() < kMaxAlternatives) {
        (type.advised.empty() ? type.advised : type.alternatives).push_back(name);
      }
    }
    type.name = type.advised.front();
    return type;
  }
  bool is_unknown(const ProductType& type) const {
    return IsUnknownType(type, reading_.schema_of, reading_.is_sold, reading_.language);
  }
  Span NameOf(const ProductType& type) const { return reading_.folded.FindLongest(type.words); }

  /// "I need a sleeping mat for camping": it is asked for, whatever it is for. But not "something
  /// to keep my coffee hot".
  bool IsAskedByName(const ProductType& type) const {
    const auto lead = LeadOfName(reading_.folded, type);
    return lead && type.is_whole && lead->words <= kFewWords && lead->telling == 0 &&
           !lead->is_purpose;
  }

  /// "My tv" of "my tv at night", "knives" of "my kitchen knives are blunt": the name says the
  /// need, and asks for no such goods. "A cat tree for my new cat" does.
  bool IsPartOf(const Need& need, const Span& name) const {
    const bool is_idea =
        name.found() && std::any_of(need.places.begin(), need.places.end(), [&](const Span& place) {
          return name.begin >= place.begin && name.end <= place.end;
        });
    if (is_idea) return true;
    const bool is_inside =
        name.found() && name.begin >= need.span.begin && name.end <= need.span.end;
    const FoldedMessage before(reading_.folded.text().substr(0, name.found() ? name.begin : 0));
    const std::vector<std::string> words = SplitWords(before.text());
    const bool is_owned = !words.empty() && IsOwnerWord(words.back());
    const bool overlaps =
        name.found() && std::any_of(need.places.begin(), need.places.end(), [&](const Span& place) {
          return name.begin < place.end && place.begin < name.end;
        });
    return (is_inside || overlaps) && is_owned;
  }

  const TypeReading& reading_;
};

}  // namespace

std::optional<ProductType> ReadAdvisedTypes(const TypeReading& reading,
                                            const std::optional<ProductType>& named) {
  return Reader(reading).Advised(named);
}

std::optional<ProductType> ReadKindForNeed(const TypeReading& reading, const ProductType& named,
                                           const std::string& noun) {
  return Reader(reading).KindForNeed(named, noun);
}

}  // namespace emptor::services
