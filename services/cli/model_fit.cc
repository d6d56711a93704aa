// emptor model fit: memory and speed of a model on this machine, before it is loaded.
#include "engine/speed/model_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

using engine::FitReport;

struct FitCommand {
  std::string file;
  double memory_gigabytes = 0;  // 0: of this machine
  engine::FitOptions options;
};

std::string Size(uint64_t bytes) {
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  const double megabytes = static_cast<double>(bytes) / 1e6;
  return megabytes < 1000 ? fmt::format("{:.1f} MB", megabytes)
                          : fmt::format("{:.2f} GB", megabytes / 1000);
}

std::string Memory(const FitReport& report) {
  const std::string draft =
      report.draft.Total() > 0 ? fmt::format(" + {} draft model", Size(report.draft.Total())) : "";
  return fmt::format("{} = {} weights + {} keys and values + {} activations{}",
                     Size(report.Total()), Size(report.weights), Size(report.kv),
                     Size(report.activations), draft);
}

std::string DraftModel(const FitReport& report) {
  const engine::DraftFit& draft = report.draft;
  return fmt::format("{} weights + {} keys and values ({} a token) + {} activations",
                     Size(draft.weights), Size(draft.kv), Size(draft.kv_token),
                     Size(draft.activations));
}

std::string Verdict(const FitReport& report) {
  if (report.Fits()) {
    return fmt::format("yes: of {}, room for {} users of {} tokens", Size(report.memory),
                       report.MaxUsers(), report.context);
  }
  const std::string no = fmt::format("no: there are {}", Size(report.memory));
  if (report.MaxContext() >= report.prompt && report.Loading() <= report.memory) {
    return fmt::format("{}, enough for {} users of {} tokens, or {} of {}", no, report.MaxUsers(),
                       report.context, report.users, report.MaxContext());
  }
  return no +
         ", too little for the weights: take a smaller model or element type "
         "(emptor model quantize)";
}

/// One user, some, and all.
std::string Decode(const FitReport& report) {
  std::vector<int> sequences = {1, std::min(8, report.users), report.users};
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  std::string text;
  for (const int n : sequences) {
    const double rate = report.DecodeTokensPerSecond(n);
    text +=
        fmt::format("{}{:.0f} by {} user{}", text.empty() ? "" : ", ", rate, n, n == 1 ? "" : "s");
    if (n > 1) text += fmt::format(" ({:.1f} each)", rate / n);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> Lines(const FitReport& report) {
  const std::string arithmetic(engine::ArithmeticName(report.work.arithmetic));
  std::vector<std::pair<std::string, std::string>> lines = {
      {"model", fmt::format("{}, mostly {}", report.model, report.work.type)},
      {"fits", Verdict(report)},
      {"memory", Memory(report)},
      {"while loading", Size(report.Loading())},
      {"keys, values",
       fmt::format("{} a token, {} a user of {} tokens", Size(report.kv_token),
                   Size(report.kv / static_cast<uint64_t>(report.users)), report.context)},
      {"machine",
       fmt::format("at this moment reads {:.1f} GB/s, {:.0f} G {} operations/s, {} threads",
                   report.read_bytes / 1e9, report.operations / 1e9, arithmetic, report.threads)},
      {"prefill",
       fmt::format("at most {:.0f} tokens/s: first token after {:.2f} s at best, of a "
                   "prompt of {}",
                   report.PrefillTokensPerSecond(), report.FirstTokenSeconds(), report.prompt)},
      {"decode", "at most, in tokens/s: " + Decode(report)}};
  if (report.draft.Total() > 0)
    lines.insert(lines.begin() + 3, {"draft model", DraftModel(report)});
  if (report.MayFitCache()) {
    lines.emplace_back("note",
                       fmt::format("the weights are less than 8 times the third-level cache ({}): "
                                   "decoding may be faster than reads of memory allow",
                                   Size(report.cache_bytes)));
  }
  lines.emplace_back("next", "emptor bench engine measures what is reached of these bounds");
  return lines;
}

int Fit(const FitCommand& command) {
  engine::FitOptions options = command.options;
  options.memory_bytes = static_cast<uint64_t>(std::llround(command.memory_gigabytes * 1e9));
  const auto report = engine::FitModel(command.file, options);
  if (!report.ok()) return Fail(report.status());
  for (const auto& [name, value] : Lines(*report)) {
    std::printf("%-13s %s\n", name.c_str(), value.c_str());
  }
  return report->Fits() ? 0 : 1;
}

}  // namespace

void AddModelFitCommand(Command model) {
  const auto command = std::make_shared<FitCommand>();
  engine::FitOptions& options = command->options;
  const Command fit = model.AddCommand(
      "fit", "does a model fit into memory, and how fast can it be on this machine; exit 1: no");
  fit.Add("FILE", command->file, "GGUF, or a directory").Required();
  fit.Add("--memory", command->memory_gigabytes, "GB; default: that of this machine")
      .Range(0.001, 1e6);
  fit.Add("--context", options.context, "tokens of a sequence; default: as the model has it")
      .Range(1, 1 << 24);
  fit.Add("--users", options.users, "sequences at a time").Range(1, 4096).Default("1");
  fit.Add("--prompt", options.prompt, "tokens before the first answer's")
      .Range(1, 1 << 20)
      .Default("512");
  fit.Add("--kv-bits", options.kv_bits, "of a key's or value's element")
      .OneOfNumbers({8, 16})
      .Default("16");
  fit.Add("--draft-model", options.draft_model, "one that drafts for the model: is counted, too");
  fit.Add("--threads", options.threads, "0: one per core").Range(0, 1024).Default("0");
  fit.OnRun([command] { return Fit(*command); });
}

}  // namespace emptor::services
