// The report of a load run: latencies, rates, failures, cost.
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
  std::string url, model, load;  // load: its description
  /// Rates cover this many seconds; 0: until the last answer ended.
  double window_seconds = 0;
  std::vector<LoadRecord> records;
  Slo slo;
  double price_per_hour = 0;  // of the machine; 0: not given
  double output_weight = 4;   // what an output token costs, in input tokens
  std::optional<double> joules;
  std::string no_joules;  // why `joules` is empty
};

/// Cost per million tokens, in the currency of `price_per_hour`.
struct TokenCost {
  double input = 0, output = 0, blended = 0, all = 0;
};

/// Splits `cost` between input and output tokens so that one output token costs as much as
/// `output_weight` input tokens. `blended` is for three input tokens per output token, `all` for
/// the tokens of the run. Zero where there were no tokens.
TokenCost CostPerMillion(double cost, double input_tokens, double output_tokens,
                         double output_weight);

/// Seconds, tokens and requests. Latencies cover the answers that did not fail and start when a
/// request was due:
/// - ttft: to the first text
/// - tpot: (last text - first text) / (tokens - 1), over answers of at least 2 tokens
/// - itl: between two events of an answer, over all gaps of all answers
/// - e2e: to the end of the answer
struct ServeSummary {
  engine::Summary ttft, tpot, itl, e2e;
  engine::Summary lag;  // sent - due: whether the client kept up
  size_t requests = 0, completed = 0, good = 0;
  std::map<std::string, size_t> failures;                         // by kind
  double seconds = 0;                                             // that the rates cover
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
/// A table for a terminal.
std::string ServeTable(const ServeRun& run, const ServeSummary& summary);
/// An HTML page.
std::string ServeHtml(const ServeRun& run, const ServeSummary& summary);

}  // namespace emptor::services
