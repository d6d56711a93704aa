// Models are codes of letters and digits near the beginning of a title.
#include "services/assistant/search/fitting.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxTitleWords = 6;  // among which the model is named
constexpr size_t kMinCode = 4;        // bytes
constexpr size_t kMinDigits = 3;

/// "5550" of "5550v".
std::string LeadingDigits(const std::string& word) {
  return word.substr(0, std::min(word.find_first_not_of("0123456789"), word.size()));
}

/// "P2015" of "p2015x"; a number alone, "5550" of "5550v", is no name.
std::string WithoutSuffix(const std::string& word) {
  const bool begins_with_letter = std::isalpha(static_cast<unsigned char>(word[0])) != 0;
  return begins_with_letter ? word.substr(0, word.find_last_of("0123456789") + 1) : word;
}

bool IsQuantity(const std::string& word, const std::string& next) {
  // "5550V" is a model, "16GB" is none.
  const bool is_measure = retrieval::ParseMeasure(word) && DigitsOf(word) <= kMinDigits;
  return is_measure || retrieval::FindUnit(next).has_value() || next == "x" || next == "dpi" ||
         next == "pixels" || next == "inch";
}

}  // namespace

std::optional<WordCondition> DemandOfModel(std::string_view title) {
  std::vector<std::string> words;
  ForEachWord(retrieval::FoldWords(title), [&](std::string word) {
    if (words.size() <= kMaxTitleWords) words.push_back(std::move(word));
  });
  WordCondition demand;
  for (size_t i = 1; i < std::min(words.size(), kMaxTitleWords); ++i) {
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    const size_t digits = DigitsOf(words[i]);
    if (digits == 0 || IsQuantity(words[i], next)) continue;
    const bool has_letter = digits < words[i].size();
    const bool is_code = has_letter && words[i].size() >= kMinCode && digits >= 2;
    if (is_code) demand.any_of.push_back({words[i]});
    // Supplies for a "P2015X" list the "P2015".
    const std::string series = WithoutSuffix(words[i]);
    if (is_code && series.size() < words[i].size() && DigitsOf(series) >= kMinDigits)
      demand.any_of.push_back({series});
    const std::string number = LeadingDigits(words[i]);
    if (number.size() >= kMinDigits) demand.any_of.push_back({words[i - 1], number});
    if (demand.text.empty() && (is_code || number.size() >= kMinDigits)) {
      demand.text = is_code ? words[i] : words[i - 1] + " " + words[i];
    }
  }
  if (demand.any_of.empty()) return std::nullopt;
  std::transform(demand.text.begin(), demand.text.end(), demand.text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return demand;
}

}  // namespace emptor::services
