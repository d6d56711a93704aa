// Engine metrics on prometheus-cpp's core.
#include "services/observability/engine_metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <mutex>
#include <utility>

#include "services/observability/prometheus_text.h"

namespace emptor::services {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;
using Buckets = Histogram::BucketBoundaries;

// The bounds of vLLM, so that its dashboards read ours.
const Buckets kFirstToken = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
                             1,     2.5,   5,    7.5,  10,   20,   40,   80,  160,  640, 2560};
const Buckets kBetweenTokens = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3,
                                0.4,   0.5,    0.75,  1,    2.5,   5,    7.5,   10,  20,   40,  80};
const Buckets kRequest = {0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 1,   1.5, 2,   2.5, 5,    10,
                          15,   20,   30,  40,  50,  60,  120, 240, 480, 960, 1920, 7680};
const Buckets kTokens = {1,   2,    5,    10,   20,    50,    100,   200,
                         500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};

std::string_view NameOf(engine::FinishReason reason) {
  switch (reason) {
    case engine::FinishReason::kStop:
      return "stop";
    case engine::FinishReason::kLength:
      return "length";
    case engine::FinishReason::kCancelled:
      return "abort";
    case engine::FinishReason::kDeadline:
      return "deadline";
    case engine::FinishReason::kError:
      return "error";
  }
  return "error";
}

std::vector<std::pair<std::string, std::string>> Label(const std::string& model) {
  return {{"model_name", model}};
}

double UsedShare(const engine::EngineStats& stats) {
  if (stats.kv_blocks_total == 0) return 0;
  return 1.0 - static_cast<double>(stats.kv_blocks_free) / stats.kv_blocks_total;
}

}  // namespace

struct EngineMetrics::Impl {
  /// The metrics of one model.
  struct Model {
    Histogram& first_token;
    Histogram& between_tokens;
    Histogram& per_token;
    Histogram& queue;
    Histogram& prefill;
    Histogram& decode;
    Histogram& whole;
    Histogram& prompt_tokens;
    Histogram& generated_tokens;
  };

  Family<Histogram>& Make(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }
  Model& ModelOf(const std::string& name);

  prometheus::Registry registry;
  Family<Histogram>& first_token =
      Make("emptor_engine_time_to_first_token_seconds", "From the request to the first token");
  Family<Histogram>& between_tokens =
      Make("emptor_engine_inter_token_latency_seconds", "Between two tokens of an answer");
  Family<Histogram>& per_token = Make("emptor_engine_time_per_output_token_seconds",
                                      "Mean of an answer's tokens after the first");
  Family<Histogram>& queue =
      Make("emptor_engine_request_queue_time_seconds", "Wait for a place in the batch");
  Family<Histogram>& prefill = Make("emptor_engine_request_prefill_time_seconds",
                                    "From the place in the batch to the first token");
  Family<Histogram>& decode =
      Make("emptor_engine_request_decode_time_seconds", "From the first token to the end");
  Family<Histogram>& whole =
      Make("emptor_engine_e2e_request_latency_seconds", "From the request to its end");
  Family<Histogram>& prompt_tokens =
      Make("emptor_engine_request_prompt_tokens", "Tokens of a prompt");
  Family<Histogram>& generated_tokens =
      Make("emptor_engine_request_generation_tokens", "Tokens of an answer");
  Family<Counter>& ends = prometheus::BuildCounter()
                              .Name("emptor_engine_request_success_total")
                              .Help("Answers by how they ended")
                              .Register(registry);
  Family<Counter>& requests = prometheus::BuildCounter()
                                  .Name("emptor_http_requests_total")
                                  .Help("Requests by route and status")
                                  .Register(registry);
  Family<Histogram>& request_seconds =
      Make("emptor_http_request_seconds", "From the request to its answer or first event");
  std::mutex mutex;
  std::map<std::string, Model> models;  // guarded by mutex
};

EngineMetrics::Impl::Model& EngineMetrics::Impl::ModelOf(const std::string& name) {
  const std::lock_guard lock(mutex);
  const auto found = models.find(name);
  if (found != models.end()) return found->second;
  const std::map<std::string, std::string> labels = {{"model_name", name}};
  Model model{first_token.Add(labels, kFirstToken),  between_tokens.Add(labels, kBetweenTokens),
              per_token.Add(labels, kBetweenTokens), queue.Add(labels, kRequest),
              prefill.Add(labels, kRequest),         decode.Add(labels, kRequest),
              whole.Add(labels, kRequest),           prompt_tokens.Add(labels, kTokens),
              generated_tokens.Add(labels, kTokens)};
  return models.emplace(name, model).first->second;
}

EngineMetrics::EngineMetrics() : impl_(std::make_unique<Impl>()) {}
EngineMetrics::~EngineMetrics() = default;

void EngineMetrics::Observe(const GenerationRecord& record) {
  impl_->ends
      .Add({{"model_name", record.model}, {"finished_reason", std::string(NameOf(record.reason))}})
      .Increment();
  const engine::Usage& usage = record.usage;
  if (usage.completion_tokens == 0) return;
  Impl::Model& model = impl_->ModelOf(record.model);
  model.first_token.Observe(usage.ttft_seconds);
  model.queue.Observe(usage.queue_seconds);
  model.prefill.Observe(usage.ttft_seconds - usage.queue_seconds);
  model.decode.Observe(usage.total_seconds - usage.ttft_seconds);
  model.whole.Observe(usage.total_seconds);
  model.prompt_tokens.Observe(usage.prompt_tokens);
  model.generated_tokens.Observe(usage.completion_tokens);
  for (const float gap : record.token_gaps) model.between_tokens.Observe(static_cast<double>(gap));
  if (usage.completion_tokens > 1) {
    model.per_token.Observe((usage.total_seconds - usage.ttft_seconds) /
                            (usage.completion_tokens - 1));
  }
}

void EngineMetrics::CountRequest(const std::string& route, int status, double seconds) {
  impl_->requests.Add({{"route", route}, {"code", std::to_string(status)}}).Increment();
  impl_->request_seconds.Add({{"route", route}}, kRequest).Observe(seconds);
}

std::string EngineMetrics::Text(const std::vector<Sample>& samples) const {
  return PrometheusText(impl_->registry.Collect(), samples);
}

std::vector<Sample> EngineSamples(const ModelRegistry& registry) {
  std::vector<Sample> samples;
  for (const auto& model : registry.LanguageModels()) {
    const engine::EngineStats stats = model->stats();
    const auto add = [&](const char* name, const char* help, bool is_counter, auto value) {
      samples.push_back({name, help, is_counter, static_cast<double>(value), Label(model->name())});
    };
    add("emptor_engine_requests_running", "Sequences in the batch", false, stats.running);
    add("emptor_engine_requests_waiting", "Requests that wait for a place", false, stats.waiting);
    add("emptor_engine_kv_cache_usage_ratio", "Share of the KV blocks in use", false,
        UsedShare(stats));
    add("emptor_engine_kv_blocks", "KV blocks in all", false, stats.kv_blocks_total);
    add("emptor_engine_kv_blocks_free", "Unused KV blocks", false, stats.kv_blocks_free);
    add("emptor_engine_kv_waste_ratio", "Share of the KV memory in use that holds nothing", false,
        stats.KvFragmentation());
    add("emptor_engine_backlog_tokens", "Prompt tokens still to be computed", false,
        stats.backlog_tokens);
    add("emptor_engine_prefix_cache_queries_total", "Prompt tokens looked up in the cache", true,
        stats.prefix_queries);
    add("emptor_engine_prefix_cache_hits_total", "Prompt tokens found in the cache", true,
        stats.prefix_hits);
    add("emptor_engine_steps_total", "Batches computed", true, stats.steps);
    add("emptor_engine_prompt_tokens_total", "Tokens read", true, stats.prompt_tokens);
    add("emptor_engine_generation_tokens_total", "Tokens written", true, stats.generated_tokens);
    add("emptor_engine_preemptions_total", "Sequences set back", true, stats.preemptions);
    add("emptor_engine_spec_decode_num_drafts_total", "Guesses of how an answer goes on", true,
        stats.verified_drafts);
    add("emptor_engine_spec_decode_num_draft_tokens_total", "Tokens guessed", true,
        stats.draft_tokens);
    add("emptor_engine_spec_decode_num_accepted_tokens_total", "Guessed tokens that were right",
        true, stats.accepted_draft_tokens);
    add("emptor_engine_cancelled_total", "Requests given up", true, stats.cancelled);
    add("emptor_engine_rejected_total", "Requests refused", true, stats.rejected);
  }
  for (const ModelStatus& status : registry.List()) {
    Sample sample{"emptor_model_state", "1 for the state that a model is in", false, 1,
                  Label(status.spec.name)};
    sample.labels.emplace_back("state", std::string(ToString(status.state)));
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<Sample> GatewaySamples(const ModelRegistry& registry) {
  std::vector<Sample> samples;
  for (const auto& model : registry.LanguageModels()) {
    const engine::EngineStats stats = model->stats();
    const auto add = [&](const char* name, const char* help, bool is_counter, auto value) {
      samples.push_back({name, help, is_counter, static_cast<double>(value), Label(model->name())});
    };
    add("vllm:num_requests_running", "As emptor_engine_requests_running", false, stats.running);
    add("vllm:num_requests_waiting", "As emptor_engine_requests_waiting", false, stats.waiting);
    add("vllm:kv_cache_usage_perc", "As emptor_engine_kv_cache_usage_ratio", false,
        UsedShare(stats));
    add("vllm:prefix_cache_queries_total", "As emptor_engine_prefix_cache_queries_total", true,
        stats.prefix_queries);
    add("vllm:prefix_cache_hits_total", "As emptor_engine_prefix_cache_hits_total", true,
        stats.prefix_hits);
    add("vllm:num_preemptions_total", "As emptor_engine_preemptions_total", true,
        stats.preemptions);
    add("vllm:spec_decode_num_drafts_total", "As emptor_engine_spec_decode_num_drafts_total", true,
        stats.verified_drafts);
    add("vllm:spec_decode_num_draft_tokens_total",
        "As emptor_engine_spec_decode_num_draft_tokens_total", true, stats.draft_tokens);
    add("vllm:spec_decode_num_accepted_tokens_total",
        "As emptor_engine_spec_decode_num_accepted_tokens_total", true,
        stats.accepted_draft_tokens);
    add("vllm:prompt_tokens_total", "As emptor_engine_prompt_tokens_total", true,
        stats.prompt_tokens);
    add("vllm:generation_tokens_total", "As emptor_engine_generation_tokens_total", true,
        stats.generated_tokens);
  }
  return samples;
}

}  // namespace emptor::services
