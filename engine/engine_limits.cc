// Defaults that depend on other options.
#include "engine/engine_limits.h"

#include <algorithm>
#include <cstddef>

#include "engine/model/transformer.h"

namespace emptor::engine {
namespace {

// The measured speed may be too low: a request that would meet its deadline at twice the speed
// runs.
constexpr double kInfeasibleFactor = 2;

}  // namespace

KvType KvTypeOf(int kv_bits) { return kv_bits == 8 ? KvType::kInt8 : KvType::kF16; }

int BlockCount(const EngineOptions& options, const ModelConfig& config) {
  if (options.kv_blocks > 0) return options.kv_blocks;
  const size_t block =
      Transformer::KvBlockBytes(config, options.kv_block_tokens, KvTypeOf(options.kv_bits));
  return static_cast<int>(std::min<size_t>(options.kv_bytes / block, 1 << 24));
}

SchedulerLimits LimitsOf(const EngineOptions& options) {
  return {.block_tokens = options.kv_block_tokens,
          .max_running = options.max_running,
          .max_step_tokens = options.max_step_tokens,
          .mixed_prefill_tokens = options.mixed_prefill_tokens,
          .mixed_step_seconds = options.mixed_step_ms / 1000.0,
          .long_prefill_tokens = options.long_prefill_tokens > 0
                                     ? options.long_prefill_tokens
                                     : std::max(1, options.max_step_tokens / 2),
          .max_overtakes = options.max_overtakes,
          .reserve = options.reserve_kv,
          .infeasible_factor = options.refuse_infeasible ? kInfeasibleFactor : 0};
}

}  // namespace emptor::engine
