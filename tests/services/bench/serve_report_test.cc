// Latencies, rates and cost of records that are made up.
#include "services/bench/serve_report.h"

#include "catalog/encoding/json.h"
#include "gtest/gtest.h"
#include "services/bench/html_report.h"

namespace emptor::services {
namespace {

/// Due at `due`, sent a little later, text at `times`.
LoadRecord Answer(double due, std::vector<double> times, int completion_tokens) {
  LoadRecord record;
  record.due = due;
  record.sent = due + 0.25;
  record.ended = times.back();
  record.text_times = std::move(times);
  record.status = 200;
  record.prompt_tokens = 100;
  record.completion_tokens = completion_tokens;
  record.finish_reason = "length";
  return record;
}

TEST(ServeReportTest, LatenciesCountFromWhenARequestWasDue) {
  ServeRun run;
  run.records = {Answer(1, {3, 4, 6}, 5)};
  const ServeSummary summary = SummarizeServe(run);
  EXPECT_EQ(summary.ttft.p50, 2);  // not 1.75, since it was sent
  EXPECT_EQ(summary.e2e.p50, 5);
  EXPECT_EQ(summary.tpot.p50, 0.75);  // 3 s for the four tokens after the first
  EXPECT_EQ(summary.itl.count, 2u);
  EXPECT_EQ(summary.itl.max, 2);
  EXPECT_EQ(summary.lag.p50, 0.25);
}

TEST(ServeReportTest, CountsFailuresByKindAndLeavesThemOutOfTheRest) {
  ServeRun run;
  run.records = {Answer(0, {1, 2}, 2), Answer(0, {1, 4}, 2)};
  LoadRecord failed;
  failed.ended = 100;
  for (const char* kind : {"http 429", "http 429", "cut stream"}) {
    failed.failure = kind;
    run.records.push_back(failed);
  }
  run.records.back().ended = 8;
  const ServeSummary summary = SummarizeServe(run);
  EXPECT_EQ(summary.completed, 2u);
  EXPECT_EQ(summary.failures.at("http 429"), 2u);
  EXPECT_EQ(summary.failures.at("cut stream"), 1u);
  EXPECT_EQ(summary.ttft.count, 2u);
  EXPECT_EQ(summary.output_tokens, 4);
  EXPECT_EQ(summary.seconds, 100);  // the failures took time
}

TEST(ServeReportTest, RatesCountWhatCameWithinTheWindow) {
  ServeRun run;
  run.window_seconds = 10;
  run.records = {Answer(0, {2, 4, 6, 8}, 8), Answer(5, {8, 9, 11, 12}, 40), Answer(9, {11, 12}, 2)};
  const ServeSummary summary = SummarizeServe(run);
  EXPECT_EQ(summary.seconds, 10);
  EXPECT_EQ(summary.output_tokens, 8 + 20);
  EXPECT_EQ(summary.input_tokens, 200);
  EXPECT_EQ(summary.ended_requests, 1);
  EXPECT_EQ(summary.PerMinute(summary.output_tokens), 28 * 6);
}

TEST(ServeReportTest, GoodputKeepsEveryLimit) {
  ServeRun run;
  run.records = {Answer(0, {1, 2}, 2), Answer(0, {3, 4}, 2), Answer(0, {1, 4}, 2),
                 Answer(0, {1}, 1)};
  run.slo = *ParseSlo("ttft=2s,tpot=1s");
  EXPECT_EQ(SummarizeServe(run).good, 2u);
  run.slo = *ParseSlo("e2e=4s");
  EXPECT_EQ(SummarizeServe(run).good, 4u);
  run.slo = *ParseSlo("e2e=1.5s");
  EXPECT_EQ(SummarizeServe(run).good, 1u);
}

TEST(ServeReportTest, CountsEventsWhereTheServerReportsNoUsage) {
  ServeRun run;
  run.records = {Answer(0, {1, 2, 3}, -1)};
  run.records[0].prompt_tokens = -1;
  const ServeSummary summary = SummarizeServe(run);
  EXPECT_FALSE(summary.counted_by_server);
  EXPECT_EQ(summary.output_tokens, 3);
  EXPECT_EQ(summary.input_tokens, 0);
  EXPECT_NE(ServeTable(run, summary).find("no usage"), std::string::npos);
}

TEST(CostTest, AddsUpToTheBill) {
  const TokenCost cost = CostPerMillion(2, 3e6, 1e6, 4);
  EXPECT_NEAR(3 * cost.input + 1 * cost.output, 2, 1e-12);
  EXPECT_NEAR(cost.output, 4 * cost.input, 1e-12);
  EXPECT_NEAR(cost.blended, (3 * cost.input + cost.output) / 4, 1e-12);
  EXPECT_NEAR(cost.all, 0.5, 1e-12);
  EXPECT_NEAR(cost.blended, cost.all, 1e-12);  // the mix was 3:1
  EXPECT_EQ(CostPerMillion(2, 0, 0, 4).blended, 0);
}

TEST(CostTest, IsOfTheHoursThatPassed) {
  ServeRun run;
  run.price_per_hour = 3600;
  run.output_weight = 1;
  run.records = {Answer(0, {1, 2}, 100)};
  const ServeSummary summary = SummarizeServe(run);
  ASSERT_TRUE(summary.cost.has_value());
  EXPECT_NEAR(summary.cost->all, 2 / 200.0 * 1e6, 1e-6);
  EXPECT_FALSE(SummarizeServe({}).cost.has_value());
}

TEST(ServeReportTest, ReportsEnergyOrWhyItIsUnknown) {
  ServeRun run;
  run.records = {Answer(0, {1, 2}, 100)};
  run.no_joules = "no counter";
  EXPECT_NE(ServeTable(run, SummarizeServe(run)).find("not known: no counter"), std::string::npos);
  run.joules = 50;
  EXPECT_EQ(*SummarizeServe(run).tokens_per_joule, 2);
}

TEST(ServeReportTest, JsonIsValidAlsoForAnEmptyRun) {
  ServeRun run;
  for (const bool empty : {true, false}) {
    if (!empty) run.records = {Answer(0, {1, 2}, 2)};
    run.model = "a \"quoted\" <name>";
    const ServeSummary summary = SummarizeServe(run);
    const auto json = catalog::ParseJson(ServeJson(run, summary));
    ASSERT_TRUE(json.ok()) << json.status();
    EXPECT_EQ(json->Find("model")->as_string(), run.model);
    EXPECT_EQ(json->Find("completed")->as_int(), empty ? 0 : 1);
    EXPECT_EQ(ServeHtml(run, summary).find("<name>"), std::string::npos);
  }
}

}  // namespace
}  // namespace emptor::services
