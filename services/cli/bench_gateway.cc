// emptor bench gateway: ways of balancing next to each other, over a modelled fleet in virtual
// time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/trace_reader.h"
#include "services/cli/commands.h"
#include "services/cli/trace_flags.h"
#include "services/gateway/simulation/fleet_simulation.h"

namespace emptor::services {
namespace {

struct BenchGatewayCommand {
  TraceFlags trace;
  std::vector<std::string> factors = {"1", "1", "2", "4"};
  int cached_blocks = 400;  // of each replica's prefix cache
  double ttft_limit = 2;    // seconds, of the 99th percentile
  int conversations = 400, turns = 6;
  uint64_t seed = 1;
  int seeds = 0;
  bool json = false;
};

struct Way {
  const char* name;
  PickPolicy pick;
};

/// What one way of balancing reached.
struct Row {
  std::string name;
  double speed = 0;  // of the trace
  double requests_per_second = 0, tokens_per_second = 0, ttft_p50 = 0, ttft_p99 = 0;
  uint64_t computed = 0;
  double imbalance = 0;  // busy time of the busiest replica, in the mean's
};

const Way kWays[] = {
    {"round robin", {.balancing = Balancing::kRoundRobin, .affinity = false}},
    {"two choices", {.choices = 2, .affinity = false}},
    {"least outstanding", {.affinity = false}},
    {"prefix affinity", {.affinity = true}},
};

FleetOptions FleetOf(const std::vector<double>& factors, const PickPolicy& pick,
                     const BenchGatewayCommand& command) {
  FleetOptions options;
  for (const double factor : factors) {
    ReplicaSpeed speed;
    speed.factor = factor;
    speed.cached_blocks = static_cast<size_t>(command.cached_blocks);
    options.speeds.push_back(speed);
    options.settings.push_back({.max_outstanding = 1 << 20});
  }
  options.dispatch.pick = pick;
  options.dispatch.max_waiting = 1 << 20;
  options.first_byte_limit = options.patience = options.deadline = options.gap_limit = 1e7;
  options.seed = command.seed;
  return options;
}

Row RowOf(const char* name, double speed, const FleetReport& report) {
  Row row{.name = name, .speed = speed};
  row.requests_per_second = static_cast<double>(report.answered) / report.seconds;
  row.tokens_per_second = static_cast<double>(report.output_tokens) / report.seconds;
  row.ttft_p50 = report.TtftAt(0.5);
  row.ttft_p99 = report.TtftAt(0.99);
  row.computed = report.computed_prompt_tokens;
  double all = 0, most = 0;
  for (const double busy : report.busy_seconds) {
    all += busy;
    most = std::max(most, busy);
  }
  row.imbalance = all > 0 ? most * static_cast<double>(report.busy_seconds.size()) / all : 0;
  return row;
}

/// The trace at the highest speed at which the 99th percentile of the first token keeps the limit,
/// within one percent.
Row HighestSpeed(const Way& way, const std::vector<PlannedRequest>& trace,
                 const std::vector<double>& factors, const BenchGatewayCommand& command) {
  double low = 0.01, high = 64;
  Row best{.name = way.name};
  while (high / low > 1.01) {
    const double speed = std::sqrt(low * high);
    std::vector<PlannedRequest> plan = trace;
    for (PlannedRequest& one : plan) one.at_seconds /= speed;
    const FleetReport report = SimulateFleet(plan, FleetOf(factors, way.pick, command));
    if (report.TtftAt(0.99) <= command.ttft_limit) {
      best = RowOf(way.name, speed, report);
      low = speed;
    } else {
      high = speed;
    }
  }
  return best;
}

/// Conversations whose every turn repeats all that came before it.
std::vector<PlannedRequest> PlanConversations(const BenchGatewayCommand& command, double rate) {
  std::vector<PlannedRequest> plan;
  const LengthOptions lengths{.input_tokens = 200, .output_tokens = 120, .vary = 0.5};
  const double seconds = command.conversations / rate;
  const auto starts = PlanPoisson(rate, seconds, lengths, command.seed);
  uint64_t name = 1;
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto turns = PlanLengths(command.turns, lengths, command.seed * 7919 + i);
    double at = starts[i].at_seconds;
    std::vector<uint64_t> blocks = {0, 0};  // the instructions, which all share
    int tokens = 2 * 64;
    for (const PlannedRequest& turn : turns) {
      tokens += turn.input_tokens;
      while (static_cast<int>(blocks.size()) < tokens / 64) blocks.push_back(++name);
      plan.push_back({.at_seconds = at,
                      .input_tokens = tokens,
                      .output_tokens = turn.output_tokens,
                      .prefix_blocks = blocks});
      tokens += turn.output_tokens;
      at += 20 + turn.input_tokens / 20.0;  // the shopper reads, thinks and writes
    }
  }
  std::sort(plan.begin(), plan.end(), [](const PlannedRequest& a, const PlannedRequest& b) {
    return a.at_seconds < b.at_seconds;
  });
  return plan;
}

std::vector<Row> CompareAffinity(const BenchGatewayCommand& command) {
  const std::vector<double> factors(4, 1.0);
  const auto plan = PlanConversations(command, 1.5);
  std::vector<Row> rows;
  for (const Way& way : {Way{"least outstanding", {.affinity = false}},
                         Way{"prefix affinity", {.affinity = true}}}) {
    FleetOptions options = FleetOf(factors, way.pick, command);
    options.block_tokens = 64;
    for (ReplicaSpeed& speed : options.speeds) speed.cached_blocks = 20000;
    rows.push_back(RowOf(way.name, 1, SimulateFleet(plan, options)));
  }
  return rows;
}

void PrintRows(const char* title, const std::vector<Row>& rows) {
  std::printf("%s\n  %-20s%9s%12s%12s%10s%10s%16s%11s\n", title, "", "speed", "requests/s",
              "tokens/s", "ttft p50", "ttft p99", "prefill tokens", "imbalance");
  for (const Row& row : rows) {
    std::printf("  %-20s%9.2f%12.2f%12.0f%10.3f%10.3f%16llu%11.2f\n", row.name.c_str(), row.speed,
                row.requests_per_second, row.tokens_per_second, row.ttft_p50, row.ttft_p99,
                static_cast<unsigned long long>(row.computed), row.imbalance);
  }
}

void WriteRows(const char* name, const std::vector<Row>& rows, catalog::JsonWriter& writer) {
  writer.Key(name).BeginArray();
  for (const Row& row : rows) {
    writer.BeginObject().Member("way", row.name).Member("speed", row.speed);
    writer.Member("requests_per_second", row.requests_per_second)
        .Member("tokens_per_second", row.tokens_per_second)
        .Member("ttft_p50", row.ttft_p50)
        .Member("ttft_p99", row.ttft_p99)
        .Member("prefill_tokens", static_cast<int64_t>(row.computed))
        .Member("imbalance", row.imbalance)
        .EndObject();
  }
  writer.EndArray();
}

/// Returns the first seed that broke a promise, with what it broke; empty: none did.
std::string CheckSeeds(const BenchGatewayCommand& command) {
  for (int i = 0; i < command.seeds; ++i) {
    const uint64_t seed = command.seed + static_cast<uint64_t>(i);
    const FleetReport report = SimulateSeed(seed);
    if (!report.violation.empty()) return fmt::format("seed {}: {}", seed, report.violation);
  }
  return {};
}

absl::StatusOr<std::vector<double>> ParseFactors(const std::vector<std::string>& texts) {
  std::vector<double> factors;
  for (const std::string& text : texts) {
    char* end = nullptr;
    const double factor = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !(factor >= 0.01 && factor <= 1000)) {
      return absl::InvalidArgumentError("--replicas: expected speeds from 0.01 to 1000, found \"" +
                                        text + "\"");
    }
    factors.push_back(factor);
  }
  return factors;
}

int RunBenchGateway(const BenchGatewayCommand& command) {
  const auto factors = ParseFactors(command.factors);
  if (!factors.ok()) return Fail(factors.status());
  const auto format =
      command.trace.format == "azure" ? TraceFormat::kAzure : TraceFormat::kMooncake;
  if (command.trace.file.empty()) {
    return Fail(absl::InvalidArgumentError("bench gateway: --trace is required"));
  }
  const auto trace = ReadTrace(command.trace.file, format);
  if (!trace.ok()) return Fail(trace.status());
  const auto plan = PlanReplay(*trace, {.length_scale = command.trace.length_scale,
                                        .most_input = command.trace.most_input,
                                        .most_output = command.trace.most_output});
  std::vector<Row> mixed, equal;
  for (const Way& way : kWays) mixed.push_back(HighestSpeed(way, plan, *factors, command));
  const double mean =
      std::accumulate(factors->begin(), factors->end(), 0.0) / static_cast<double>(factors->size());
  const std::vector<double> same(factors->size(), mean);
  for (const Way& way : kWays) equal.push_back(HighestSpeed(way, plan, same, command));
  const std::vector<Row> affinity = CompareAffinity(command);
  const std::string broken = CheckSeeds(command);
  if (command.json) {
    catalog::JsonWriter writer;
    writer.BeginObject();
    WriteRows("mixed", mixed, writer);
    WriteRows("equal", equal, writer);
    WriteRows("conversations", affinity, writer);
    writer.Member("seeds", command.seeds).Member("broken", broken).EndObject();
    std::printf("%s\n", writer.Take().c_str());
  } else {
    std::printf(
        "%zu requests of %s; the highest speed of the trace with a first token of at most "
        "%g s at p99\n",
        plan.size(), command.trace.file.c_str(), command.ttft_limit);
    PrintRows("replicas of different speeds", mixed);
    PrintRows("as many replicas of their mean speed", equal);
    PrintRows("conversations over 4 replicas of one speed", affinity);
    if (command.seeds > 0) {
      std::printf("%d seeds of faults: %s\n", command.seeds,
                  broken.empty() ? "no promise broken" : broken.c_str());
    }
  }
  return broken.empty() ? 0 : 1;
}

}  // namespace

void AddBenchGatewayCommand(Command bench) {
  const auto options = std::make_shared<BenchGatewayCommand>();
  const Command command =
      bench.AddCommand("gateway", "ways of balancing replicas next to each other, in a simulation");
  AddTraceFlags(command, options->trace);
  command.Add("--replicas", options->factors, "speed of each replica: 1,1,2,4").Delimiter(',');
  command.Add("--cached-blocks", options->cached_blocks, "of the prefix cache of each replica")
      .Range(0, 1 << 24);
  command.Add("--ttft-limit", options->ttft_limit, "seconds to the first token, at p99")
      .Range(0.01, 1000.0);
  command.Add("--conversations", options->conversations, "of the comparison of prefix affinity")
      .Range(1, 100000);
  command.Add("--turns", options->turns, "of each of them").Range(1, 100);
  command.Add("--seed", options->seed,
              "of the conversations, of choices, and of the first run of faults");
  command.Add("--seeds", options->seeds, "runs of drawn faults in which the promises are checked")
      .Range(0, 1 << 24);
  command.AddSwitch("--json", options->json, "print JSON in place of the tables");
  command.OnRun([options] { return RunBenchGateway(*options); });
}

}  // namespace emptor::services
