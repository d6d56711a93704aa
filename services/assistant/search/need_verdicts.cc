// Verdicts by columns of the filter, by the words of the type's records, and by text.
#include "services/assistant/search/need_verdicts.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/filter/filter_columns.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/condition_changes.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/resolution.h"
#include "services/assistant/search/relevance.h"

namespace emptor::services {
namespace {

using Kind = AskedNeed::Kind;
using catalog::Product;
using retrieval::FilterField;

constexpr size_t kFewAttributes = 3;  // of a record that says what the product is
constexpr size_t kDescribed = 48;     // of the best, whose descriptions are read
constexpr double kSoldOut = 2;        // against the weights of needs
constexpr double kOfNotStated = 0.7;  // of what is not met: it may be so all the same
constexpr double kPreferred = 0.35;   // of what was found: "cheap", "big"
constexpr double kMaxExcess = 2;      // of a price above its bound, as a share of it

/// What the record states of the quantity that the range bounds, in its base unit.
std::vector<double> QuantitiesOf(const retrieval::NumericRange& range,
                                 const retrieval::FilterRow& row) {
  const auto unit = retrieval::FindUnit(retrieval::FoldWords(range.unit));
  const std::string base = unit ? std::string(unit->base) : "";
  const std::string name = retrieval::FoldWords(range.attribute);
  std::vector<double> stated;
  for (const retrieval::NumericValue& number : row.numbers) {
    const bool is_named = name.empty() || FoldedMessage(number.attribute).Has(name);
    if (number.unit == base && is_named) stated.push_back(number.value);
  }
  return stated;
}

/// Judges one need of many products.
class Judge {
 public:
  Judge(const VerdictInput& input, const std::vector<FoundProduct>& found)
      : input_(input), found_(found) {
    for (const FoundProduct& each : found) {
      rows_.push_back(retrieval::MakeFilterRow(each.product));
      columns_.Add(rows_.back());
    }
    if (input.table == nullptr) return;
    for (size_t i = 0; i < input.table->members.size(); ++i) {
      positions_.emplace(input.table->members[i], static_cast<uint32_t>(i));
    }
  }

  std::vector<NeedVerdict> Run(const AskedNeed& need) const {
    if (need.preferred) return OfPreference(*need.preferred);
    return need.word ? OfWord(need) : OfCondition(need);
  }

 private:
  /// The best part of those found, by their own values: "cheap" among office chairs.
  std::vector<NeedVerdict> OfPreference(const RankedKey& rank) const {
    std::vector<NeedVerdict> verdicts(found_.size(), NeedVerdict::kNotStated);
    std::vector<std::pair<double, size_t>> values;  // the preferred first
    for (size_t i = 0; i < found_.size(); ++i) {
      const auto value = RankedValueOf(found_[i].product, rank, input_.now_unix, input_.market);
      if (value) values.emplace_back(rank.is_least ? value->number : -value->number, i);
    }
    if (values.empty()) return verdicts;
    std::sort(values.begin(), values.end());
    const auto last = static_cast<size_t>(kPreferred * static_cast<double>(values.size() - 1));
    for (const auto& [value, at] : values) {
      verdicts[at] = value <= values[last].first ? NeedVerdict::kMet : NeedVerdict::kViolated;
    }
    return verdicts;
  }

  std::vector<NeedVerdict> OfCondition(const AskedNeed& need) const {
    const retrieval::RecordSet met =
        columns_.Select(retrieval::CompiledFilter(need.condition), input_.now_unix);
    std::vector<NeedVerdict> verdicts;
    for (size_t i = 0; i < found_.size(); ++i) {
      const bool is_met = met.contains(static_cast<uint32_t>(i));
      verdicts.push_back(is_met ? NeedVerdict::kMet : WithoutCondition(need, i));
    }
    return verdicts;
  }

  /// Of what does not meet it.
  NeedVerdict WithoutCondition(const AskedNeed& need, size_t at) const {
    const Product& product = found_[at].product;
    const auto text = [](const std::string& one) { return FoldedMessage(one); };
    switch (need.kind) {
      case Kind::kPrice:
        return catalog::ComputePayablePrice(product, input_.now_unix, input_.market).price
                   ? NeedVerdict::kViolated
                   : NeedVerdict::kNotStated;
      case Kind::kBrand:
        for (const std::string& brand : need.condition.brands) {
          if (text(product.title).Has(retrieval::FoldWords(brand))) return NeedVerdict::kMet;
        }
        return product.brand.empty() ? NeedVerdict::kNotStated : NeedVerdict::kViolated;
      case Kind::kColour:
        return rows_[at].texts[static_cast<size_t>(FilterField::kColor)].empty()
                   ? NeedVerdict::kNotStated
                   : NeedVerdict::kViolated;
      case Kind::kAttribute:
      case Kind::kWish: {
        if (ValueOf(product, need.condition.attributes[0].name) != nullptr) {
          return NeedVerdict::kViolated;
        }
        const std::string said = retrieval::FoldWords(need.text);
        return !said.empty() && text(product.title).Has(said) ? NeedVerdict::kMet
                                                              : NeedVerdict::kNotStated;
      }
      case Kind::kRange:
        return QuantitiesOf(need.condition.ranges[0], rows_[at]).empty() ? NeedVerdict::kNotStated
                                                                         : NeedVerdict::kViolated;
      default:
        return need.condition.min_rating && !product.rating ? NeedVerdict::kNotStated
                                                            : NeedVerdict::kViolated;
    }
  }

  std::vector<NeedVerdict> OfWord(const AskedNeed& need) const {
    if (need.is_absent) {
      return std::vector<NeedVerdict>(found_.size(), NeedVerdict::kNotStated);
    }
    std::unordered_set<uint32_t> known;
    if (input_.table != nullptr) {
      for (const uint32_t at : input_.table->schema.words().Find(*need.word)) known.insert(at);
    }
    const std::vector<std::string> denying = KeysOf(*need.word);
    const auto& ways = need.word->any_of;
    const bool has_phrases =
        !need.word->quantity &&
        std::any_of(ways.begin(), ways.end(), [](const auto& stems) { return stems.size() > 1; });
    const auto asked = FindNamedResolution(FoldedMessage::FromFolded(need.word->text));
    std::vector<NeedVerdict> verdicts;
    for (const FoundProduct& each : found_) {
      const auto position = positions_.find(each.product.id);
      const bool has_words = position == positions_.end() ? Meets(TextOf(each.product), *need.word)
                                                          : known.contains(position->second);
      const bool is_met = has_words && (!has_phrases || HasPhrase(each.product, *need.word));
      // "4K" in the text of a Full HD monitor is something else.
      const auto is_large = asked ? HasResolution(*asked, each.product.title) : std::nullopt;
      if (is_large) {
        verdicts.push_back(*is_large ? NeedVerdict::kMet : NeedVerdict::kViolated);
        continue;
      }
      // "Freestanding", of what has built-in lights and is asked to be built in.
      const bool is_titled = is_met && Meets(each.product.title, *need.word);
      const bool is_denied = !is_titled && Denies(each.product, *need.word, denying);
      verdicts.push_back(is_denied ? NeedVerdict::kViolated
                         : is_met  ? NeedVerdict::kMet
                                   : NeedVerdict::kNotStated);
    }
    return verdicts;
  }

  /// One of the ways to say it as it stands: "ultra hd" is no "full hd" of an "ultra slim" monitor.
  bool HasPhrase(const Product& product, const WordCondition& word) const {
    std::vector<std::string> stems;
    ForEachWord(retrieval::FoldWords(TextOf(product)),
                [&](const std::string& each) { stems.push_back(StemOf(each)); });
    const std::vector<std::string> type =
        SplitWords(input_.table == nullptr ? std::string_view() : input_.table->name);
    return std::any_of(word.any_of.begin(), word.any_of.end(), [&](auto way) {
      // "Size M" is an "M".
      if (way.front() == "size") return true;
      if (std::search(stems.begin(), stems.end(), way.begin(), way.end()) != stems.end()) {
        return true;
      }
      // "Dry dog food": the type's own words demand nothing more.
      const auto is_of_type = [&](const std::string& stem) {
        return std::any_of(type.begin(), type.end(),
                           [&](const auto& each) { return StemOf(each) == stem; });
      };
      if (way.size() > 1 && is_of_type(way.back())) {
        way.pop_back();
        return std::search(stems.begin(), stems.end(), way.begin(), way.end()) != stems.end();
      }
      return IsInList(stems, way);
    });
  }

  /// "Laserjet 1200", in "LaserJet 1000, 1005w, 1200".
  static bool IsInList(const std::vector<std::string>& stems, const std::vector<std::string>& way) {
    if (way.size() != 2 || !HasDigit(way.back())) return false;
    for (auto at = stems.begin(); at != stems.end(); ++at) {
      if (*at != way.front()) continue;
      const auto end = std::find_if(at + 1, stems.end(),
                                    [](const std::string& each) { return !HasDigit(each); });
      if (std::find(at + 1, end, way.back()) != end) return true;
    }
    return false;
  }

  /// Attributes by the name of the word: "full hd".
  std::vector<std::string> KeysOf(const WordCondition& word) const {
    std::vector<std::string> keys;
    if (input_.table == nullptr) return keys;
    for (const SchemaKey& key : input_.table->schema.keys()) {
      const bool names =
          key.folded == word.text ||
          std::find(key.phrases.begin(), key.phrases.end(), word.text) != key.phrases.end();
      if (names && key.kind == SchemaKey::Kind::kBoolean) keys.push_back(key.name);
    }
    return keys;
  }

  bool Denies(const Product& product, const WordCondition& word,
              const std::vector<std::string>& keys) const {
    for (const std::string& key : keys) {
      const std::string* const value = ValueOf(product, key);
      if (value != nullptr && MeansNo(retrieval::FoldWords(*value))) return true;
    }
    if (word.quantity) {
      constexpr size_t kMaxMeasures = 8;
      const auto stated = retrieval::FindMeasures(product.title, kMaxMeasures);
      return std::any_of(stated.begin(), stated.end(),
                         [&](const auto& measure) { return measure.base == word.quantity->base; });
    }
    const std::vector<std::string>& others = Alternatives(word);
    if (others.empty()) return false;
    // "Connectivity: wired", of what is asked to be wireless; in a longer value the word may be
    // about something else.
    return FoldedMessage(product.title).HasAny(others) ||
           std::any_of(product.attributes.begin(), product.attributes.end(), [&](auto& each) {
             return each.value.find(' ') == std::string::npos &&
                    FoldedMessage(each.value).HasAny(others);
           });
  }

  const std::vector<std::string>& Alternatives(const WordCondition& word) const {
    const auto [known, is_new] = alternatives_.try_emplace(word.text);
    if (!is_new) return known->second;
    std::vector<WordCondition> all;
    for (const AskedNeed& each : input_.needs) {
      if (each.word) all.push_back(*each.word);
    }
    return known->second = AlternativesTo(word, all);
  }

  const VerdictInput& input_;
  const std::vector<FoundProduct>& found_;
  std::vector<retrieval::FilterRow> rows_;
  retrieval::FilterColumns columns_;
  std::unordered_map<std::string, uint32_t> positions_;  // of the table's members, by id
  mutable std::unordered_map<std::string, std::vector<std::string>> alternatives_;  // to a demand
};

/// What speaks against a product.
struct Shortfall {
  double violated = 0;    // weights of violated needs
  double not_stated = 0;  // of those that it does not state
  double inherited = 0;   // of those of them that an earlier turn asked for
  double unwished = 0;    // of wishes that it does not grant
  int unpreferred = 0;    // of them, those without a condition: "cheap"

  /// What meets a need comes before what says nothing of any: a record with little data is no
  /// better than one that says no to a lesser need.
  double loss() const { return violated + kOfNotStated * not_stated; }
};

/// A price just above the bound is nearer than one far above it.
double PriceExcess(const VerdictInput& input, const AskedNeed& need, const Product& product) {
  const auto price = catalog::ComputePayablePrice(product, input.now_unix, input.market).price;
  const retrieval::Filter& bounds = need.condition;
  if (!price) return 1;
  const auto amount = static_cast<double>(price->amount);
  double excess = 0;
  if (bounds.max_price && *bounds.max_price > 0 && price->amount > *bounds.max_price) {
    excess = amount / static_cast<double>(*bounds.max_price) - 1;
  } else if (bounds.min_price && price->amount < *bounds.min_price) {
    excess = 1 - amount / static_cast<double>(*bounds.min_price);
  }
  return 0.5 + std::min(excess, kMaxExcess);
}

/// 640 GB are nearer to the terabyte that is asked for than 320.
double RangeExcess(const AskedNeed& need, const Product& product) {
  constexpr double kMin = 0.8, kMax = 1.2;
  const retrieval::NumericRange& range = need.condition.ranges[0];
  const auto unit = retrieval::FindUnit(retrieval::FoldWords(range.unit));
  const double scale = unit ? unit->factor : 1;
  double nearest = 1;  // distance as a share of the bound
  for (const double stated : QuantitiesOf(range, retrieval::MakeFilterRow(product))) {
    const double below = range.min.value_or(0) > 0 ? 1 - stated / (*range.min * scale) : 0;
    const double above = range.max.value_or(0) > 0 ? stated / (*range.max * scale) - 1 : 0;
    nearest = std::min(nearest, std::max({below, above, 0.0}));
  }
  return kMin + (kMax - kMin) * nearest;
}

Shortfall ShortfallOf(const VerdictInput& input, const Product& product,
                      const std::vector<NeedVerdict>& verdicts) {
  Shortfall shortfall;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const AskedNeed& need = input.needs[i];
    const bool is_violated = verdicts[i] == NeedVerdict::kViolated;
    double weight = need.weight;
    if (is_violated && need.kind == Kind::kPrice) weight *= PriceExcess(input, need, product);
    if (is_violated && need.kind == Kind::kRange) weight *= RangeExcess(need, product);
    // Half of a type's records are louder than the other half: no reason to leave them out.
    const bool is_wish = need.kind == Kind::kWish;
    if (is_violated && !is_wish) shortfall.violated += weight;
    if (verdicts[i] != NeedVerdict::kMet && is_wish) shortfall.unwished += weight;
    if (verdicts[i] != NeedVerdict::kMet && need.preferred) ++shortfall.unpreferred;
    if (verdicts[i] == NeedVerdict::kNotStated && !is_wish) shortfall.not_stated += weight;
    if (verdicts[i] == NeedVerdict::kNotStated && need.is_inherited) shortfall.inherited += weight;
  }
  return shortfall;
}

struct Candidate {
  FoundProduct found;
  std::vector<NeedVerdict> verdicts;
  Shortfall shortfall;
  bool is_buyable = true;
  int64_t from_price = 0;  // distance from the price that is asked for, minor units
  bool is_described = true;
};

/// What is sold out has to meet more than what is in stock.
double LossWithStock(const Candidate& each) {
  return each.shortfall.loss() + (each.is_buyable ? 0 : kSoldOut);
}

void Order(std::vector<Candidate>& candidates) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    const double loss_a = LossWithStock(a), loss_b = LossWithStock(b);
    if (loss_a != loss_b) return loss_a < loss_b;
    if (a.shortfall.unwished != b.shortfall.unwished)
      return a.shortfall.unwished < b.shortfall.unwished;
    if (a.from_price != b.from_price) return a.from_price < b.from_price;
    return a.is_described && !b.is_described;
  };
  std::stable_sort(candidates.begin(), candidates.end(), before);
}

/// A number without a unit may be the quantity: "display diagonal: 27".
bool MayState(const catalog::Product& product, const StatedQuantity& quantity) {
  const std::vector<double>& scales = ScalesOf(quantity.base);
  return std::any_of(product.attributes.begin(), product.attributes.end(), [&](const auto& each) {
    const auto number = retrieval::ParsePlainNumber(each.value);
    return number && std::any_of(scales.begin(), scales.end(), [&](double scale) {
             const double stated = *number * scale;
             return stated >= quantity.min && stated <= quantity.max;
           });
  });
}

/// What titles and values do not state, a description may.
void ReadDescriptions(const VerdictInput& input, std::vector<Candidate>& candidates) {
  const size_t end = std::min(kDescribed, candidates.size());
  for (size_t i = 0; i < end; ++i) {
    Candidate& each = candidates[i];
    const std::string& description = each.found.product.description;
    const bool states_all = std::find(each.verdicts.begin(), each.verdicts.end(),
                                      NeedVerdict::kNotStated) == each.verdicts.end();
    if (states_all) continue;
    const FoldedMessage folded(description);
    for (size_t j = 0; j < each.verdicts.size(); ++j) {
      const AskedNeed& need = input.needs[j];
      if (each.verdicts[j] != NeedVerdict::kNotStated || need.is_absent) continue;
      const bool is_said =
          need.word
              ? Meets(description, *need.word) ||
                    (need.word->quantity && MayState(each.found.product, *need.word->quantity))
          : need.kind == Kind::kAttribute ? folded.Has(retrieval::FoldWords(need.text))
                                          : false;
      if (is_said) each.verdicts[j] = NeedVerdict::kMet;
    }
    each.shortfall = ShortfallOf(input, each.found.product, each.verdicts);
  }
}

/// What violates more than the first, or states less than all where the first states all. A list of
/// one is filled up with what leaves a word of an earlier turn unsaid. Where the first is cheap, as
/// the shopper prefers, nothing dearer stands beside it.
void Cut(std::vector<Candidate>& candidates) {
  constexpr double kAlike = 1.3;  // of two that violate different needs
  if (candidates.empty()) return;
  const int unpreferred = candidates.front().shortfall.unpreferred;
  std::erase_if(candidates,
                [&](const Candidate& each) { return each.shortfall.unpreferred > unpreferred; });
  const double limit = candidates.front().shortfall.loss() * kAlike;
  const auto is_beyond = [&](const Candidate& each) { return each.shortfall.loss() > limit; };
  const auto is_far = [&](const Candidate& each) {
    return each.shortfall.loss() - kOfNotStated * each.shortfall.inherited > limit;
  };
  const bool is_alone = std::all_of(candidates.begin() + 1, candidates.end(), is_beyond);
  if (is_alone) {
    std::erase_if(candidates, is_far);
    return;
  }
  std::erase_if(candidates, is_beyond);
}

}  // namespace

std::vector<std::vector<NeedVerdict>> JudgeNeeds(const VerdictInput& input,
                                                 const std::vector<FoundProduct>& found) {
  const Judge judge(input, found);
  std::vector<std::vector<NeedVerdict>> verdicts(found.size());
  for (const AskedNeed& need : input.needs) {
    const std::vector<NeedVerdict> of_need = judge.Run(need);
    for (size_t i = 0; i < found.size(); ++i) verdicts[i].push_back(of_need[i]);
  }
  return verdicts;
}

std::map<std::string, std::vector<NeedVerdict>> ChooseByNeeds(const VerdictInput& input,
                                                              std::vector<FoundProduct>& found) {
  const std::vector<std::vector<NeedVerdict>> verdicts = JudgeNeeds(input, found);
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < found.size(); ++i) {
    const Product& product = found[i].product;
    Candidate each;
    each.verdicts = verdicts[i];
    const auto price = catalog::ComputePayablePrice(product, input.now_unix, input.market).price;
    each.is_buyable = product.availability == catalog::Availability::kInStock && price.has_value();
    if (price && input.price_near) each.from_price = std::abs(price->amount - *input.price_near);
    each.is_described = product.attributes.size() >= kFewAttributes;
    each.shortfall = ShortfallOf(input, product, verdicts[i]);
    each.found = std::move(found[i]);
    candidates.push_back(std::move(each));
  }
  if (input.chooses) Order(candidates);
  ReadDescriptions(input, candidates);
  if (input.chooses) {
    Order(candidates);
    Cut(candidates);
  }
  found.clear();
  std::map<std::string, std::vector<NeedVerdict>> by_id;
  for (Candidate& each : candidates) {
    by_id[each.found.product.id] = std::move(each.verdicts);
    found.push_back(std::move(each.found));
  }
  return by_id;
}

}  // namespace emptor::services
