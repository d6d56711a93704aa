// Each report becomes rows of cells; tables and pages show the same rows.
#include "services/cli/bench_load_report.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/html_report.h"

namespace emptor::services {
namespace {

using engine::BatchingOutcome;
using engine::BatchingReport;
using engine::BatchingSide;
using engine::Summary;
using Rows = std::vector<std::vector<std::string>>;

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string TableText(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("  {:<34}", row[0]);
    for (size_t i = 1; i < row.size(); ++i) text += fmt::format("{:>14}", row[i]);
    text += "\n";
  }
  return text;
}

/// Median, least and most, in units of `unit`.
std::vector<std::string> RangeRow(const std::string& name, const Summary& summary, double unit) {
  return {name, ShortNumber(summary.p50 / unit), ShortNumber(summary.min / unit),
          ShortNumber(summary.max / unit)};
}

void WriteSummary(const char* name, const Summary& summary, catalog::JsonWriter& writer) {
  writer.Key(name).BeginObject();
  writer.Member("median", summary.p50).Member("least", summary.min).Member("most", summary.max);
  writer.EndObject();
}

void WriteOutcome(const char* name, const BatchingOutcome& outcome, catalog::JsonWriter& writer) {
  writer.Key(name).BeginObject();
  writer.Member("seconds", outcome.seconds)
      .Member("output_tokens", outcome.output_tokens)
      .Member("tokens_per_second", outcome.TokensPerSecond());
  const std::pair<const char*, const Summary*> latencies[] = {
      {"ttft", &outcome.ttft}, {"tpot", &outcome.tpot}, {"e2e", &outcome.e2e}};
  for (const auto& [key, summary] : latencies) {
    writer.Key(key).BeginObject();
    writer.Member("mean", summary->mean).Member("p50", summary->p50).Member("p99", summary->p99);
    writer.EndObject();
  }
  writer.EndObject();
}

/// A figure, continuous, static, and how they compare.
Rows CompareRows(const char* name, const BatchingOutcome& fast, const BatchingOutcome& slow) {
  Rows rows = {{name, "continuous", "static", "ratio"}};
  const auto add = [&](const std::string& figure, double a, double b, double ratio) {
    rows.push_back({figure, ShortNumber(a), ShortNumber(b), fmt::format("{:.2f}", ratio)});
  };
  add("tokens/s", fast.TokensPerSecond(), slow.TokensPerSecond(),
      Ratio(fast.TokensPerSecond(), slow.TokensPerSecond()));
  const auto latency = [&](const std::string& figure, const Summary& a, const Summary& b) {
    add(figure + " mean, ms", 1e3 * a.mean, 1e3 * b.mean, Ratio(b.mean, a.mean));
    add(figure + " p99, ms", 1e3 * a.p99, 1e3 * b.p99, Ratio(b.p99, a.p99));
  };
  latency("first token", fast.ttft, slow.ttft);
  latency("each further token", fast.tpot, slow.tpot);
  latency("whole answer", fast.e2e, slow.e2e);
  return rows;
}

Rows RoundRows(const BatchingReport& report) {
  return {{"rounds, all at once", "median", "least", "most"},
          RangeRow("continuous, tokens/s", report.continuous.TokensPerSecond(), 1),
          RangeRow("static, tokens/s", report.fixed.TokensPerSecond(), 1),
          RangeRow("continuous over static", report.Speedup(), 1)};
}

Rows SearchRows(const BatchingReport& report) {
  Rows rows = {{"static batches tried", "tokens/s", "TPOT p99, ms"}};
  for (const BatchingSide& side : report.search) {
    const BatchingOutcome& outcome = side.rounds.front();
    rows.push_back({fmt::format("{} together", side.batch), ShortNumber(outcome.TokensPerSecond()),
                    ShortNumber(1e3 * outcome.tpot.p99)});
  }
  return rows;
}

std::string Headline(const BatchingReport& report) {
  return fmt::format(
      "{}: {} requests; {} together continuously, static batches of {}; limit of the TPOT's p99: "
      "{} ms{}; the stream has {:.2f} requests/s; {:.2f} % of the KV memory in use held nothing",
      report.model, report.requests, report.continuous.batch, report.fixed.batch,
      ShortNumber(1e3 * report.tpot_limit),
      report.limit_kept ? "" : " (no static batch keeps it within 10 %)", report.rate,
      100 * report.kv_fragmentation);
}

std::string JsonOf(const BatchingReport& report) {
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "batching")
      .Member("model", report.model)
      .Member("together", report.continuous.batch)
      .Member("static_together", report.fixed.batch)
      .Member("requests", report.requests)
      .Member("tpot_p99_limit_seconds", report.tpot_limit)
      .Member("tpot_p99_limit_kept", report.limit_kept)
      .Member("kv_waste", report.kv_fragmentation)
      .Member("stream_requests_per_second", report.rate);
  WriteSummary("speedup", report.Speedup(), writer);
  WriteOutcome("continuous_at_once", report.continuous.MedianRound(), writer);
  WriteOutcome("static_at_once", report.fixed.MedianRound(), writer);
  WriteOutcome("continuous_stream", report.continuous.stream, writer);
  WriteOutcome("static_stream", report.fixed.stream, writer);
  writer.EndObject();
  return writer.Take();
}

constexpr std::array kBatchingNames = {"continuous", "static, when idle", "static, full batches"};

std::string NameOf(const engine::ConcurrencySide& side) {
  return kBatchingNames[static_cast<size_t>(side.batching)];
}

/// Over the rounds, of `figure(outcome)`.
template <typename Figure>
Summary Over(const std::vector<BatchingOutcome>& rounds, Figure figure) {
  std::vector<double> values;
  for (const BatchingOutcome& round : rounds) values.push_back(figure(round));
  return engine::Summarize(std::move(values));
}
Summary FirstTokenP50(const std::vector<BatchingOutcome>& rounds) {
  return Over(rounds, [](const BatchingOutcome& round) { return round.ttft.p50; });
}
Summary FirstTokenP99(const std::vector<BatchingOutcome>& rounds) {
  return Over(rounds, [](const BatchingOutcome& round) { return round.ttft.p99; });
}
Summary Rate(const std::vector<BatchingOutcome>& rounds) {
  return Over(rounds, [](const BatchingOutcome& round) { return round.TokensPerSecond(); });
}

Rows SideRows(const engine::ConcurrencyReport& report, const engine::ConcurrencySide& side) {
  Rows rows = {{NameOf(side), "median", "least", "most"}};
  for (const auto& [users, rounds] :
       {std::pair(report.few, &side.few), std::pair(report.many, &side.many)}) {
    const std::string name = fmt::format("{} users: ", users);
    rows.push_back(RangeRow(name + "first token p50, ms", FirstTokenP50(*rounds), 1e-3));
    rows.push_back(RangeRow(name + "first token p99, ms", FirstTokenP99(*rounds), 1e-3));
    rows.push_back(RangeRow(name + "tokens/s", Rate(*rounds), 1));
  }
  rows.push_back(RangeRow("first token p99 grows, times", side.Growth(), 1));
  return rows;
}

std::string JsonOf(const engine::ConcurrencyReport& report) {
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "concurrency")
      .Member("model", report.model)
      .Member("requests", report.requests)
      .Member("requests_per_second", report.rate);
  writer.Key("ways").BeginArray();
  for (const engine::ConcurrencySide& side : report.sides) {
    writer.BeginObject().Member("batching", NameOf(side));
    WriteSummary("ttft_p99_growth", side.Growth(), writer);
    writer.Key("users").BeginArray();
    for (const auto& [users, rounds] :
         {std::pair(report.few, &side.few), std::pair(report.many, &side.many)}) {
      writer.BeginObject().Member("users", users);
      WriteSummary("ttft_p50", FirstTokenP50(*rounds), writer);
      WriteSummary("ttft_p99", FirstTokenP99(*rounds), writer);
      WriteSummary("tokens_per_second", Rate(*rounds), writer);
      writer.EndObject();
    }
    writer.EndArray().EndObject();
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

/// Headline, then the tables one after the other.
LoadText Dress(const std::string& title, const std::string& headline,
               const std::vector<Rows>& tables, std::string json) {
  LoadText text{.table = headline + "\n", .json = std::move(json), .html = ""};
  HtmlReport page(title);
  page.AddText(headline);
  for (const Rows& rows : tables) {
    text.table += TableText(rows);
    page.AddTable(rows);
  }
  text.html = page.Finish();
  return text;
}

}  // namespace

LoadText Describe(const BatchingReport& report) {
  return Dress(
      "Continuous and static batching", Headline(report),
      {RoundRows(report),
       CompareRows("all at once, median round", report.continuous.MedianRound(),
                   report.fixed.MedianRound()),
       CompareRows("stream", report.continuous.stream, report.fixed.stream), SearchRows(report)},
      JsonOf(report));
}

LoadText Describe(const engine::ConcurrencyReport& report) {
  std::vector<Rows> tables;
  for (const engine::ConcurrencySide& side : report.sides) {
    tables.push_back(SideRows(report, side));
  }
  return Dress("First tokens by users",
               fmt::format("{}: {} requests a round, {:.2f} requests/s of all users together",
                           report.model, report.requests, report.rate),
               tables, JsonOf(report));
}

LoadText Describe(const engine::SpeculationReport& report) {
  std::vector<Rows> tables;
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "speculation")
      .Member("model", report.model)
      .Member("sequences", report.sequences)
      .Member("draft_tokens", report.draft_tokens)
      .Key("texts")
      .BeginArray();
  for (const engine::SpeculationCell& cell : report.cells) {
    const Summary plain = engine::Summarize(cell.plain),
                  speculative = engine::Summarize(cell.speculative);
    tables.push_back(
        {{cell.text, "median", "least", "most"},
         RangeRow("plain, tokens/s", plain, 1),
         RangeRow("speculative, tokens/s", speculative, 1),
         RangeRow("speculative over plain", cell.Ratio(), 1),
         {fmt::format("accepted {} of {} draft tokens; {:.2f} tokens a step; {} of {} "
                      "answers differ",
                      cell.accepted, cell.draft_tokens,
                      Ratio(static_cast<double>(cell.tokens), static_cast<double>(cell.steps)),
                      cell.different, cell.answers),
          "", "", ""}});
    writer.BeginObject()
        .Member("text", cell.text)
        .Member("accepted", cell.accepted)
        .Member("drafted", cell.draft_tokens)
        .Member("tokens", cell.tokens)
        .Member("steps", cell.steps)
        .Member("answers", cell.answers)
        .Member("different", cell.different);
    WriteSummary("plain_tokens_per_second", plain, writer);
    WriteSummary("speculative_tokens_per_second", speculative, writer);
    WriteSummary("ratio", cell.Ratio(), writer);
    writer.EndObject();
  }
  writer.EndArray().EndObject();
  return Dress("Speculative decoding by prompt look-up",
               fmt::format("{}: {} together, at most {} draft tokens each", report.model,
                           report.sequences, report.draft_tokens),
               tables, writer.Take());
}

LoadText Describe(const engine::PrefixReport& report) {
  const Summary cold = engine::Summarize(report.cold), warm = engine::Summarize(report.warm),
                look_up = engine::Summarize(report.look_up);
  const Rows rows = {{"first token", "median", "least", "most"},
                     RangeRow("cold, ms", cold, 1e-3),
                     RangeRow("warm, ms", warm, 1e-3),
                     RangeRow("warm over cold, %", report.Share(), 0.01),
                     RangeRow("look-up, us", look_up, 1e-6)};
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "prefix")
      .Member("model", report.model)
      .Member("tokens", report.tokens)
      .Member("cached_tokens", report.cached_tokens);
  WriteSummary("cold_ttft_seconds", cold, writer);
  WriteSummary("warm_ttft_seconds", warm, writer);
  WriteSummary("warm_over_cold", report.Share(), writer);
  WriteSummary("look_up_seconds", look_up, writer);
  writer.EndObject();
  return Dress("A prefix in the cache",
               fmt::format("{}: prompts with {} tokens in common, of which the cache gave {}",
                           report.model, report.tokens, report.cached_tokens),
               {rows}, writer.Take());
}

LoadText Describe(const engine::NeighbourReport& report) {
  const Summary quiet = engine::Summarize(report.quiet),
                disturbed = engine::Summarize(report.disturbed);
  const Rows rows = {{"decode, 1 sequence", "median", "least", "most"},
                     RangeRow("undisturbed, tokens/s", quiet, 1),
                     RangeRow("next to a busy process, tokens/s", disturbed, 1),
                     RangeRow("share that is kept, %", report.Share(), 0.01)};
  catalog::JsonWriter writer;
  writer.BeginObject().Member("bench", "neighbour").Member("model", report.model);
  WriteSummary("undisturbed_tokens_per_second", quiet, writer);
  WriteSummary("disturbed_tokens_per_second", disturbed, writer);
  WriteSummary("share_kept", report.Share(), writer);
  writer.EndObject();
  const std::string threads =
      report.threads == 0 ? "one thread for each core" : fmt::format("{} threads", report.threads);
  return Dress("A busy neighbour",
               fmt::format("{}: {}, next to one thread of another process", report.model, threads),
               {rows}, writer.Take());
}

}  // namespace emptor::services
