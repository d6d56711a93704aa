// Metrics on prometheus-cpp's core.
#include "services/observability/metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <utility>

#include "services/observability/prometheus_text.h"

namespace emptor::services {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;
using Buckets = Histogram::BucketBoundaries;

const Buckets kRequestSeconds = {0.005, 0.01, 0.02, 0.04,  0.08,  0.16,  0.32, 0.64,
                                 1.28,  2.56, 5.12, 10.24, 20.48, 40.96, 81.92};
const Buckets kFirstTokenSeconds = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1,
                                    0.25,  0.5,   0.75, 1,    2.5,  5,    7.5,  10};
const Buckets kTokenSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1,
                               0.15,  0.2,    0.3,   0.4,  0.5,   0.75, 1,     2.5};
const Buckets kJobSeconds = {0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 7200};
const Buckets kSearchSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1};

}  // namespace

struct Metrics::Impl {
  explicit Impl(std::function<std::vector<Sample>()> take_samples)
      : sampler(std::move(take_samples)) {}

  Family<Counter>& MakeCounter(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Histogram& MakeHistogram(const char* name, const char* help, const Buckets& buckets) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, buckets);
  }

  std::function<std::vector<Sample>()> sampler;
  prometheus::Registry registry;
  Family<Counter>& requests =
      MakeCounter("emptor_http_requests_total", "Requests by route and status");
  Family<Histogram>& request_seconds = prometheus::BuildHistogram()
                                           .Name("emptor_http_request_seconds")
                                           .Help("From the request to its answer or first event")
                                           .Register(registry);
  Family<Counter>& answers = MakeCounter("emptor_answers_total",
                                         "Answers by the step that served them and how they ended");
  Family<Counter>& dropped = MakeCounter("emptor_hydrator_dropped_total",
                                         "Spans of model text that did not leave, by rule");
  Counter& references =
      MakeCounter("emptor_hydrator_references_total", "References that became facts").Add({});
  Counter& replaced = MakeCounter("emptor_hydrator_replaced_total",
                                  "Dropped claims replaced by a fact of the record")
                          .Add({});
  Family<Counter>& claims =
      MakeCounter("emptor_claim_verdicts_total",
                  "Sentences of models: entailed, or the rule that dropped them");
  Family<Counter>& tokens =
      MakeCounter("gen_ai_server_token_usage_total", "Tokens by gen_ai_token_type");
  Histogram& first_token =
      MakeHistogram("gen_ai_server_time_to_first_token_seconds",
                    "From the request to the model's first text", kFirstTokenSeconds);
  Histogram& per_token = MakeHistogram("gen_ai_server_time_per_output_token_seconds",
                                       "Between the model's tokens", kTokenSeconds);
  Histogram& answer_seconds = MakeHistogram("gen_ai_server_request_duration_seconds",
                                            "From the question to done", kRequestSeconds);
  Histogram& queue_seconds = MakeHistogram("emptor_engine_queue_seconds",
                                           "Wait for a place in the batch", kFirstTokenSeconds);
  Histogram& retrieve_seconds =
      MakeHistogram("emptor_retrieve_seconds", "Retrieval within an answer", kSearchSeconds);
  Histogram& search_seconds =
      MakeHistogram("emptor_search_seconds", "Plain searches", kSearchSeconds);
  Family<Counter>& faq_lookups =
      MakeCounter("emptor_faq_lookups_total", "Look-ups in the FAQ by decision");
  Family<Counter>& shopper_events =
      MakeCounter("emptor_shopper_events_total",
                  "Views, clicks and additions to the cart by who wrote the answer that showed the "
                  "product");
  Family<Counter>& mcp_calls = MakeCounter("emptor_mcp_tool_calls_total", "Calls of MCP tools");
  Family<Counter>& ratings = MakeCounter("emptor_feedback_total", "Ratings of answers");
  Counter& acts = MakeCounter("emptor_message_acts_total",
                              "Acts of answered messages: a choice and other goods are two")
                      .Add({});
  Counter& faq_answers =
      MakeCounter("emptor_faq_answers_total", "Answers of the assistant that the FAQ gave").Add({});
  Counter& faq_broken = MakeCounter("emptor_faq_broken_total",
                                    "Answers of the FAQ that were not served: the record of a "
                                    "reference was gone")
                            .Add({});
  Histogram& faq_seconds =
      MakeHistogram("emptor_faq_lookup_seconds", "Look-ups in the FAQ", kSearchSeconds);
  Family<Counter>& imported = MakeCounter("emptor_import_lines_total", "Imported lines by result");
  Counter& import_warnings =
      MakeCounter("emptor_import_warnings_total", "Rows of feeds that were taken in part").Add({});
  Counter& embeddings_skipped =
      MakeCounter("emptor_import_embeddings_skipped_total", "Products whose text was known already")
          .Add({});
  Family<Counter>& jobs = MakeCounter("emptor_jobs_total", "Runs of jobs by mode and end");
  Histogram& job_seconds = MakeHistogram("emptor_job_seconds", "Runs of jobs", kJobSeconds);
};

Metrics::Metrics(std::function<std::vector<Sample>()> sampler)
    : impl_(std::make_unique<Impl>(std::move(sampler))) {}
Metrics::~Metrics() = default;

void Metrics::CountRequest(const std::string& route, int status, double seconds) {
  impl_->requests.Add({{"route", route}, {"code", std::to_string(status)}}).Increment();
  impl_->request_seconds.Add({{"route", route}}, kRequestSeconds).Observe(seconds);
}

void Metrics::CountAnswer(const AnswerRecord& answer) {
  std::string result = answer.finish_reason;
  if (answer.abandoned) {
    result = "abandoned";
  } else if (!answer.status.ok()) {
    result = answer.finish_reason.empty() ? "refused" : "error";
  }
  impl_->answers.Add({{"step", answer.answer_step}, {"result", result}}).Increment();
  for (size_t i = 1; i < answer.hydrator.by_rule.size(); ++i) {
    const int count = answer.hydrator.by_rule[i];
    if (count == 0) continue;
    const std::string rule(ToString(static_cast<DropRule>(i)));
    impl_->dropped.Add({{"rule", rule}}).Increment(count);
  }
  for (size_t i = 0; i < answer.claims.by_rule.size(); ++i) {
    const int count = answer.claims.by_rule[i];
    if (count == 0) continue;
    const std::string verdict =
        i == 0 ? "entailed" : std::string(ToString(static_cast<ClaimRule>(i)));
    impl_->claims.Add({{"verdict", verdict}}).Increment(count);
  }
  if (answer.is_faq_hit) impl_->faq_answers.Increment();
  impl_->acts.Increment(static_cast<double>(answer.acts));
  impl_->references.Increment(answer.hydrator.references);
  impl_->replaced.Increment(answer.hydrator.replaced);
  const DoneEvent& done = answer.done;
  if (!answer.status.ok() || answer.abandoned) return;
  impl_->tokens.Add({{"gen_ai_token_type", "input"}}).Increment(done.prompt_tokens);
  impl_->tokens.Add({{"gen_ai_token_type", "output"}}).Increment(done.completion_tokens);
  const AssistTimings& timings = done.timings;
  impl_->retrieve_seconds.Observe(timings.retrieve / 1000);
  impl_->answer_seconds.Observe(timings.total / 1000);
  if (done.completion_tokens == 0) return;
  impl_->queue_seconds.Observe(timings.queue / 1000);
  impl_->first_token.Observe(timings.ttft / 1000);
  const double streaming = timings.total - timings.ttft;
  if (done.completion_tokens > 1) {
    impl_->per_token.Observe(streaming / 1000 / (done.completion_tokens - 1));
  }
}

void Metrics::ObserveSearch(double seconds) { impl_->search_seconds.Observe(seconds); }

void Metrics::CountShopperEvent(std::string_view event, std::string_view by) {
  impl_->shopper_events.Add({{"type", std::string(event)}, {"answer_step", std::string(by)}})
      .Increment();
}

void Metrics::CountMcpCall(std::string_view tool, bool is_error) {
  impl_->mcp_calls.Add({{"tool", std::string(tool)}, {"outcome", is_error ? "error" : "answered"}})
      .Increment();
}

void Metrics::CountRating(std::string_view rating) {
  impl_->ratings.Add({{"rating", std::string(rating)}}).Increment();
}

void Metrics::ObserveFaqLookup(std::string_view decision, size_t broken, double seconds) {
  impl_->faq_lookups.Add({{"decision", std::string(decision)}}).Increment();
  if (broken > 0) impl_->faq_broken.Increment(static_cast<double>(broken));
  impl_->faq_seconds.Observe(seconds);
}

void Metrics::CountJob(const Job& job, const catalog::ImportReport& before) {
  using Report = catalog::ImportReport;
  const auto grown = [&](uint64_t Report::*count) {
    return static_cast<double>(job.report.*count - std::min(before.*count, job.report.*count));
  };
  const std::pair<const char*, uint64_t Report::*> counts[] = {
      {"created", &Report::created},     {"updated", &Report::updated},
      {"unchanged", &Report::unchanged}, {"deleted", &Report::deleted},
      {"error", &Report::errors},        {"removed", &Report::removed}};
  for (const auto& [status, count] : counts) {
    impl_->imported.Add({{"status", status}}).Increment(grown(count));
  }
  impl_->import_warnings.Increment(grown(&Report::warnings));
  impl_->embeddings_skipped.Increment(grown(&Report::embeddings_skipped));
  impl_->jobs
      .Add({{"mode", std::string(ToString(job.spec.mode))},
            {"state", std::string(ToString(job.state))}})
      .Increment();
  impl_->job_seconds.Observe(job.seconds);
}

std::string Metrics::Text() const {
  return PrometheusText(impl_->registry.Collect(),
                        impl_->sampler ? impl_->sampler() : std::vector<Sample>());
}

}  // namespace emptor::services
