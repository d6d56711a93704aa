// Halves by the hash of a question: one to fit, one to report.
#include "services/eval/faq_pairs.h"

#include <algorithm>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "retrieval/cache/faq_tuning.h"

namespace emptor::services {
namespace {

absl::Status LineError(size_t number, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("line {}: {}", number, what));
}

absl::StatusOr<FaqPair> ParseLine(std::string_view text, size_t number) {
  const auto line = catalog::ParseJson(text);
  if (!line.ok()) return LineError(number, std::string(line.status().message()));
  const catalog::JsonValue *question = line->Find("question"), *id = line->Find("id"),
                           *locale = line->Find("locale");
  if (question == nullptr || !question->is_string() || question->as_string().empty()) {
    return LineError(number, "question: expected a text");
  }
  if (id == nullptr || (!id->is_string() && !id->is_null())) {
    return LineError(number, "id: expected the id of an entry, or null where none answers");
  }
  if (locale != nullptr && !locale->is_string())
    return LineError(number, "locale: expected a text");
  FaqPair pair;
  pair.question = question->as_string();
  if (id->is_string()) pair.id = id->as_string();
  if (locale != nullptr) pair.locale = locale->as_string();
  return pair;
}

retrieval::FaqTuning Fit(std::span<const retrieval::FaqLabelled> labelled,
                         const FaqTuneOptions& options) {
  if (options.fits_weights) return retrieval::FitFaqTuning(labelled, options.fit);
  return retrieval::FitFaqThresholds(retrieval::DefaultFaqTuning(), labelled, options.fit);
}

}  // namespace

absl::StatusOr<std::vector<FaqPair>> ParseFaqPairs(std::string_view text) {
  std::vector<FaqPair> pairs;
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    auto pair = ParseLine(line, number);
    if (!pair.ok()) return pair.status();
    pairs.push_back(*std::move(pair));
  }
  return pairs;
}

FaqTuneResult TuneFaq(const retrieval::FaqIndex& index, std::span<const FaqPair> pairs,
                      const FaqTuneOptions& options) {
  std::vector<retrieval::FaqLabelled> all, fit, report;
  for (const FaqPair& pair : pairs) {
    all.push_back({index.Match(pair.question, pair.locale), pair.id});
    const bool is_fit = catalog::Fnv1a64(pair.question) % 2 == 0;
    (is_fit ? fit : report).push_back(all.back());
  }
  FaqTuneResult result;
  result.fitted = fit.size();
  result.before = CountFaqServed(report, retrieval::DefaultFaqTuning());
  result.after = CountFaqServed(report, Fit(fit, options));
  result.tuning = Fit(all, options);
  return result;
}

}  // namespace emptor::services
