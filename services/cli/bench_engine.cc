// emptor bench engine.
#include <cstdio>
#include <string>

#include "catalog/json.h"
#include "engine/speed/speed_meter.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

using engine::kSpeedBatches;
using engine::SpeedReport;
using engine::SpeedRound;

std::string JsonLine(const SpeedReport& report, size_t index) {
  const SpeedRound& round = report.rounds[index];
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "engine")
      .Member("model", report.model)
      .Member("isa", std::string(engine::IsaName(report.isa)))
      .Member("threads", report.threads)
      .Member("round", static_cast<int64_t>(index))
      .Member("weight_bytes", static_cast<int64_t>(report.weight_bytes))
      .Member("cache_bytes", static_cast<int64_t>(report.cache_bytes))
      .Member("read_bytes_per_second", round.read_bytes);
  writer.Key("decode_tokens_per_second").BeginObject();
  for (size_t i = 0; i < kSpeedBatches.size(); ++i) {
    writer.Member(std::to_string(kSpeedBatches[i]), round.decode[i]);
  }
  writer.EndObject();
  writer.Member("prefill_tokens_per_second", round.prefill)
      .Member("read_bandwidth_share", report.BandwidthShare(round))
      .EndObject();
  return writer.Take();
}

void PrintTable(const SpeedReport& report) {
  std::printf("%s: %.0f MB of weights, %s, %d thread%s, medians of %zu rounds\n",
              report.model.c_str(), static_cast<double>(report.weight_bytes) / 1e6,
              std::string(engine::IsaName(report.isa)).c_str(), report.threads,
              report.threads == 1 ? "" : "s", report.rounds.size());
  if (report.weight_bytes < 8 * report.cache_bytes) {
    std::printf(
        "the weights are less than 8 times the third-level cache (%.0f MB): the share of\n"
        "the memory's read bandwidth tells nothing\n",
        static_cast<double>(report.cache_bytes) / 1e6);
  }
  std::printf("  memory read       %10.1f GB/s\n",
              report.Median([](const SpeedRound& r) { return r.read_bytes; }) / 1e9);
  std::printf("  decode, 1 sequence%10.1f tokens/s  %.0f %% of the read bandwidth\n",
              report.Median([](const SpeedRound& r) { return r.decode[0]; }),
              100 * report.Median([&](const SpeedRound& r) { return report.BandwidthShare(r); }));
  for (size_t i = 1; i < kSpeedBatches.size(); ++i) {
    std::printf("  decode, %2d        %10.1f tokens/s  %.2f x one\n", kSpeedBatches[i],
                report.Median([i](const SpeedRound& r) { return r.decode[i]; }),
                report.Median([i](const SpeedRound& r) { return r.decode[i] / r.decode[0]; }));
  }
  std::printf("  prefill           %10.1f tokens/s\n",
              report.Median([](const SpeedRound& r) { return r.prefill; }));
}

}  // namespace

int RunBenchEngine(const Config& config, const BenchEngineCommand& command) {
  engine::SpeedOptions options{.threads = command.threads,
                               .ranks = command.ranks,
                               .prompt = command.prompt,
                               .tokens = command.tokens,
                               .rounds = command.rounds,
                               .processor_time = command.processor_time};
  if (!command.isa.empty()) {
    const auto isa = engine::FindIsa(command.isa);
    if (!isa) return Fail(absl::InvalidArgumentError("--isa: unknown: " + command.isa));
    options.isa = *isa;
  }
  const std::string& model = command.model.empty() ? config.model : command.model;
  const auto report = engine::MeasureSpeed(model, options);
  if (!report.ok()) return Fail(report.status());
  if (!command.json) {
    PrintTable(*report);
    return 0;
  }
  for (size_t i = 0; i < report->rounds.size(); ++i) {
    std::printf("%s\n", JsonLine(*report, i).c_str());
  }
  return 0;
}

}  // namespace emptor::services
