// Every round: each way of batching, with few users and with many; the next in opposite order.
#include "engine/speed/concurrency_meter.h"

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxUsers = 1024;

absl::Status CheckOptions(const ConcurrencyOptions& options) {
  const auto refuse = [](const char* field, double found) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: concurrency: {}: out of range: {}", field, found));
  };
  for (const int users : {options.few, options.many}) {
    if (users < 1 || users > kMaxUsers) return refuse("users", users);
  }
  if (!(options.load > 0 && options.load <= 10)) return refuse("load", options.load);
  if (options.rounds < 1 || options.rounds > 1000) return refuse("rounds", options.rounds);
  if (options.block_tokens < 1) return refuse("block", options.block_tokens);
  return CheckRequests(options.requests);
}

LoadPlan PlanOf(Batching batching, int users, uint64_t seed) {
  return {.batching = batching, .batch = users, .users = users, .seed = seed};
}

absl::Status RunRound(Engine& engine, const ConcurrencyOptions& options, uint64_t round,
                      ConcurrencyReport& report) {
  // Every round has arrivals of its own; within it they are the same for all.
  const auto requests = AtRate(options.requests, report.rate, options.seed + round);
  std::vector<std::pair<ConcurrencySide*, bool>> passes;
  for (ConcurrencySide& side : report.sides) {
    passes.emplace_back(&side, false);
    passes.emplace_back(&side, true);
  }
  if (round % 2 == 1) std::reverse(passes.begin(), passes.end());
  uint64_t seed = options.seed + 100 * (round + 1);
  for (const auto& [side, is_many] : passes) {
    const int users = is_many ? options.many : options.few;
    auto outcome = DriveLoad(engine, requests, PlanOf(side->batching, users, ++seed));
    if (!outcome.ok()) return outcome.status();
    (is_many ? side->many : side->few).push_back(*outcome);
  }
  return absl::OkStatus();
}

}  // namespace

Summary ConcurrencySide::Growth() const {
  std::vector<double> values;
  for (size_t i = 0; i < std::min(few.size(), many.size()); ++i) {
    if (few[i].ttft.p99 > 0) values.push_back(many[i].ttft.p99 / few[i].ttft.p99);
  }
  return Summarize(std::move(values));
}

absl::StatusOr<ConcurrencyReport> MeasureConcurrency(const std::string& path,
                                                     const ConcurrencyOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  const int most = std::max(options.few, options.many);
  auto engine = LoadFor(path, options.requests,
                        OptionsFor(options.requests, most, options.block_tokens, options.threads));
  if (!engine.ok()) return engine.status();
  ConcurrencyReport report{.model = path,
                           .requests = options.requests.size(),
                           .few = options.few,
                           .many = options.many,
                           .sides = {{.batching = Batching::kContinuous},
                                     {.batching = Batching::kStatic},
                                     {.batching = Batching::kStaticFull}}};
  const auto full = DriveLoad(**engine, AtRate(options.requests, 0, 0),
                              PlanOf(Batching::kContinuous, options.few, options.seed));
  if (!full.ok()) return full.status();
  report.rate = options.load * static_cast<double>(report.requests) / full->seconds;
  for (int round = 0; round < options.rounds; ++round) {
    const absl::Status status = RunRound(**engine, options, static_cast<uint64_t>(round), report);
    if (!status.ok()) return status;
  }
  return report;
}

}  // namespace emptor::engine
