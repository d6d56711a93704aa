// Counters and histograms on prometheus-cpp's core.
#include "services/gateway/gateway_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <string_view>
#include <utility>

#include "services/observability/prometheus_text.h"

namespace emptor::services {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;
using Buckets = Histogram::BucketBoundaries;

// The bounds of gen_ai.server.time_to_first_token, and longer ones.
const Buckets kFirstToken = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5,
                             0.75,  1,     2.5,  5,    7.5,  10,   20,   40,  80};
const Buckets kRequest = {0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600};

}  // namespace

struct GatewayMetrics::Impl {
  Family<Counter>& Count(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Family<Histogram>& Observe(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }

  prometheus::Registry registry;
  Family<Counter>& requests = Count("emptor_http_requests_total", "Requests by route and status");
  Family<Histogram>& request_seconds =
      Observe("emptor_http_request_seconds", "From the request to its answer or first event");
  Family<Histogram>& first_token =
      Observe("emptor_gateway_time_to_first_token_seconds",
              "From the request to the first text of a stream, by the replica that answered");
  Family<Counter>& failures =
      Count("emptor_gateway_replica_failures_total", "Failed attempts by replica and kind");
  Family<Counter>& dns_failures = Count("emptor_gateway_dns_failures_total",
                                        "Questions for the addresses of a pool without an answer");
  Family<Counter>& refusals =
      Count("emptor_gateway_refusals_total", "Requests that were not answered, by reason");
};

GatewayMetrics::GatewayMetrics() : impl_(std::make_unique<Impl>()) {}
GatewayMetrics::~GatewayMetrics() = default;

void GatewayMetrics::CountRequest(const std::string& route, int status, double seconds) {
  impl_->requests.Add({{"route", route}, {"code", std::to_string(status)}}).Increment();
  impl_->request_seconds.Add({{"route", route}}, kRequest).Observe(seconds);
}

void GatewayMetrics::ObserveFirstToken(const std::string& replica, double seconds) {
  impl_->first_token.Add({{"replica", replica}}, kFirstToken).Observe(seconds);
}

void GatewayMetrics::CountFailure(const std::string& replica, const char* kind) {
  impl_->failures.Add({{"replica", replica}, {"kind", kind}}).Increment();
}

void GatewayMetrics::CountDnsFailure(const std::string& pool) {
  impl_->dns_failures.Add({{"pool", pool}}).Increment();
}

void GatewayMetrics::CountRefusal(const char* reason) {
  impl_->refusals.Add({{"reason", reason}}).Increment();
}

std::string GatewayMetrics::Text(const std::vector<Sample>& samples) const {
  return PrometheusText(impl_->registry.Collect(), samples);
}

namespace {

/// Collects samples.
class Collector {
 public:
  void Add(const char* name, const char* help, bool is_counter, double value,
           std::vector<std::pair<std::string, std::string>> labels = {}) {
    samples_.push_back({name, help, is_counter, value, std::move(labels)});
  }
  std::vector<Sample> Take() { return std::move(samples_); }

 private:
  std::vector<Sample> samples_;
};

double Number(uint64_t count) { return static_cast<double>(count); }

void AddCounts(const Dispatcher& dispatcher, Collector& to) {
  const DispatchCounts& counts = dispatcher.counts();
  const std::pair<const char*, uint64_t> ends[] = {{"answered", counts.answered},
                                                   {"refused", counts.refused},
                                                   {"broken", counts.broken},
                                                   {"client_left", counts.left},
                                                   {"client_too_slow", counts.too_slow},
                                                   {"stopped", counts.stopped}};
  for (const auto& [end, count] : ends) {
    to.Add("emptor_gateway_requests_total", "Requests by their end", true, Number(count),
           {{"end", end}});
  }
  to.Add("emptor_gateway_retries_total", "Attempts after one that failed", true,
         Number(counts.retries));
  to.Add("emptor_gateway_hedges_total", "Attempts next to one that was slow", true,
         Number(counts.hedges));
  to.Add("emptor_gateway_retry_budget", "Attempts that may be made beyond the first", false,
         dispatcher.retry_budget());
  to.Add("emptor_gateway_waiting", "Requests that wait for a place", false,
         Number(dispatcher.waiting()));
  to.Add("emptor_gateway_open_requests", "Requests that have not ended", false,
         Number(dispatcher.open_requests()));
  to.Add("emptor_gateway_prompt_tokens_total", "Estimated prompt tokens sent", true,
         Number(counts.prompt_tokens));
  to.Add("emptor_gateway_cached_prompt_tokens_total",
         "Of them, those that the replica had computed before, by the gateway's table", true,
         Number(counts.cached_tokens));
}

const char* StateOf(const ReplicaStatus& status) {
  if (!status.present) return "left";
  if (!status.healthy) return "down";
  if (status.ejected) return "ejected";
  return status.availability == Availability::kDown ? "busy" : "up";
}

void AddReplica(const ReplicaStatus& status, const std::string& name, Collector& to) {
  to.Add("emptor_gateway_replica_outstanding", "Requests at a replica", false, status.outstanding,
         {{"replica", name}});
  to.Add("emptor_gateway_replica_outstanding_tokens", "Tokens still expected of a replica", false,
         status.outstanding_cost, {{"replica", name}});
  to.Add("emptor_gateway_replica_attempts_total", "Requests sent to a replica", true,
         Number(status.attempts), {{"replica", name}});
  to.Add("emptor_gateway_replica_ejections_total", "Times that a replica was left alone", true,
         Number(status.ejections), {{"replica", name}});
  const std::string_view state = StateOf(status);
  for (const char* each : {"up", "busy", "ejected", "down", "left"}) {
    to.Add("emptor_gateway_replica_state", "1 for the state that a replica is in", false,
           each == state ? 1 : 0, {{"replica", name}, {"state", each}});
  }
}

}  // namespace

std::vector<Sample> DispatchSamples(const Dispatcher& dispatcher,
                                    const std::vector<std::string>& names,
                                    Dispatcher::TimePoint now) {
  Collector collector;
  AddCounts(dispatcher, collector);
  for (size_t i = 0; i < names.size(); ++i) {
    const ReplicaStatus status = dispatcher.StatusOf(i, now);
    if (status.present || status.outstanding > 0) AddReplica(status, names[i], collector);
  }
  return collector.Take();
}

}  // namespace emptor::services
