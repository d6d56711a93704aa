// emptor bench serve.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/energy_meter.h"
#include "services/bench/load_client.h"
#include "services/bench/serve_report.h"
#include "services/bench/trace_reader.h"
#include "services/cli/commands.h"
#include "services/client/http_client.h"

namespace emptor::services {
namespace {

constexpr double kDefaultSeconds = 30;
constexpr int kProbeWords[] = {4, 40};

/// A load that has been understood: what is sent, and how.
struct Load {
  std::vector<PlannedRequest> plan;
  bool closed = false;
  ClosedLoad users;
  double window_seconds = 0;
  std::string words;
};

absl::StatusOr<Load> PlanTrace(const BenchServeCommand& command, double seconds) {
  const auto format =
      command.trace.format == "azure" ? TraceFormat::kAzure : TraceFormat::kMooncake;
  const auto trace = ReadTrace(command.trace.file, format);
  if (!trace.ok()) return trace.status();
  Load load;
  load.plan = PlanReplay(*trace, {.speed = command.speed,
                                  .seconds = seconds,
                                  .length_scale = command.trace.length_scale,
                                  .most_input = command.trace.most_input,
                                  .most_output = command.trace.most_output});
  load.words =
      fmt::format("{} of {} requests of {} at {:g} x its speed, lengths x {:g}", load.plan.size(),
                  trace->size(), command.trace.file, command.speed, command.trace.length_scale);
  return load;
}

absl::StatusOr<Load> PlanLoad(const BenchServeCommand& command) {
  const int ways = (command.rate > 0 ? 1 : 0) + (command.users > 0 ? 1 : 0) +
                   (command.trace.file.empty() ? 0 : 1);
  if (ways != 1) {
    return absl::InvalidArgumentError(
        "bench serve: expected one of --rate, --users and --trace, found " + std::to_string(ways));
  }
  double seconds = 0;
  if (!command.duration.empty()) {
    const auto parsed = ParseSeconds(command.duration);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError("--duration: " + std::string(parsed.status().message()));
    }
    seconds = *parsed;
  }
  if (!command.trace.file.empty()) return PlanTrace(command, seconds);
  const LengthOptions lengths{command.input, command.output, command.vary};
  Load load;
  const bool endless = seconds <= 0 && (command.users == 0 || command.requests == 0);
  if (endless) seconds = kDefaultSeconds;
  const std::string shape = fmt::format("{} tokens in, {} out", command.input, command.output);
  if (command.users > 0) {
    constexpr int kDifferentLengths = 1024;
    load.closed = true;
    load.users = {command.users, seconds, command.requests};
    load.plan = PlanLengths(kDifferentLengths, lengths, command.seed);
    load.window_seconds = seconds;
    load.words = fmt::format("closed loop, {} users, {}", command.users, shape);
    if (seconds > 0) load.words += fmt::format(", {:g} s", seconds);
  } else {
    load.plan = PlanPoisson(command.rate, seconds, lengths, command.seed);
    load.words = fmt::format("open loop, {:g} requests/s (Poisson) for {:g} s, {}", command.rate,
                             seconds, shape);
  }
  return load;
}

absl::StatusOr<std::string> FirstModel(const std::string& url) {
  const auto reply = HttpGet({.url = url + "/v1/models"});
  if (!reply.ok()) return reply.status();
  const auto refuse = [&](const std::string& found) {
    return absl::InvalidArgumentError(fmt::format(
        "{}/v1/models: expected a list of models (or give --model), found {}", url, found));
  };
  if (reply->status != 200) return refuse("HTTP " + std::to_string(reply->status));
  const auto json = catalog::ParseJson(reply->body);
  if (!json.ok()) return refuse(std::string(json.status().message()));
  const catalog::JsonValue* data = json->Find("data");
  if (data == nullptr || !data->is_array() || data->as_array().empty()) return refuse("none");
  const catalog::JsonValue* id = data->as_array()[0].Find("id");
  if (id == nullptr || !id->is_string()) return refuse("one without an id");
  return id->as_string();
}

/// One short request with a prompt of so many words.
absl::StatusOr<LoadRecord> Probe(const LoadTarget& target, int words) {
  LoadText text;
  text.scale = {.per_request = 0, .per_word = 1};
  text.seed = static_cast<uint64_t>(words);
  const std::vector<PlannedRequest> plan = {{.input_tokens = words, .output_tokens = 2}};
  auto records = RunOpenLoad(target, text, plan);
  if (!records.ok()) return records.status();
  return records->front();
}

/// Finds out how the server counts words, and whether it takes ignore_eos.
absl::StatusOr<TokenScale> LearnScale(const BenchServeCommand& command, LoadTarget& target) {
  target.ignore_end = command.ignore_eos != "off";
  auto first = Probe(target, kProbeWords[0]);
  if (!first.ok()) return first.status();
  const bool refused = first->status == 400 || first->status == 422;
  if (refused && command.ignore_eos == "auto") {
    target.ignore_end = false;
    first = Probe(target, kProbeWords[0]);
    if (!first.ok()) return first.status();
  }
  if (!first->failure.empty() && first->failure != "empty answer") {
    return absl::UnavailableError(fmt::format("{}: a first short request failed: {}: {}",
                                              target.url, first->failure, first->detail));
  }
  const auto second = Probe(target, kProbeWords[1]);
  if (!second.ok()) return second.status();
  if (first->prompt_tokens < 0 || second->prompt_tokens < 0) return TokenScale{};
  return TokenScale::Fit(kProbeWords[0], first->prompt_tokens, kProbeWords[1],
                         second->prompt_tokens);
}

absl::StatusOr<LoadTarget> MakeTarget(const BenchServeCommand& command) {
  LoadTarget target;
  target.url = command.url;
  while (target.url.ends_with('/')) target.url.pop_back();
  if (target.url.ends_with("/v1")) target.url.resize(target.url.size() - 3);
  target.chat = command.endpoint == "chat";
  target.api_key = command.api_key;
  const auto timeout = ParseSeconds(command.timeout);
  if (!timeout.ok()) {
    return absl::InvalidArgumentError("--timeout: " + std::string(timeout.status().message()));
  }
  target.timeout_seconds = *timeout;
  target.model = command.model;
  if (!target.model.empty()) return target;
  auto model = FirstModel(target.url);
  if (!model.ok()) return model.status();
  target.model = *std::move(model);
  return target;
}

/// Loads the server, with the processor's energy around it.
absl::Status Measure(const LoadTarget& target, const LoadText& text, const Load& load,
                     ServeRun& run) {
  const auto energy = EnergyMeter::Open();
  auto records = load.closed ? RunClosedLoad(target, text, load.plan, load.users)
                             : RunOpenLoad(target, text, load.plan);
  if (!records.ok()) return records.status();
  run.records = *std::move(records);
  const auto joules = energy.ok() ? energy->Joules() : absl::StatusOr<double>(energy.status());
  if (joules.ok()) {
    run.joules = *joules;
  } else {
    run.no_joules = std::string(joules.status().message());
  }
  return absl::OkStatus();
}

absl::StatusOr<ServeRun> Run(const BenchServeCommand& command) {
  ServeRun run;
  const auto slo = ParseSlo(command.slo);
  if (!slo.ok()) return slo.status();
  auto load = PlanLoad(command);
  if (!load.ok()) return load.status();
  auto target = MakeTarget(command);
  if (!target.ok()) return target.status();
  LoadText text;
  const auto scale = LearnScale(command, *target);
  if (!scale.ok()) return scale.status();
  text.scale = *scale;
  text.shared_tokens = command.shared_prefix;
  text.block_tokens = std::max(1, static_cast<int>(512 * command.trace.length_scale));
  text.seed = command.seed;
  run.url = target->url;
  run.model = target->model;
  run.load = load->words + (target->chat ? ", chat" : "") +
             (target->ignore_end ? "" : ", answers may end early");
  run.window_seconds = load->window_seconds;
  run.slo = *slo;
  run.price_per_hour = command.price_per_hour;
  run.output_weight = command.output_weight;
  if (absl::Status status = Measure(*target, text, *load, run); !status.ok()) return status;
  return run;
}

}  // namespace

int RunBenchServe(const BenchServeCommand& command) {
  const auto run = Run(command);
  if (!run.ok()) return Fail(run.status());
  const ServeSummary summary = SummarizeServe(*run);
  const std::string text =
      command.json ? ServeJson(*run, summary) + "\n" : ServeTable(*run, summary);
  std::fputs(text.c_str(), stdout);
  if (!command.report.empty()) {
    std::ofstream file(command.report, std::ios::binary | std::ios::trunc);
    file << ServeHtml(*run, summary);
    file.close();
    if (!file) return Fail(absl::UnavailableError(command.report + ": cannot be written"));
  }
  return summary.completed > 0 || summary.requests == 0 ? 0 : 1;
}

}  // namespace emptor::services
