// Groups by the words that records lack.
#include "services/assistant/search/word_demands.h"

#include <algorithm>
#include <iterator>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/search/relevance.h"

namespace emptor::services {
namespace {

constexpr size_t kMinModel = 3;  // digits of the number of a model: "Phaser 6280"

/// Positions of the products of the makers that the words name; none where no word names one.
std::vector<uint32_t> MembersOfMaker(const RecordWords& records,
                                     const std::vector<WordCondition>& words) {
  std::vector<uint32_t> made;
  for (const WordCondition& each : words) {
    if (!records.IsMostlyMaker(each.text)) continue;
    const std::vector<uint32_t> own = records.Find(each);
    made.insert(made.end(), own.begin(), own.end());
  }
  std::sort(made.begin(), made.end());
  return made;
}

/// Positions of the products that name the models of the message: "toner for the LaserJet 1320".
/// Those that name all of them, else those that name one; none where no product does.
std::vector<uint32_t> MembersOfModel(const RecordWords& records,
                                     const std::vector<WordCondition>& words) {
  std::vector<uint32_t> all, any;
  bool is_first = true;
  for (const WordCondition& each : words) {
    if (each.quantity || !IsModelWord(each.text)) continue;
    const std::vector<uint32_t> own = records.Find(each);
    if (own.empty()) continue;
    std::vector<uint32_t> both, either;
    std::set_intersection(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(both));
    std::set_union(any.begin(), any.end(), own.begin(), own.end(), std::back_inserter(either));
    all = is_first ? own : both;
    any = std::move(either);
    is_first = false;
  }
  return all.empty() ? any : all;
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

}  // namespace

WordGroups GroupByWords(const TypeTable& table, const std::vector<WordCondition>& words,
                        std::optional<int64_t> min_reviews) {
  if (words.empty() && !min_reviews) return {};
  const auto is_reviewed = [&](uint32_t at) {
    return !min_reviews || table.reviews[at] >= *min_reviews;
  };
  WordGroups groups(1 + words.size() / 2);
  const auto by_coverage = table.schema.words().ByCoverage(words);
  const std::vector<uint32_t> made = MembersOfMaker(table.schema.words(), words);
  const auto is_made = [&](uint32_t at) {
    return made.empty() || std::binary_search(made.begin(), made.end(), at);
  };
  const std::vector<uint32_t> fitting = MembersOfModel(table.schema.words(), words);
  const auto fits = [&](uint32_t at) {
    return fitting.empty() || std::binary_search(fitting.begin(), fitting.end(), at);
  };
  for (size_t missed = 0; missed < std::min(groups.size(), by_coverage.size()); ++missed) {
    for (const uint32_t at : by_coverage[missed]) {
      if (is_reviewed(at) && is_made(at) && fits(at)) groups[missed].push_back(table.members[at]);
    }
  }
  if (!words.empty()) return groups;
  for (uint32_t at = 0; at < table.members.size(); ++at) {
    if (is_reviewed(at)) groups[0].push_back(table.members[at]);
  }
  return groups;
}

std::vector<std::string> LackingWords(const std::vector<WordCondition>& words,
                                      const std::optional<WordCondition>& fit,
                                      const std::vector<FoundProduct>& found, size_t shown) {
  std::vector<std::string> lacking;
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), shown));
  for (const WordCondition& each : words) {
    const bool is_fit = fit && each == *fit;
    // "Inch" is no property, and an attribute may state "1tb" without its unit.
    const bool has_digit = each.text.find_first_of("0123456789") != std::string::npos;
    // "8K", "DDR5", "2540".
    const bool is_number = retrieval::ParsePlainNumber(each.text).has_value();
    const bool is_spec = has_digit && !each.quantity && !retrieval::ParseMeasure(each.text) &&
                         (!is_number || each.text.size() >= kMinModel);
    const bool is_property =
        is_fit || is_spec || each.quantity ||
        (each.any_of.size() > 1 && !has_digit && !retrieval::FindUnit(each.text));
    const bool is_said = std::any_of(found.begin(), end, [&](const FoundProduct& product) {
      return Meets(TextOf(product.product) + "\n" + product.product.description, each) ||
             (each.quantity && MayState(product.product, *each.quantity));
    });
    if (is_property && !is_said) lacking.push_back(each.text);
  }
  return lacking;
}

}  // namespace emptor::services
