// Tables and JSON of the figures.
#include "services/eval/retrieval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

using retrieval::Interval;
using retrieval::Mean;
using retrieval::Metric;

constexpr std::array kAllMetrics = {
    Metric::kNdcg,           Metric::kNdcgJudged,           Metric::kRecall, Metric::kRecallJudged,
    Metric::kReciprocalRank, Metric::kReciprocalRankJudged, Metric::kJudged, Metric::kPairwise};

/// The quantile `share` of the values; 0 without values.
double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(at))];
}

std::vector<std::vector<size_t>> FoldPositions(const RetrievalReport& report) {
  std::vector<std::vector<size_t>> folds(report.folds);
  for (size_t i = 0; i < report.queries.size(); ++i) {
    folds[retrieval::FoldOf(report.queries[i].text, report.folds)].push_back(i);
  }
  return folds;
}

/// Query positions by how much `run` changes nDCG against the first run, the greatest first.
std::vector<size_t> ByChange(const RetrievalReport& report, const MeasuredRun& run) {
  std::vector<size_t> order(report.queries.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto change = [&](size_t i) {
    const auto& before = report.runs.front().scores.queries[i].of(Metric::kNdcg);
    const auto& after = run.scores.queries[i].of(Metric::kNdcg);
    return before && after ? std::abs(*after - *before) : 0.0;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return change(a) > change(b); });
  return order;
}

std::string Cell(const std::optional<double>& value) {
  return value ? fmt::format("{:9.4f}", *value) : fmt::format("{:>9}", "-");
}

std::string MeansText(const RetrievalReport& report) {
  std::string out = fmt::format("{:32}", "");
  for (const MeasuredRun& run : report.runs) out += fmt::format(" {:>12.12}", run.scores.name);
  out += fmt::format(" {:>8}\n", "queries");
  for (const Metric metric : kAllMetrics) {
    out += fmt::format("{:32}", retrieval::MetricName(metric, report.metrics));
    size_t queries = 0;
    for (const MeasuredRun& run : report.runs) {
      const Mean mean = retrieval::MeanOf(run.scores, metric);
      out += fmt::format(" {:12.4f}", mean.value);
      queries = std::max(queries, mean.queries);
    }
    out += fmt::format(" {:8}\n", queries);
  }
  for (const double share : {0.5, 0.99}) {
    out += fmt::format("{:32}", fmt::format("milliseconds a search, p{:.0f}", share * 100));
    for (const MeasuredRun& run : report.runs) {
      out += run.milliseconds.empty()
                 ? fmt::format(" {:>12}", "-")
                 : fmt::format(" {:12.2f}", Percentile(run.milliseconds, share));
    }
    out += '\n';
  }
  return out;
}

std::string ComparisonText(const RetrievalReport& report) {
  std::string out;
  const MeasuredRun& first = report.runs.front();
  for (size_t r = 1; r < report.runs.size(); ++r) {
    const MeasuredRun& run = report.runs[r];
    out += fmt::format("\n{} against {}, paired bootstrap, {:.0f} % interval\n", run.scores.name,
                       first.scores.name, report.bootstrap.coverage * 100);
    for (const Metric metric : kAllMetrics) {
      const Interval change =
          retrieval::CompareRuns(first.scores, run.scores, metric, report.bootstrap);
      if (change.queries == 0) continue;
      out += fmt::format("{:32} {:+12.4f}  [{:+.4f}, {:+.4f}]{}\n",
                         retrieval::MetricName(metric, report.metrics), change.mean, change.low,
                         change.high, change.excludes_zero() ? "" : "  holds zero");
    }
  }
  return out;
}

std::string FoldsText(const RetrievalReport& report) {
  std::string out;
  if (report.folds == 0) return out;
  const auto folds = FoldPositions(report);
  for (const Metric metric : {Metric::kNdcg, Metric::kNdcgJudged, Metric::kRecall}) {
    out += fmt::format("\n{:32}", retrieval::MetricName(metric, report.metrics));
    for (const MeasuredRun& run : report.runs) out += fmt::format(" {:>12.12}", run.scores.name);
    out += fmt::format(" {:>8}\n", "queries");
    for (size_t f = 0; f < folds.size(); ++f) {
      out += fmt::format("{:32}", fmt::format("fold {}", f));
      for (const MeasuredRun& run : report.runs) {
        // An empty span would mean every query.
        const Mean mean = folds[f].empty() ? Mean{} : MeanOf(run.scores, metric, folds[f]);
        out += fmt::format(" {:12.4f}", mean.value);
      }
      out += fmt::format(" {:8}\n", folds[f].size());
    }
  }
  return out;
}

std::string QueriesText(const RetrievalReport& report) {
  if (!report.per_query) return "";
  std::string out = fmt::format("\n{:40}", retrieval::MetricName(Metric::kNdcg, report.metrics));
  for (const MeasuredRun& run : report.runs) out += fmt::format(" {:>9.9}", run.scores.name);
  out += fmt::format(" {:>9}\n", "judged");
  for (const size_t i : ByChange(report, report.runs.back())) {
    out += fmt::format(
        "{:40.40}", report.queries[i].text.empty() ? report.queries[i].id : report.queries[i].text);
    for (const MeasuredRun& run : report.runs) {
      out += " " + Cell(run.scores.queries[i].of(Metric::kNdcg));
    }
    out += " " + Cell(report.runs.back().scores.queries[i].of(Metric::kJudged)) + "\n";
  }
  return out;
}

void WriteScores(const RetrievalReport& report, const retrieval::QueryScores& scores,
                 catalog::JsonWriter& writer) {
  for (const Metric metric : kAllMetrics) {
    const auto& value = scores.of(metric);
    if (value) writer.Member(retrieval::MetricName(metric, report.metrics), *value);
  }
}

void WriteMeans(const RetrievalReport& report, const MeasuredRun& run,
                catalog::JsonWriter& writer) {
  writer.Key("means").BeginObject();
  for (const Metric metric : kAllMetrics) {
    const Mean mean = retrieval::MeanOf(run.scores, metric);
    writer.Key(retrieval::MetricName(metric, report.metrics)).BeginObject();
    writer.Member("mean", mean.value).Member("queries", mean.queries).EndObject();
  }
  writer.EndObject();
  if (report.folds == 0) return;
  writer.Key("folds").BeginArray();
  for (const auto& fold : FoldPositions(report)) {
    writer.BeginObject().Member("queries", fold.size());
    for (const Metric metric : kAllMetrics) {
      if (fold.empty()) continue;
      writer.Member(retrieval::MetricName(metric, report.metrics),
                    MeanOf(run.scores, metric, fold).value);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteComparison(const RetrievalReport& report, const MeasuredRun& run,
                     catalog::JsonWriter& writer) {
  writer.Key("against_first").BeginObject();
  for (const Metric metric : kAllMetrics) {
    const Interval change =
        retrieval::CompareRuns(report.runs.front().scores, run.scores, metric, report.bootstrap);
    if (change.queries == 0) continue;
    writer.Key(retrieval::MetricName(metric, report.metrics)).BeginObject();
    writer.Member("mean", change.mean).Member("low", change.low).Member("high", change.high);
    writer.Member("queries", change.queries).EndObject();
  }
  writer.EndObject();
}

void WriteQueries(const RetrievalReport& report, const MeasuredRun& run,
                  catalog::JsonWriter& writer) {
  writer.Key("queries").BeginArray();
  for (size_t i = 0; i < report.queries.size(); ++i) {
    const retrieval::EvalQuery& query = report.queries[i];
    writer.BeginObject().Member("id", query.id).Member("query", query.text);
    WriteScores(report, run.scores.queries[i], writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

std::string ReportText(const RetrievalReport& report) {
  if (report.runs.empty()) return "";
  std::string notes;
  for (const std::string& note : report.notes) notes += "\n" + note;
  if (!notes.empty()) notes += '\n';
  return MeansText(report) + ComparisonText(report) + FoldsText(report) + notes +
         QueriesText(report);
}

std::string ReportJson(const RetrievalReport& report) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("queries", report.queries.size());
  writer.Member("gain", retrieval::ToString(report.metrics.gain));
  writer.Member("relevant_from", report.metrics.relevant_from).Key("runs").BeginArray();
  for (const MeasuredRun& run : report.runs) {
    writer.BeginObject().Member("name", run.scores.name);
    WriteMeans(report, run, writer);
    if (!run.milliseconds.empty()) {
      writer.Member("p50_ms", Percentile(run.milliseconds, 0.5));
      writer.Member("p99_ms", Percentile(run.milliseconds, 0.99));
    }
    if (&run != &report.runs.front()) WriteComparison(report, run, writer);
    if (report.per_query) WriteQueries(report, run, writer);
    writer.EndObject();
  }
  writer.EndArray().Key("notes").BeginArray();
  for (const std::string& note : report.notes) writer.String(note);
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace emptor::services
