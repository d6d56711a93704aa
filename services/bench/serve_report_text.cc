// A load's summary as JSON, as a table and as a page.
#include <algorithm>
#include <cmath>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/html_report.h"
#include "services/bench/serve_report.h"

namespace emptor::services {
namespace {

struct NamedSummary {
  const char* name;
  const char* title;
  const engine::Summary* summary;
};

std::vector<NamedSummary> Latencies(const ServeSummary& summary) {
  return {{"ttft", "TTFT", &summary.ttft},
          {"tpot", "TPOT", &summary.tpot},
          {"itl", "ITL", &summary.itl},
          {"e2e", "E2E", &summary.e2e}};
}

void WriteSummary(const char* name, const engine::Summary& summary, catalog::JsonWriter& writer) {
  writer.Key(name)
      .BeginObject()
      .Member("count", summary.count)
      .Member("mean", summary.mean)
      .Member("min", summary.min)
      .Member("p50", summary.p50)
      .Member("p90", summary.p90)
      .Member("p99", summary.p99)
      .Member("max", summary.max)
      .EndObject();
}

std::string Milliseconds(double seconds) { return fmt::format("{:.1f}", 1000 * seconds); }

/// Figures other than the latencies, as name and value.
std::vector<std::pair<std::string, std::string>> Facts(const ServeRun& run,
                                                       const ServeSummary& summary) {
  const double minutes = summary.seconds / 60;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"requests", fmt::format("{} sent, {} answered, {} failed", summary.requests,
                               summary.completed, summary.requests - summary.completed)},
      {"time", fmt::format("{:.2f} minutes", minutes)},
      {"requests per minute", ShortNumber(summary.PerMinute(summary.ended_requests))},
      {"tokens per minute",
       fmt::format("{} out, {} in, {} together",
                   ShortNumber(summary.PerMinute(summary.output_tokens)),
                   ShortNumber(summary.PerMinute(summary.input_tokens)),
                   ShortNumber(summary.PerMinute(summary.input_tokens + summary.output_tokens)))},
      {"tokens an answer",
       fmt::format(
           "{:.1f} in ({:.1f} cached), {:.1f} out",
           summary.input_tokens / std::max<double>(1, static_cast<double>(summary.completed)),
           summary.cached_tokens / std::max<double>(1, static_cast<double>(summary.completed)),
           summary.output_tokens / std::max<double>(1, static_cast<double>(summary.completed)))}};
  if (!summary.counted_by_server) {
    facts.push_back(
        {"tokens", "the server gave no usage with some answers: their events were counted"});
  }
  for (const auto& [kind, count] : summary.failures) {
    facts.push_back({"failed: " + kind, std::to_string(count)});
  }
  if (run.slo.given()) {
    facts.push_back(
        {"goodput", fmt::format("{:.3f} requests/s, {:.1f} % within the SLO",
                                static_cast<double>(summary.good) / summary.seconds,
                                100.0 * static_cast<double>(summary.good) /
                                    std::max<double>(1, static_cast<double>(summary.requests)))});
  }
  if (summary.cost) {
    facts.push_back(
        {"cost per million tokens",
         fmt::format("{:.4f} input, {:.4f} output, {:.4f} blended 3:1 ({:.4f} of all; an "
                     "output token priced as {:g} of input)",
                     summary.cost->input, summary.cost->output, summary.cost->blended,
                     summary.cost->all, run.output_weight)});
  }
  facts.push_back({"output tokens per joule", summary.tokens_per_joule
                                                  ? fmt::format("{:.3f}", *summary.tokens_per_joule)
                                                  : "not known: " + run.no_joules});
  facts.push_back({"client behind its schedule",
                   fmt::format("p50 {} ms, p99 {} ms", Milliseconds(summary.lag.p50),
                               Milliseconds(summary.lag.p99))});
  return facts;
}

/// Milliseconds under which each share of the answers lies.
Curve Distribution(const char* name, std::vector<double> seconds) {
  constexpr size_t kPoints = 100;
  std::sort(seconds.begin(), seconds.end());
  Curve curve{.name = name, .points = {}};
  for (size_t i = 0; i <= kPoints && !seconds.empty(); ++i) {
    const double share = static_cast<double>(i) / kPoints;
    curve.points.push_back({1000 * engine::PercentileOfSorted(seconds, share), 100 * share});
  }
  return curve;
}

/// First-token and whole latency of each answer over the time that it was due.
std::vector<Curve> OverTime(const ServeRun& run) {
  std::vector<Curve> curves(1);
  curves[0].name = "TTFT";
  std::vector<std::pair<double, double>> points;
  for (const LoadRecord& record : run.records) {
    if (!record.failure.empty() || record.text_times.empty()) continue;
    points.push_back({record.due, 1000 * (record.text_times.front() - record.due)});
  }
  std::sort(points.begin(), points.end());
  const size_t step = std::max<size_t>(1, points.size() / 500);
  for (size_t i = 0; i < points.size(); i += step) curves[0].points.push_back(points[i]);
  return curves;
}

void AddDistributions(const ServeRun& run, HtmlReport& page) {
  std::vector<double> ttft, e2e;
  for (const LoadRecord& record : run.records) {
    if (!record.failure.empty()) continue;
    if (!record.text_times.empty()) ttft.push_back(record.text_times.front() - record.due);
    e2e.push_back(record.ended - record.due);
  }
  if (e2e.empty()) return;
  page.AddHeading("First token");
  page.AddCurves({"milliseconds", "% of the answers"}, {Distribution("TTFT", std::move(ttft))});
  page.AddHeading("Whole answer");
  page.AddCurves({"milliseconds", "% of the answers"}, {Distribution("E2E", std::move(e2e))});
  page.AddHeading("First token over the run");
  page.AddCurves({"seconds after the start", "milliseconds"}, OverTime(run));
}

}  // namespace

std::string ServeJson(const ServeRun& run, const ServeSummary& summary) {
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "serve")
      .Member("url", run.url)
      .Member("model", run.model)
      .Member("load", run.load)
      .Member("seconds", summary.seconds)
      .Member("requests", summary.requests)
      .Member("completed", summary.completed)
      .Member("good", summary.good)
      .Member("requests_per_minute", summary.PerMinute(summary.ended_requests))
      .Member("input_tokens", summary.input_tokens)
      .Member("output_tokens", summary.output_tokens)
      .Member("cached_tokens", summary.cached_tokens)
      .Member("counted_by_server", summary.counted_by_server)
      .Member("output_tokens_per_minute", summary.PerMinute(summary.output_tokens))
      .Member("tokens_per_minute", summary.PerMinute(summary.input_tokens + summary.output_tokens));
  writer.Key("failures").BeginObject();
  for (const auto& [kind, count] : summary.failures) writer.Member(kind, count);
  writer.EndObject();
  writer.Key("seconds_of").BeginObject();
  for (const NamedSummary& one : Latencies(summary)) WriteSummary(one.name, *one.summary, writer);
  WriteSummary("lag", summary.lag, writer);
  writer.EndObject();
  if (summary.cost) {
    writer.Key("cost_per_million_tokens")
        .BeginObject()
        .Member("input", summary.cost->input)
        .Member("output", summary.cost->output)
        .Member("blended_3_to_1", summary.cost->blended)
        .Member("all", summary.cost->all)
        .EndObject();
  }
  if (summary.tokens_per_joule) writer.Member("tokens_per_joule", *summary.tokens_per_joule);
  writer.EndObject();
  return writer.Take();
}

std::string ServeTable(const ServeRun& run, const ServeSummary& summary) {
  std::string text = fmt::format("{}, model {}: {}\n", run.url, run.model, run.load);
  text += fmt::format("  {:<6}{:>10}{:>10}{:>10}{:>10}{:>10}  milliseconds\n", "", "mean", "p50",
                      "p90", "p99", "max");
  for (const NamedSummary& one : Latencies(summary)) {
    text += fmt::format("  {:<6}{:>10}{:>10}{:>10}{:>10}{:>10}\n", one.title,
                        Milliseconds(one.summary->mean), Milliseconds(one.summary->p50),
                        Milliseconds(one.summary->p90), Milliseconds(one.summary->p99),
                        Milliseconds(one.summary->max));
  }
  for (const auto& [name, value] : Facts(run, summary)) {
    text += fmt::format("  {:<27} {}\n", name, value);
  }
  return text;
}

std::string ServeHtml(const ServeRun& run, const ServeSummary& summary) {
  HtmlReport page("Serving: " + run.model);
  page.AddText(run.url + ": " + run.load);
  page.AddText(
      "Latencies in milliseconds, counted from when a request was due, over the answers that did "
      "not fail.");
  std::vector<std::vector<std::string>> rows = {{"", "mean", "p50", "p90", "p99", "max"}};
  for (const NamedSummary& one : Latencies(summary)) {
    rows.push_back({one.title, Milliseconds(one.summary->mean), Milliseconds(one.summary->p50),
                    Milliseconds(one.summary->p90), Milliseconds(one.summary->p99),
                    Milliseconds(one.summary->max)});
  }
  page.AddTable(rows);
  page.AddHeading("Rates and cost");
  for (const auto& [name, value] : Facts(run, summary)) page.AddText(name + ": " + value);
  AddDistributions(run, page);
  return page.Finish();
}

}  // namespace emptor::services
