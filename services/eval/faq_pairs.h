// Labelled questions of a shop, and the tuning that they teach.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/cache/faq_fit.h"
#include "retrieval/cache/faq_index.h"
#include "services/eval/faq_eval.h"

namespace emptor::services {

struct FaqPair {
  std::string question;
  std::string id;      // of the entry that answers it; empty: none does
  std::string locale;  // empty: unknown
};

/// Lines of {"question": text, "id": text or null, "locale": text}; `locale` may be left out. Pure.
/// Errors: kInvalidArgument with the line.
absl::StatusOr<std::vector<FaqPair>> ParseFaqPairs(std::string_view text);

struct FaqTuneOptions {
  retrieval::FaqFitOptions fit;
  bool fits_weights = false;  // else thresholds alone: weights need some hundred questions
};

struct FaqTuneResult {
  retrieval::FaqTuning tuning;  // fitted on all pairs
  size_t fitted = 0;            // pairs of the half on which the figures' tuning was fitted
  FaqFigures before, after;     // of the other half: by the index's default tuning, by that one
};

/// Looks the questions up and fits. `index` holds the entries of the shop. Pure but for the index.
FaqTuneResult TuneFaq(const retrieval::FaqIndex& index, std::span<const FaqPair> pairs,
                      const FaqTuneOptions& options = {});

}  // namespace emptor::services
