// emptor bench engine.
#include <cstdio>
#include <fstream>
#include <string>

#include "services/bench/trace_reader.h"
#include "services/cli/bench_engine_report.h"
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

int RunBatching(const std::string& model, const BenchEngineCommand& command) {
  const auto plan = PlanRequests(command);
  if (!plan.ok()) return Fail(plan.status());
  engine::BatchingOptions options;
  options.threads = command.threads;
  options.batch = command.together;
  for (const PlannedRequest& request : *plan) {
    options.requests.push_back({0, request.input_tokens, request.output_tokens});
  }
  const auto report = engine::MeasureBatching(model, options);
  if (!report.ok()) return Fail(report.status());
  return Deliver(command.json ? BatchingJson(*report) + "\n" : BatchingTable(*report),
                 BatchingHtml(*report), command.report);
}

}  // namespace

int RunBenchEngine(const Config& config, const BenchEngineCommand& command) {
  const std::string& model = command.model.empty() ? config.model : command.model;
  if (command.batching) return RunBatching(model, command);
  engine::SpeedOptions options{.threads = command.threads,
                               .ranks = command.ranks,
                               .prompts = command.prompts,
                               .prompt_batches = command.prompt_batches,
                               .batches = command.batches,
                               .depths = command.depths,
                               .tokens = command.tokens,
                               .rounds = command.rounds,
                               .min_seconds = command.min_seconds,
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

}  // namespace emptor::services
