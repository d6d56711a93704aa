// Sums over the records of a load.
#include "services/bench/serve_report.h"

#include <algorithm>
#include <cmath>

namespace emptor::services {
namespace {

/// Tokens of an answer: as the server counted them, else its events.
double OutputTokens(const LoadRecord& record) {
  return record.completion_tokens >= 0 ? record.completion_tokens
                                       : static_cast<double>(record.text_times.size());
}

/// The share of an answer's text that came by then.
double ShareBy(const LoadRecord& record, double time) {
  if (record.text_times.empty()) return record.ended <= time ? 1 : 0;
  const auto by = std::upper_bound(record.text_times.begin(), record.text_times.end(), time);
  return static_cast<double>(by - record.text_times.begin()) /
         static_cast<double>(record.text_times.size());
}

/// Latencies of one answer; what it does not have is below zero.
struct Latency {
  double ttft = -1, tpot = -1, e2e = -1;
};

Latency LatencyOf(const LoadRecord& record) {
  Latency latency;
  latency.e2e = record.ended - record.due;
  if (record.text_times.empty()) return latency;
  latency.ttft = record.text_times.front() - record.due;
  const double tokens = OutputTokens(record);
  if (tokens >= 2) {
    latency.tpot = (record.text_times.back() - record.text_times.front()) / (tokens - 1);
  }
  return latency;
}

bool Keeps(const Slo& slo, const Latency& latency) {
  const bool has_first = latency.ttft >= 0 || !std::isfinite(slo.ttft);
  return has_first && latency.ttft <= slo.ttft && latency.tpot <= slo.tpot &&
         latency.e2e <= slo.e2e;
}

void CountTokens(const LoadRecord& record, double window, ServeSummary& summary) {
  if (record.prompt_tokens < 0 || record.completion_tokens < 0) summary.counted_by_server = false;
  const double share = ShareBy(record, window);
  summary.output_tokens += OutputTokens(record) * share;
  if (share > 0) {
    summary.input_tokens += std::max(0, record.prompt_tokens);
    summary.cached_tokens += record.cached_tokens;
  }
  if (record.ended <= window) summary.ended_requests += 1;
}

}  // namespace

TokenCost CostPerMillion(double cost, double input_tokens, double output_tokens,
                         double output_weight) {
  TokenCost result;
  const double weighed = input_tokens + output_weight * output_tokens;
  if (!(weighed > 0)) return result;
  result.input = cost / weighed * 1e6;
  result.output = output_weight * result.input;
  result.blended = (3 * result.input + result.output) / 4;
  result.all = cost / (input_tokens + output_tokens) * 1e6;
  return result;
}

ServeSummary SummarizeServe(const ServeRun& run) {
  ServeSummary summary;
  summary.requests = run.records.size();
  double last = 0;
  for (const LoadRecord& record : run.records) last = std::max(last, record.ended);
  summary.seconds = run.window_seconds > 0 ? std::min(run.window_seconds, last) : last;
  std::vector<double> ttft, tpot, itl, e2e, lag;
  for (const LoadRecord& record : run.records) {
    lag.push_back(record.sent - record.due);
    if (!record.failure.empty()) {
      ++summary.failures[record.failure];
      continue;
    }
    ++summary.completed;
    CountTokens(record, summary.seconds, summary);
    const Latency latency = LatencyOf(record);
    if (Keeps(run.slo, latency)) ++summary.good;
    e2e.push_back(latency.e2e);
    if (latency.ttft >= 0) ttft.push_back(latency.ttft);
    if (latency.tpot >= 0) tpot.push_back(latency.tpot);
    for (size_t i = 1; i < record.text_times.size(); ++i) {
      itl.push_back(record.text_times[i] - record.text_times[i - 1]);
    }
  }
  summary.ttft = engine::Summarize(std::move(ttft));
  summary.tpot = engine::Summarize(std::move(tpot));
  summary.itl = engine::Summarize(std::move(itl));
  summary.e2e = engine::Summarize(std::move(e2e));
  summary.lag = engine::Summarize(std::move(lag));
  if (run.price_per_hour > 0) {
    summary.cost = CostPerMillion(run.price_per_hour * summary.seconds / 3600, summary.input_tokens,
                                  summary.output_tokens, run.output_weight);
  }
  if (run.joules && *run.joules > 0) {
    summary.tokens_per_joule = summary.output_tokens / *run.joules;
  }
  return summary;
}

}  // namespace emptor::services
