// Types between values, attributes and needs.
#include "services/assistant/type_reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/assistant/attribute_binding.h"
#include "services/assistant/cues.h"
#include "services/assistant/dialogue.h"
#include "services/assistant/needs.h"
#include "services/assistant/type_names.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr size_t kFewWords = 3;  // "most ram?" asks about the topic

/// "Drones with a camera", "a bag for my laptop": what is asked for comes first.
/// "Bolsa para portátil" is the name of a type, and not cut.
std::string_view BeforePurpose(std::string_view folded, std::string_view language) {
  size_t end = folded.size();
  for (const std::string_view mark :
       {" with ", " for ", " mit ", " fur ", " avec ", " pour ", " con ", " para "}) {
    const size_t at = folded.find(mark);
    if (at >= end) continue;
    const bool is_name =
        NamesTypeAcross(folded.substr(0, at), folded.substr(at + mark.size()), language);
    if (!is_name) end = at;
  }
  return folded.substr(0, end);
}

class Reader {
 public:
  explicit Reader(const TypeReading& reading) : reading_(reading) {}

  std::optional<ProductType> Run() const {
    if (reading_.profile == nullptr) return std::nullopt;
    std::optional<ProductType> named = LongestName();
    if (named && SelectsByIt(*named)) named.reset();
    if (named && (IsPartOfValue(*named) || IsPartOfKey(*named) || IsColour(*named))) named.reset();
    if (auto advised = Advised(named)) return advised;
    return named;
  }

 private:
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
    auto named = FindProductTypes(BeforePurpose(message, reading_.language), reading_.language,
                                  *reading_.profile);
    if (named.empty()) {
      named = FindProductTypes(message, reading_.language, *reading_.profile);
    }
    if (named.empty()) return std::nullopt;
    const auto known = std::find_if(named.begin(), named.end(),
                                    [&](const ProductType& type) { return !is_unknown(type); });
    return known == named.end() ? named.front() : *known;
  }

  /// "Which one makes the most cups" asks for no cups that the shop does not have.
  bool SelectsByIt(const ProductType& type) const {
    return reading_.topic != nullptr && HasCue(reading_.folded, Cue::kWhich) &&
           !HasCue(reading_.folded, Cue::kWhole) && is_unknown(type);
  }

  bool IsPartOfValue(const ProductType& type) const {
    const Span name = NameOf(type);
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
    return std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
      const Span span = reading_.folded.FindLongest(key.phrases);
      return span.found() && span.begin <= name.begin && span.end >= name.end;
    });
  }

  bool IsColour(const ProductType& type) const {
    return reading_.topic != nullptr &&
           std::any_of(type.words.begin(), type.words.end(),
                       [&](const std::string& name) { return reading_.folded.Has("in " + name); });
  }

  /// A type that is named comes first, unless the need is said with its name: "my tv at night".
  std::optional<ProductType> Advised(const std::optional<ProductType>& named) const {
    // "Is it safe for a 5 year old", "which is best for running" ask about what was shown.
    const bool asks_about_shown =
        reading_.topic != nullptr &&
        (HasCue(reading_.folded, Cue::kYesNo) || HasCue(reading_.folded, Cue::kWhich)) &&
        !HasCue(reading_.folded, Cue::kMore);
    if (asks_about_shown) return std::nullopt;
    const auto need = FindNeed(reading_.folded);
    if (!need) return std::nullopt;
    if (named && !is_unknown(*named)) {
      const Span name = NameOf(*named);
      const bool is_inside =
          name.found() && name.begin >= need->span.begin && name.end <= need->span.end;
      if (!is_inside) return std::nullopt;
    }
    const bool helps =
        std::any_of(need->types.begin(), need->types.end(), [&](const std::string& name) {
          const auto type = FindProductType(name, "en", *reading_.profile);
          return type && !is_unknown(*type);
        });
    if (!helps) return std::nullopt;
    return ProductType{need->name, {}, {}, true, true};
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
