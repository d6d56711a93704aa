// What shoppers ask that no entry of the FAQ answers, for the staff who writes entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/faq/faq_answers.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// A question about the shop, as it was asked.
struct AskedQuestion {
  std::string text;
  std::string locale = {};  // BCP 47; empty: not known
  int64_t at_unix = 0;
};

/// A group of questions that may want one answer.
struct FaqSuggestion {
  size_t count = 0;                   // questions, repetitions included
  std::vector<std::string> examples;  // without e-mail addresses and long numbers; most asked first
  std::string locale;                 // of the first example
  int64_t last_unix = 0;              // when one of them was asked last
  std::optional<FaqAlternative> nearest;  // the entry that is nearest to the first example
};

struct FaqSuggestions {
  size_t questions = 0;               // that were read
  size_t answered = 0;                // that an entry answers by now
  std::vector<FaqSuggestion> groups;  // most questions first
};

struct FaqSuggestOptions {
  size_t limit = 20;    // groups, those with most questions
  size_t examples = 5;  // of a group
  int64_t now_unix = 0;
};

/// Looks every question up and groups those without a hit by meaning; without an answer of the
/// embedder only equal ones are one group. The 3,000 most frequent of the different questions
/// count. Thread-safety: any thread. Errors: none but those of an invalid shop state.
absl::StatusOr<FaqSuggestions> SuggestFaq(const ShopReader& shop,
                                          std::span<const AskedQuestion> asked,
                                          const FaqSuggestOptions& options);

/// {"questions","answered","suggestions":[{"count","examples","locale"?,"last_asked","nearest"?:
/// {"id","question","confidence"}}]}
std::string FaqSuggestionsJson(const FaqSuggestions& suggestions);

}  // namespace emptor::services
