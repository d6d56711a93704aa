// Cold and warm alternate, so that both see the same minutes.
#include "engine/speed/prefix_meter.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <span>
#include <utility>

#include "engine/engine.h"
#include "engine/kv/block_pool.h"
#include "engine/kv/prefix_cache.h"
#include "engine/speed/single_request.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kLookUps = 100;  // of a round
constexpr const char* kSalt = "shop";

absl::Status CheckRange(const char* field, int found, int least, int most) {
  if (found >= least && found <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("bench engine: {}: expected {} to {}, found {}", field, least, most, found));
}

/// A prefix cache that holds one prompt.
class FilledCache {
 public:
  FilledCache(const std::vector<int32_t>& prompt, int block_tokens)
      : blocks_(static_cast<int>(prompt.size()) / block_tokens),
        pool_(std::max(1, blocks_)),
        cache_(pool_, block_tokens) {
    PrefixId chain = PrefixId::kEmpty;
    auto held = pool_.Allocate(blocks_);
    for (size_t i = 0; held.ok() && i < held->size(); ++i) {
      const auto size = static_cast<size_t>(block_tokens);
      const auto tokens = std::span(prompt).subspan(i * size, size);
      chain = cache_.Insert(chain, kSalt, tokens, (*held)[i].id()).prefix;
    }
  }

  /// Seconds of one look-up of this prompt; the median of many.
  double LookUpSeconds(const std::vector<int32_t>& prompt) const {
    std::vector<double> seconds;
    for (int i = 0; i < kLookUps; ++i) {
      std::vector<CachedBlock> match;
      const auto begin = std::chrono::steady_clock::now();
      cache_.MatchInto(kSalt, prompt, blocks_, match);
      const auto end = std::chrono::steady_clock::now();
      seconds.push_back(std::chrono::duration<double>(end - begin).count());
    }
    return MedianOf(std::move(seconds));
  }

 private:
  int blocks_;
  BlockPool pool_;
  PrefixCache cache_;
};

absl::Status RunRound(Engine& engine, const PrefixOptions& options, std::mt19937_64& random,
                      PrefixReport& report) {
  std::vector<int32_t> prompt = RandomPrompt(engine, options.tokens + 1, random);
  const auto cold = AskAndWait(engine, prompt, 1);
  if (!cold.ok()) return cold.status();
  prompt.back() = (prompt.back() + 1) % engine.model().vocabulary;
  const auto warm = AskAndWait(engine, prompt, 1);
  if (!warm.ok()) return warm.status();
  report.cold.push_back(cold->ttft_seconds);
  report.warm.push_back(warm->ttft_seconds);
  report.cached_tokens = warm->cached_tokens;
  report.look_up.push_back(FilledCache(prompt, options.block_tokens).LookUpSeconds(prompt));
  return absl::OkStatus();
}

}  // namespace

Summary PrefixReport::Share() const {
  std::vector<double> values;
  for (size_t i = 0; i < cold.size(); ++i) values.push_back(warm[i] / cold[i]);
  return Summarize(std::move(values));
}

absl::StatusOr<PrefixReport> MeasurePrefix(const std::string& path, const PrefixOptions& options) {
  for (const absl::Status& status : {CheckRange("prefix", options.tokens, 1, 1 << 20),
                                     CheckRange("rounds", options.rounds, 1, 10'000),
                                     CheckRange("kv-block", options.block_tokens, 1, 1024)}) {
    if (!status.ok()) return status;
  }
  EngineOptions engine_options;
  engine_options.threads = options.threads;
  engine_options.kv_block_tokens = options.block_tokens;
  engine_options.kv_blocks = 2 * (options.tokens / options.block_tokens + 2);
  auto engine = Engine::Load(path, engine_options);
  if (!engine.ok()) return engine.status();
  std::mt19937_64 random(options.seed);
  // The warm-up cost of the first request, such as first-touched memory, is not counted.
  const auto first = AskAndWait(**engine, RandomPrompt(**engine, options.tokens + 1, random), 1);
  if (!first.ok()) return first.status();
  PrefixReport report{.model = path, .tokens = options.tokens};
  for (int round = 0; round < options.rounds; ++round) {
    const absl::Status status = RunRound(**engine, options, random, report);
    if (!status.ok()) return status;
  }
  return report;
}

}  // namespace emptor::engine
