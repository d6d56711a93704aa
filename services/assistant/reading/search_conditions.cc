// Conditions that follow from those before.
#include "services/assistant/reading/search_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "retrieval/query/amount_words.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/relaxation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/grounding/text_clean.h"
#include "services/grounding/value_words.h"

namespace emptor::services {

using retrieval::QueryToken;

namespace {
constexpr size_t kBoundReach = 16;  // bytes before "in" with the amount and the word that bounds it
constexpr size_t kMaxSearchBytes = 500;
constexpr double kSame = 0.01;  // share by which two quantities may differ
constexpr double kBeyond = 2;   // tolerances behind an open bound
constexpr size_t kMaxUnitBytes = 14;

/// The first quantity of the message that is within the one given, as it stands: "45 cm"; empty:
/// there is none.
std::string QuantityAsSaid(std::string_view message, const StatedQuantity& quantity) {
  constexpr std::string_view kNumber = "0123456789.,";
  for (size_t at = message.find_first_of(kNumber); at != std::string_view::npos;) {
    const size_t unit = std::min(message.find_first_not_of(kNumber, at), message.size());
    for (size_t end = std::min(unit + kMaxUnitBytes, message.size()); end > unit; --end) {
      const std::string_view said = message.substr(at, end - at);
      const auto measure = retrieval::ParseMeasure(said);
      const bool is_meant = measure && measure->base == quantity.base &&
                            measure->value >= quantity.min && measure->value <= quantity.max;
      if (is_meant) return std::string(said.substr(0, said.find_last_not_of(" .,?!") + 1));
    }
    at = message.find_first_of(kNumber, unit);
  }
  return "";
}

/// "1.5+ ml", where the message has other words for it.
std::string TextOf(const retrieval::NumericRange& range) {
  const auto number = [](const std::optional<double>& bound) {
    return bound ? fmt::format("{:.6g}", *bound) : std::string();
  };
  const bool is_exact = range.min && range.max && *range.min == *range.max;
  const std::string bounds = is_exact
                                 ? number(range.min)
                                 : number(range.min) + (range.min ? "+" : "-") + number(range.max);
  return bounds + " " + range.unit;
}

}  // namespace

std::optional<WordCondition> DemandOf(const retrieval::NumericRange& range,
                                      std::string_view message) {
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  const auto unit = retrieval::FindUnit(retrieval::FoldWords(range.unit));
  if (!unit) return std::nullopt;
  StatedQuantity quantity{std::string(unit->base), range.min ? *range.min * unit->factor : -kOpen,
                          range.max ? *range.max * unit->factor : kOpen};
  // "Over 50 litres": what is within the tolerance of 50 is not over it.
  const double beyond = kBeyond * retrieval::MeasureTolerance(quantity.base);
  if (range.min_open) quantity.min *= 1 + beyond;
  if (range.max_open) quantity.max *= 1 - beyond;
  if (quantity.min == quantity.max) {
    const Interval rounded = RoundedSize(quantity.base, quantity.min);
    quantity.min = rounded.min;
    quantity.max = rounded.max;
  }
  const bool is_bounded = range.min && range.max;
  std::string said = is_bounded ? QuantityAsSaid(message, quantity) : "";
  if (said.empty()) said = TextOf(range);
  return WordCondition{std::move(said), {}, std::move(quantity)};
}

/// "Not HP", "something without a lid", "4 stars and up": no search text is left.
bool SaysOnlyConditions(const retrieval::QueryConstraints& constraints) {
  if (constraints.filter.empty()) return false;
  static const std::unordered_set<std::string_view> kAnything = {
      "something", "anything", "one", "ones", "it", "them", "etwas", "algo"};
  const std::vector<QueryToken> rest = retrieval::TokenizeQuery(constraints.search_text);
  return std::all_of(rest.begin(), rest.end(), [](const QueryToken& token) {
    return token.kind == QueryToken::Kind::kPunctuation || retrieval::IsStopWord(token.text) ||
           retrieval::IsRequestWord(token.text) || kAnything.count(token.text) != 0;
  });
}

/// A follow-up keeps the conditions of the turn before unless it states that part itself.
/// Exclusions add up: "not Sony", then "no HP either".
void InheritFilter(const retrieval::Filter& before, retrieval::Filter& filter) {
  AppendNew(before.excluded_brands, filter.excluded_brands);
  AppendNew(before.excluded_categories, filter.excluded_categories);
  AppendNew(before.excluded_colors, filter.excluded_colors);
  AppendNew(before.excluded_terms, filter.excluded_terms);
  for (const retrieval::AttributeCondition& each : before.attributes) {
    const auto restates = [&](const auto& condition) { return condition.name == each.name; };
    // "Bigger", of a capacity: a bound takes the place of values, and values that of a bound.
    const auto bounds = [&](const auto& range) { return range.attribute == each.name; };
    const bool is_restated =
        std::any_of(filter.attributes.begin(), filter.attributes.end(), restates) ||
        std::any_of(filter.ranges.begin(), filter.ranges.end(), bounds);
    if (!is_restated) filter.attributes.push_back(each);
  }
  const std::vector<retrieval::AttributeCondition> attributes = filter.attributes;
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<retrieval::FilterPart>(i);
    if (!HasPart(part, filter)) CopyPart(part, before, filter);
  }
  filter.attributes = attributes;
  std::erase_if(filter.ranges, [&](const retrieval::NumericRange& range) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](const auto& each) { return each.name == range.attribute; });
  });
  // "Not Canon" after "Canon or Nikon".
  const auto drop = [](const std::vector<std::string>& excluded, std::vector<std::string>& wanted) {
    std::erase_if(wanted, [&](const std::string& each) {
      return std::find(excluded.begin(), excluded.end(), each) != excluded.end();
    });
  };
  drop(filter.excluded_brands, filter.brands);
  drop(filter.excluded_colors, filter.colors);
}

std::string ContinuedSearch(const std::string& before, const std::string& added) {
  std::string text = before;
  ForEachWord(CleanText(added), [&](const std::string& word) {
    const bool is_there = (" " + text + " ").find(" " + word + " ") != std::string::npos;
    if (!is_there && text.size() + word.size() < kMaxSearchBytes) {
      text += (text.empty() ? "" : " ") + word;
    }
  });
  return text;
}

std::vector<retrieval::NumericRange> ExactQuantities(const std::string& message,
                                                     const retrieval::Filter& filter) {
  constexpr size_t kMaxMeasures = 4;
  std::vector<retrieval::NumericRange> exact;
  for (const retrieval::Measure& measure :
       retrieval::FindMeasures(WithoutSides(message), kMaxMeasures)) {
    const auto states = [&](const retrieval::NumericRange& range) {
      const auto scale = retrieval::FindUnit(retrieval::FoldWords(range.unit));
      const auto equals = [&](const std::optional<double>& bound) {
        return bound && scale && scale->base == measure.base &&
               std::abs(*bound * scale->factor - measure.value) <= measure.value * kSame;
      };
      return equals(range.min) || equals(range.max);
    };
    if (std::any_of(filter.ranges.begin(), filter.ranges.end(), states)) continue;
    exact.push_back(
        {.unit = std::string(measure.base), .min = measure.value, .max = measure.value});
  }
  return exact;
}

std::string WithoutDenyingNames(std::string message, const std::string& language) {
  const FoldedMessage folded(message);
  for (const NamedValue& value : FindNamedValues(folded, language)) {
    const std::string_view said = folded.text().substr(value.span.begin, value.span.size());
    const bool denies = said.starts_with("sans ") || said.starts_with("sin ") ||
                        said.starts_with("ohne ") || said.starts_with("without ") ||
                        said.starts_with("no ") || said.starts_with("non ");
    if (!denies) continue;
    const auto same = [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    const auto at = std::search(message.begin(), message.end(), said.begin(), said.end(), same);
    if (at == message.end()) continue;
    message.replace(static_cast<size_t>(at - message.begin()), said.size(), value.canonical);
  }
  return message;
}

std::string PartPrepositions(const std::string& message, const std::string& language) {
  constexpr std::string_view kIn = " in ";
  std::string parted = message;
  for (size_t at = parted.find(kIn, 1); at != std::string::npos; at = parted.find(kIn, at + 2)) {
    const bool is_number = parted[at - 1] >= '0' && parted[at - 1] <= '9';
    const FoldedMessage rest(std::string_view(parted).substr(at + kIn.size()));
    const auto values = FindNamedValues(rest, language);
    const bool is_value = std::any_of(values.begin(), values.end(),
                                      [](const NamedValue& each) { return each.span.begin == 0; });
    const size_t reach = std::min(at, kBoundReach);
    const FoldedMessage before(std::string_view(parted).substr(at - reach, reach));
    const bool is_bound = before.HasAny(std::array<std::string_view, 7>{
        "under", "below", "max", "less than", "up to", "over", "around"});
    if (is_number && is_bound && is_value) parted.insert(at, ",");
  }
  return parted;
}

FoldedMessage WithoutAmounts(const FoldedMessage& message, const std::vector<QueryToken>& tokens,
                             const std::string& currency) {
  FoldedMessage rest = message;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const auto amount = retrieval::ReadAmount(tokens, at, currency);
    if (!amount || amount->currency.empty()) continue;
    std::string said;
    for (size_t i = at; i < std::min(amount->end, tokens.size()); ++i) {
      said += (said.empty() ? "" : " ") + tokens[i].text;
    }
    rest = rest.Without(rest.Find(FoldedMessage(said).text()));
    at = amount->end - 1;
  }
  return rest;
}

std::optional<int> ReadMinReviews(const FoldedMessage& message) {
  constexpr std::array<std::string_view, 12> kReviews = {
      "reviews",  "ratings", "review",    "bewertungen",  "rezensionen", "avis",
      "opinions", "avis",    "opiniones", "valoraciones", "resenas",     "evaluations"};
  // The words before a number that bound it from below, the last one first.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kBounds = {
      {{"over", ""},
       {"above", ""},
       {"least", ""},
       {"uber", ""},
       {"mindestens", ""},
       {"min", ""},
       {"than", "more"},
       {"than", "greater"},
       {"als", "mehr"},
       {"de", "plus"},
       {"moins", "au"},
       {"de", "mas"},
       {"menos", "al"},
       {"with", ""}}};
  const std::vector<std::string> words = SplitWords(message.text());
  for (size_t i = 1; i < words.size(); ++i) {
    if (std::find(kReviews.begin(), kReviews.end(), words[i]) == kReviews.end()) continue;
    size_t at = i;
    std::string digits;  // of "1 000", too
    while (at > 0 && retrieval::ParsePlainNumber(words[at - 1])) digits = words[--at] + digits;
    auto number = retrieval::ParsePlainNumber(digits);
    const bool is_thousand =
        digits.empty() && (words[i - 1] == "thousand" || words[i - 1] == "mil");
    if (is_thousand || (digits.empty() && words[i - 1] == "tausend")) number = 1000, at = i - 1;
    if (at > 0 && words[at - 1] == "a") --at;
    const bool is_bound = std::any_of(kBounds.begin(), kBounds.end(), [&](const auto& bound) {
      if (bound.second.empty()) return at > 0 && words[at - 1] == bound.first;
      return at > 1 && words[at - 1] == bound.first && words[at - 2] == bound.second;
    });
    if (number && is_bound && *number < 1e9) return static_cast<int>(*number);
  }
  return std::nullopt;
}

bool Contradicts(const retrieval::Filter& filter) {
  if (filter.min_price && filter.max_price && *filter.min_price > *filter.max_price) return true;
  return std::any_of(filter.ranges.begin(), filter.ranges.end(), [](const auto& range) {
    return range.min && range.max && *range.min > *range.max;
  });
}

}  // namespace emptor::services
