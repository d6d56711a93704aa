// emptor bench serve.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/energy_meter.h"
#include "services/bench/load_client.h"
#include "services/bench/serve_report.h"
#include "services/bench/trace_reader.h"
#include "services/cli/commands.h"
#include "services/cli/trace_flags.h"
#include "services/client/http_client.h"

namespace emptor::services {
namespace {

struct BenchServeCommand {
  std::string url;
  std::string endpoint = "completions";
  std::string model;  // empty: the first that the server names
  std::string api_key;
  std::string ignore_eos = "auto";
  std::string timeout = "10m";
  double rate = 0;  // one of rate, users and trace
  int users = 0;
  TraceFlags trace;
  double speed = 1;
  std::string duration;  // empty: 30 s, or the whole trace
  int requests = 0;
  int input = 128, output = 64;
  double vary = 0;
  int shared_prefix = 0;
  uint64_t seed = 1;
  std::string slo;
  double price_per_hour = 0, output_weight = 4;
  bool json = false;
  std::string report;
};

constexpr double kDefaultSeconds = 30;
constexpr int kProbeWords[] = {4, 40};

/// A parsed load: the requests, and how they are sent.
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

/// One short request with a prompt of this many words.
absl::StatusOr<LoadRecord> Probe(const LoadTarget& target, int words) {
  LoadText text;
  text.scale = {.per_request = 0, .per_word = 1};
  text.seed = static_cast<uint64_t>(words);
  const std::vector<PlannedRequest> plan = {{.input_tokens = words, .output_tokens = 2}};
  auto records = RunOpenLoad(target, text, plan);
  if (!records.ok()) return records.status();
  return records->front();
}

/// Measures how the server counts tokens of words, and whether it accepts ignore_eos.
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

/// Loads the server and measures the energy of the processor.
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

void AddLoadFlags(Command command, BenchServeCommand& options) {
  command.Add("--rate", options.rate, "open loop: requests a second, as a Poisson stream")
      .Range(1e-6, 1e6);
  command
      .Add("--users", options.users,
           "closed loop: users that each wait for their answer before they ask again")
      .Range(1, 100000);
  AddTraceFlags(command, options.trace);
  command.Add("--speed", options.speed, "2: the trace's gaps are half as long").Range(1e-6, 1e6);
  command.Add("--duration", options.duration, "30s, 15m: how long requests are sent");
  command.Add("--requests", options.requests, "closed loop: stop after this many requests")
      .Range(1, 100000000);
  command.Add("--input", options.input, "approximate tokens of a prompt").Range(1, 1 << 20);
  command.Add("--output", options.output, "tokens of an answer").Range(1, 1 << 20);
  command.Add("--vary", options.vary, "0.5: lengths vary uniformly by 50 % around these")
      .Range(0.0, 0.99);
  command
      .Add("--shared-prefix", options.shared_prefix,
           "tokens at the beginning that all prompts share")
      .Range(0, 1 << 20);
  command.Add("--seed", options.seed, "of arrivals, lengths and words");
}

}  // namespace

void AddBenchServeCommand(Command bench) {
  const auto options = std::make_shared<BenchServeCommand>();
  const Command command = bench.AddCommand(
      "serve", "load on a server with the OpenAI API: latencies, rates, failures, cost");
  command.Add("--url", options->url, "http://127.0.0.1:8000").Required();
  command.Add("--endpoint", options->endpoint, "completions or chat")
      .OneOf({"completions", "chat"});
  command.Add("--model", options->model, "model name on the server (the first of /v1/models)");
  command.Add("--api-key", options->api_key, "bearer token (OPENAI_API_KEY)")
      .Environment("OPENAI_API_KEY");
  command
      .Add("--ignore-eos", options->ignore_eos,
           "answers of the full length: on, off, or auto: if the server accepts it")
      .OneOf({"auto", "on", "off"});
  command.Add("--timeout", options->timeout, "timeout of one request");
  AddLoadFlags(command, *options);
  command.Add("--slo", options->slo, "ttft=300ms,tpot=50ms,e2e=10s: what counts as good");
  command.Add("--price-per-hour", options->price_per_hour, "of the machine, for the cost")
      .Range(0.0, 1e9);
  command
      .Add("--output-weight", options->output_weight, "what an output token costs, in input tokens")
      .Range(1e-6, 1e6);
  AddOutputFlags(command, options->json, options->report);
  command.OnRun([options] { return RunBenchServe(*options); });
}

}  // namespace emptor::services
