// emptor bench engine.
#include "services/cli/bench_engine.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "services/bench/trace_reader.h"
#include "services/cli/bench_engine_report.h"
#include "services/cli/bench_load_report.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

/// Prints the text; writes the page where one is wanted. Gives the exit code.
int Deliver(const std::string& text, const std::string& page, const std::string& path) {
  std::fputs(text.c_str(), stdout);
  if (path.empty()) return 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << page;
  file.close();
  return file ? 0 : Fail(absl::UnavailableError(path + ": cannot be written"));
}

/// The lengths that the command asks for: a trace's, or made-up ones.
absl::StatusOr<std::vector<PlannedRequest>> PlanRequests(const BenchEngineCommand& command) {
  if (command.trace.file.empty()) {
    return PlanConversation(command.requests, {command.input, command.output, 0}, 1);
  }
  const auto format =
      command.trace.format == "azure" ? TraceFormat::kAzure : TraceFormat::kMooncake;
  auto trace = ReadTrace(command.trace.file, format);
  if (!trace.ok()) return trace.status();
  if (trace->size() > static_cast<size_t>(command.requests)) {
    trace->resize(static_cast<size_t>(command.requests));
  }
  return PlanReplay(*trace, {.speed = 1,
                             .seconds = 0,
                             .length_scale = command.trace.length_scale,
                             .most_input = command.trace.most_input,
                             .most_output = command.trace.most_output});
}

/// The same as the engine's meters take them; their times are not used.
absl::StatusOr<std::vector<engine::BatchingRequest>> Requests(const BenchEngineCommand& command) {
  const auto plan = PlanRequests(command);
  if (!plan.ok()) return plan.status();
  std::vector<engine::BatchingRequest> requests;
  for (const PlannedRequest& request : *plan) {
    requests.push_back({0, request.input_tokens, request.output_tokens});
  }
  return requests;
}

template <typename Report>
int DeliverLoad(const absl::StatusOr<Report>& report, const BenchEngineCommand& command) {
  if (!report.ok()) return Fail(report.status());
  const LoadText text = Describe(*report);
  return Deliver(command.json ? text.json + "\n" : text.table, text.html, command.report);
}

int RunBatching(const std::string& model, const BenchEngineCommand& command) {
  auto requests = Requests(command);
  if (!requests.ok()) return Fail(requests.status());
  engine::BatchingOptions options{.threads = command.threads,
                                  .batch = command.together,
                                  .block_tokens = command.kv_block,
                                  .static_batches = command.static_together,
                                  .tpot_limit = command.tpot_limit_ms / 1e3,
                                  .rounds = command.rounds,
                                  .requests = *std::move(requests)};
  if (command.load > 0) options.load = command.load;
  return DeliverLoad(engine::MeasureBatching(model, options), command);
}

int RunConcurrency(const std::string& model, const BenchEngineCommand& command) {
  auto requests = Requests(command);
  if (!requests.ok()) return Fail(requests.status());
  engine::ConcurrencyOptions options{.threads = command.threads,
                                     .few = command.users.at(0),
                                     .many = command.users.at(1),
                                     .rounds = command.rounds,
                                     .block_tokens = command.kv_block,
                                     .requests = *std::move(requests)};
  if (command.load > 0) options.load = command.load;
  return DeliverLoad(engine::MeasureConcurrency(model, options), command);
}

int RunPrefix(const std::string& model, const BenchEngineCommand& command) {
  return DeliverLoad(engine::MeasurePrefix(model, {.threads = command.threads,
                                                   .tokens = command.prefix,
                                                   .rounds = command.rounds,
                                                   .block_tokens = command.kv_block}),
                     command);
}

int RunNeighbour(const std::string& model, const BenchEngineCommand& command) {
  engine::NeighbourOptions options{
      .threads = command.threads, .tokens = command.tokens, .rounds = command.rounds};
  if (!command.depths.empty()) options.prompt = command.depths.front();
  return DeliverLoad(engine::MeasureNeighbour(model, options), command);
}

int RunSpeculation(const std::string& model, const BenchEngineCommand& command) {
  engine::SpeculationMeterOptions options{.threads = command.threads,
                                          .processor_time = command.processor_time,
                                          .rounds = command.rounds,
                                          .sequences = command.batches.front(),
                                          .draft_tokens = command.draft_tokens,
                                          .text = command.text,
                                          .questions = command.questions};
  return DeliverLoad(engine::MeasureSpeculation(model, options), command);
}

int RunBenchEngine(const Config& config, const BenchEngineCommand& command) {
  const std::string& model = command.model.empty() ? config.model : command.model;
  if (command.batching) return RunBatching(model, command);
  if (command.concurrency) return RunConcurrency(model, command);
  if (command.prefix > 0) return RunPrefix(model, command);
  if (command.neighbour) return RunNeighbour(model, command);
  if (command.speculation) return RunSpeculation(model, command);
  engine::SpeedOptions options{.threads = command.threads,
                               .ranks = command.ranks,
                               .prompts = command.prompts,
                               .prompt_batches = command.prompt_batches,
                               .batches = command.batches,
                               .depths = command.depths,
                               .tokens = command.tokens,
                               .rounds = command.rounds,
                               .min_seconds = command.min_seconds,
                               .read_buffer_bytes = static_cast<uint64_t>(command.read_buffer_mib)
                                                    << 20,
                               .processor_time = command.processor_time};
  if (!command.isa.empty()) {
    const auto isa = engine::FindIsa(command.isa);
    if (!isa) return Fail(absl::InvalidArgumentError("--isa: unknown: " + command.isa));
    options.isa = *isa;
  }
  const auto report = engine::MeasureSpeed(model, options);
  if (!report.ok()) return Fail(report.status());
  std::string text;
  if (command.json) {
    for (size_t i = 0; i < report->rounds.size(); ++i) text += SpeedJson(*report, i) + "\n";
  } else {
    text = SpeedTable(*report);
  }
  return Deliver(text, SpeedHtml(*report), command.report);
}

}  // namespace

void AddBenchEngineCommand(Command bench, SettingFlags& settings) {
  const auto options = std::make_shared<BenchEngineCommand>();
  const Command command = bench.AddCommand(
      "engine", "tokens per second of a model, compared with the limits of memory and cores");
  AddBenchEngineFlags(command, *options);
  settings.OnRun(command,
                 [options](const Config& config) { return RunBenchEngine(config, *options); });
}

}  // namespace emptor::services
