// What a load says about a server: latencies, rates, failures, cost.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/speed/statistics.h"
#include "services/bench/load_client.h"
#include "services/bench/load_plan.h"

namespace emptor::services {

struct ServeRun {
  std::string url, model, load;  // load: in words
  /// Rates count what came within so many seconds; 0: until the last answer ended.
  double window_seconds = 0;
  std::vector<LoadRecord> records;
  Slo slo;
  double price_per_hour = 0;  // of the machine; 0: not given
  double output_weight = 4;   // what an output token costs, in input tokens
  std::optional<double> joules;
  std::string no_joules;  // why there are none
};

/// Dollars (or whatever the price was in) per million tokens.
struct TokenCost {
  double input = 0, output = 0, blended = 0, all = 0;
};

/// Shares the cost of the time between input and output tokens so that one output token costs
/// `output_weight` input tokens. `blended` is of three input tokens to one output token, `all` of
/// the tokens as they were. Zero where there were no tokens.
TokenCost CostPerMillion(double cost, double input_tokens, double output_tokens,
                         double output_weight);

/// Seconds, tokens and requests. Latencies count from when a request was due, over the answers that
/// did not fail:
///   ttft  to the first text; tpot  (last text - first) / (tokens - 1), answers of 2 tokens and
///   more; itl   between the events of an answer, all gaps of all answers; e2e  to the end of the
///   answer.
struct ServeSummary {
  engine::Summary ttft, tpot, itl, e2e;
  engine::Summary lag;  // sent - due: whether the client kept up
  size_t requests = 0, completed = 0, good = 0;
  std::map<std::string, size_t> failures;                         // by kind
  double seconds = 0;                                             // that the rates are over
  double input_tokens = 0, output_tokens = 0, cached_tokens = 0;  // within them
  double ended_requests = 0;                                      // within them
  bool counted_by_server = true;  // false: some answers came without usage, events were counted
  std::optional<TokenCost> cost;
  std::optional<double> tokens_per_joule;

  double PerMinute(double amount) const { return seconds > 0 ? 60 * amount / seconds : 0; }
};

ServeSummary SummarizeServe(const ServeRun& run);

/// One line of JSON.
std::string ServeJson(const ServeRun& run, const ServeSummary& summary);
/// For a terminal.
std::string ServeTable(const ServeRun& run, const ServeSummary& summary);
/// A page.
std::string ServeHtml(const ServeRun& run, const ServeSummary& summary);

}  // namespace emptor::services
