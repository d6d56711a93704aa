// Two engines, since continuous batching keeps to its batch by the engine's own bound.
#include "engine/speed/batching_meter.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/engine.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxTogether = 1024;
constexpr double kTolerance = 1.1;  // of the limit, which is itself measured

absl::Status CheckOptions(const BatchingOptions& options) {
  const auto refuse = [](const char* field, double found) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: batching: {}: out of range: {}", field, found));
  };
  if (options.batch < 1 || options.batch > kMaxTogether) return refuse("batch", options.batch);
  if (options.rounds < 1 || options.rounds > 1000) return refuse("rounds", options.rounds);
  if (options.block_tokens < 1) return refuse("block", options.block_tokens);
  if (!(options.load > 0 && options.load <= 10)) return refuse("load", options.load);
  if (!(options.tpot_limit >= 0)) return refuse("tpot limit", options.tpot_limit);
  for (const int batch : options.static_batches) {
    if (batch < 1 || batch > kMaxTogether) return refuse("static batch", batch);
  }
  return CheckRequests(options.requests);
}

std::vector<int> StaticBatches(const BatchingOptions& options) {
  if (!options.static_batches.empty()) return options.static_batches;
  const int most = std::max(options.batch, static_cast<int>(options.requests.size()));
  std::vector<int> batches;
  for (const int batch : {options.batch / 2, options.batch, 2 * options.batch, 4 * options.batch}) {
    batches.push_back(std::clamp(batch, 1, std::min(most, kMaxTogether)));
  }
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
  return batches;
}

/// Both engines and their requests.
class Race {
 public:
  Race(const BatchingOptions& options, Engine& continuous, Engine& fixed)
      : options_(options), continuous_(continuous), fixed_(fixed) {}

  absl::Status Run(const std::vector<int>& static_batches, BatchingReport& report) {
    report.continuous.batch = options_.batch;
    absl::Status status = ChooseBatch(static_batches, report);
    for (int round = 0; round < options_.rounds && status.ok(); ++round) {
      status = RunRound(round % 2 == 1, report);
    }
    if (!status.ok()) return status;
    report.kv_fragmentation = continuous_.stats().KvFragmentation();
    const double seconds = report.fixed.MedianRound().seconds;
    report.rate = options_.load * static_cast<double>(options_.requests.size()) / seconds;
    const auto stream = AtRate(options_.requests, report.rate, options_.seed);
    for (BatchingSide* side : {&report.continuous, &report.fixed}) {
      auto outcome = RunOnce(*side, side == &report.fixed, stream);
      if (!outcome.ok()) return outcome.status();
      side->stream = *outcome;
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<BatchingOutcome> RunOnce(const BatchingSide& side, bool is_static,
                                          const std::vector<BatchingRequest>& requests) {
    const LoadPlan plan{.batching = is_static ? Batching::kStatic : Batching::kContinuous,
                        .batch = side.batch,
                        .seed = options_.seed + ++passes_};
    return DriveLoad(is_static ? fixed_ : continuous_, requests, plan);
  }

  absl::Status RunRound(bool static_first, BatchingReport& report) {
    for (const bool is_static : {static_first, !static_first}) {
      BatchingSide& side = is_static ? report.fixed : report.continuous;
      auto outcome = RunOnce(side, is_static, AtRate(options_.requests, 0, 0));
      if (!outcome.ok()) return outcome.status();
      side.rounds.push_back(*outcome);
    }
    return absl::OkStatus();
  }

  absl::Status ChooseBatch(const std::vector<int>& batches, BatchingReport& report) {
    const auto requests = AtRate(options_.requests, 0, 0);
    report.tpot_limit = options_.tpot_limit;
    if (report.tpot_limit == 0) {
      auto outcome = RunOnce(report.continuous, false, requests);
      if (!outcome.ok()) return outcome.status();
      report.tpot_limit = outcome->tpot.p99;
    }
    for (const int batch : batches) {
      BatchingSide side{.batch = batch};
      auto outcome = RunOnce(side, true, requests);
      if (!outcome.ok()) return outcome.status();
      side.rounds.push_back(*outcome);
      report.search.push_back(std::move(side));
    }
    const auto keeps = [&](const BatchingSide& side) {
      return side.rounds[0].tpot.p99 <= kTolerance * report.tpot_limit;
    };
    const auto worse = [&](const BatchingSide& a, const BatchingSide& b) {
      if (keeps(a) != keeps(b)) return keeps(b);
      if (!keeps(a)) return a.rounds[0].tpot.p99 > b.rounds[0].tpot.p99;
      return a.rounds[0].TokensPerSecond() < b.rounds[0].TokensPerSecond();
    };
    const auto best = std::max_element(report.search.begin(), report.search.end(), worse);
    report.fixed.batch = best->batch;
    report.limit_kept = keeps(*best);
    return absl::OkStatus();
  }

  const BatchingOptions& options_;
  Engine& continuous_;
  Engine& fixed_;
  uint64_t passes_ = 0;
};

}  // namespace

const BatchingOutcome& BatchingSide::MedianRound() const {
  std::vector<size_t> order(rounds.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return rounds[a].TokensPerSecond() < rounds[b].TokensPerSecond();
  });
  return rounds[order[(order.size() - 1) / 2]];
}

Summary BatchingSide::TokensPerSecond() const {
  std::vector<double> values;
  for (const BatchingOutcome& round : rounds) values.push_back(round.TokensPerSecond());
  return Summarize(std::move(values));
}

Summary BatchingReport::Speedup() const {
  std::vector<double> values;
  for (size_t i = 0; i < std::min(continuous.rounds.size(), fixed.rounds.size()); ++i) {
    values.push_back(continuous.rounds[i].TokensPerSecond() / fixed.rounds[i].TokensPerSecond());
  }
  return Summarize(std::move(values));
}

absl::StatusOr<BatchingReport> MeasureBatching(const std::string& path,
                                               const BatchingOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  const std::vector<int> batches = StaticBatches(options);
  const int most = *std::max_element(batches.begin(), batches.end());
  auto continuous =
      LoadFor(path, options.requests,
              OptionsFor(options.requests, options.batch, options.block_tokens, options.threads));
  if (!continuous.ok()) return continuous.status();
  auto fixed = LoadFor(path, options.requests,
                       OptionsFor(options.requests, most, options.block_tokens, options.threads));
  if (!fixed.ok()) return fixed.status();
  BatchingReport report;
  report.model = path;
  report.requests = options.requests.size();
  const absl::Status status = Race(options, **continuous, **fixed).Run(batches, report);
  if (!status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
