// One need for each condition of a search.
#include "services/assistant/reading/asked_needs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "retrieval/query/relaxation.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/types/trade_names.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Kind = AskedNeed::Kind;
using retrieval::Filter;
using retrieval::FilterPart;

// What weighs how much, where not everything can be met.
constexpr double kFit = 9, kMaker = 6, kPrice = 5, kAttribute = 3, kWord = 2, kColour = 2,
                 kOther = 1.5, kWish = 0.5;
constexpr double kSaid = 4;       // times an inherited need
constexpr double kAge = 3;        // times the weight of any other attribute
constexpr size_t kFewValues = 2;  // of a condition that are told

class Reader {
 public:
  Reader(const Understanding& understanding, const Filter& filter, const TypeSchema* schema)
      : understanding_(understanding), filter_(filter), schema_(schema) {}

  std::vector<AskedNeed> Run(const std::vector<WordCondition>& words,
                             const std::optional<WordCondition>& fit) {
    AddPart(FilterPart::kPrice, Kind::kPrice, kPrice, "");
    AddPart(FilterPart::kBrand, Kind::kBrand, kMaker, Joined(filter_.brands));
    AddPart(FilterPart::kColor, Kind::kColour, kColour, Colours());
    AddPart(FilterPart::kMinRating, Kind::kOther, kOther,
            fmt::format("★ ≥ {:.2g}", filter_.min_rating.value_or(0)));
    AddPart(FilterPart::kCondition, Kind::kOther, kOther, "");
    AddPart(FilterPart::kAvailability, Kind::kOther, kOther, "");
    for (const auto& each : filter_.attributes) AddAttribute(each, Kind::kAttribute, kAttribute);
    for (const auto& each : filter_.ranges) {
      AskedNeed need{.kind = Kind::kRange, .weight = WeightOf(kAttribute, FilterPart::kRange)};
      // "Bigger": the bound is that of a product shown before, which the shopper did not say.
      if (!is_relative()) {
        need.text = (each.attribute.empty() ? "" : each.attribute + " ") +
                    AsWritten(understanding_.message, SaidOf(each, understanding_.message));
      }
      need.condition.ranges = {each};
      needs_.push_back(std::move(need));
    }
    for (const auto& each : understanding_.wishes) AddAttribute(each, Kind::kWish, kWish);
    for (const RankedKey& each : understanding_.preferences) {
      needs_.push_back({.kind = Kind::kWish, .weight = kWish * kSaid, .preferred = each});
    }
    for (const WordCondition& each : words) AddWord(each, fit && each == *fit);
    for (const WordCondition& each : understanding_.missing) {
      const size_t before = needs_.size();
      // The greater ones, of which the condition is, are not what was said: "8 kg", of 9.
      for (AskedNeed& other : needs_) {
        if (other.condition.attributes.size() == 1 && retrieval::FoldWords(other.text) == each.text)
          other.text.clear();
      }
      AddDemand(each, false);
      if (needs_.size() > before) needs_.back().is_absent = each.quantity.has_value();
    }
    return std::move(needs_);
  }

 private:
  /// The message compares with what was shown, and states no quantity itself.
  bool is_relative() const {
    const bool has_digit = understanding_.message.find_first_of("0123456789") != std::string::npos;
    return understanding_.comparison && !has_digit &&
           understanding_.comparison->aspect == Comparison::Aspect::kMeasure;
  }

  double WeightOf(double weight, FilterPart part) const {
    // "Cheaper" sets a bound that the message's own filter does not have.
    const bool is_bound = part == FilterPart::kPrice && understanding_.comparison &&
                          understanding_.comparison->aspect == Comparison::Aspect::kPrice;
    const bool is_said = is_bound || !understanding_.follows_up ||
                         retrieval::HasPart(part, understanding_.said_filter);
    return is_said ? weight * kSaid : weight;
  }

  static std::string Joined(const std::vector<std::string>& values) {
    return fmt::format("{}", fmt::join(values, " / "));
  }

  std::string Translated(const std::string& value) const {
    std::string own = TranslateValue(value, understanding_.language);
    return own.empty() ? value : own;
  }

  std::string Colours() const {
    std::vector<std::string> own;
    for (const std::string& each : filter_.colors) own.push_back(Translated(each));
    return Joined(own);
  }

  void AddPart(FilterPart part, Kind kind, double weight, std::string text) {
    if (!retrieval::HasPart(part, filter_)) return;
    AskedNeed need{.kind = kind, .text = std::move(text), .weight = WeightOf(weight, part)};
    retrieval::CopyPart(part, filter_, need.condition);
    need.condition.region = filter_.region;
    needs_.push_back(std::move(need));
  }

  /// What the message says of it, else its name with a value or two.
  std::string TextOf(const retrieval::AttributeCondition& condition) const {
    for (const auto& [key, said] : understanding_.said_of) {
      if (key == condition.name) return said;
    }
    const std::string label = LabelOf(condition.name, understanding_.language);
    const bool says_yes =
        std::none_of(condition.values.begin(), condition.values.end(),
                     [](const std::string& value) { return MeansNo(retrieval::FoldWords(value)); });
    const bool is_plain =
        std::any_of(condition.values.begin(), condition.values.end(),
                    [](const std::string& value) { return MeansYes(retrieval::FoldWords(value)); });
    if ((is_plain && says_yes) || condition.values.size() > kFewValues) return label;
    std::vector<std::string> values;
    for (const std::string& each : condition.values) values.push_back(Translated(each));
    return label + " " + Joined(values);
  }

  void AddAttribute(const retrieval::AttributeCondition& each, Kind kind, double weight) {
    // The colour is a need of its own, which titles meet as well.
    if (!filter_.colors.empty() && IsColour(each.name)) return;
    AskedNeed need{.kind = kind, .text = TextOf(each)};
    need.weight = weight;
    const auto& said = understanding_.said_filter.attributes;
    const bool is_said = !understanding_.follows_up ||
                         std::any_of(said.begin(), said.end(),
                                     [&](const auto& other) { return other.name == each.name; });
    if (is_said) need.weight *= kSaid;
    // What is for older children is given to no younger one.
    if (FoldedMessage(each.name).Has("age")) need.weight *= kAge;
    need.condition.attributes = {each};
    needs_.push_back(std::move(need));
  }

  static bool IsColour(const std::string& name) {
    return retrieval::IsColorProperty(retrieval::FoldWords(name));
  }

  /// "Stick", of USB sticks: part of the name, in the message's words or the lexicon's.
  bool NamesType(const WordCondition& word) const {
    // A shop that has tablets need not have an iPad.
    if (!understanding_.type || IsTradeName(word.text)) return false;
    const FoldedMessage message(understanding_.message);
    const FoldedMessage::Span said = message.FindLongest(understanding_.type->words);
    const bool is_said =
        said.found() &&
        FoldedMessage::FromFolded(std::string(message.text().substr(said.begin, said.size())))
            .Has(word.text);
    return is_said || FoldedMessage(understanding_.type->name).Has(word.text);
  }

  /// Another need has the word: "tsa" of "TSA lock".
  bool IsPartOf(const AskedNeed& need, const WordCondition& word) const {
    if (FoldedMessage(need.text).Has(word.text)) return true;
    if (schema_ == nullptr || need.condition.attributes.empty()) return false;
    const SchemaKey* const key = schema_->Find(need.condition.attributes[0].name);
    return key != nullptr &&
           (key->folded == word.text ||
            std::find(key->phrases.begin(), key->phrases.end(), word.text) != key->phrases.end());
  }

  /// A word of another language that some record happens to have: the others may say it in theirs.
  bool IsForeign(const WordCondition& word, bool is_maker) const {
    const bool has_digit = word.text.find_first_of("0123456789") != std::string::npos;
    return understanding_.language != "en" && word.any_of.size() == 1 && !has_digit && !is_maker &&
           !IsWideText(word.text);
  }

  void AddWord(const WordCondition& word, bool is_fit) {
    if (!NamesType(word)) AddDemand(word, is_fit);
  }

  void AddDemand(const WordCondition& word, bool is_fit) {
    const auto has_word = [&](const AskedNeed& other) { return IsPartOf(other, word); };
    if (std::any_of(needs_.begin(), needs_.end(), has_word)) return;
    // "Do you have it bigger", of 65 litres.
    if (is_relative() && word.quantity) return;
    const bool is_maker = schema_ != nullptr && schema_->words().IsMostlyMaker(word.text);
    AskedNeed need{.kind = Kind::kWord,
                   .text = AsWritten(understanding_.message, word.text),
                   .weight = is_fit || IsModelWord(word.text) ? kFit
                             : is_maker                       ? kMaker
                                                              : kWord,
                   .word = word};
    if (!is_fit && IsForeign(word, is_maker)) need.text.clear();
    const auto& said = understanding_.said_words;
    const bool is_said =
        !understanding_.follows_up || std::find(said.begin(), said.end(), word) != said.end();
    if (is_said) need.weight *= kSaid;
    need.is_inherited = !is_said;
    needs_.push_back(std::move(need));
  }

  const Understanding& understanding_;
  const Filter& filter_;
  const TypeSchema* const schema_;
  std::vector<AskedNeed> needs_;
};

}  // namespace

const std::vector<NeedVerdict>* NeedReport::Of(const std::string& product_id) const {
  const auto found = verdicts.find(product_id);
  return found == verdicts.end() ? nullptr : &found->second;
}

std::optional<int64_t> PriceNear(const Understanding& understanding) {
  const std::optional<catalog::Money>& budget = understanding.budget;
  const retrieval::Filter& filter = understanding.filter;
  const bool is_within = budget && filter.min_price && filter.max_price &&
                         *filter.min_price < budget->amount && budget->amount < *filter.max_price;
  return is_within ? std::make_optional(budget->amount) : std::nullopt;
}

std::vector<AskedNeed> NeedsOf(const Understanding& understanding, const Filter& filter,
                               const std::vector<WordCondition>& words,
                               const std::optional<WordCondition>& fit, const TypeSchema* schema) {
  return Reader(understanding, filter, schema).Run(words, fit);
}

}  // namespace emptor::services
