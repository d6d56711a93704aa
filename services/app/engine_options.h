// The engine's options as the settings give them.
#pragma once

#include "engine/engine.h"
#include "services/app/config.h"

namespace emptor::services {

/// REQUIRES: one of the choices of the setting.
inline engine::Speculation SpeculationOf(const Config& config) {
  return config.speculation == "prompt_lookup" ? engine::Speculation::kPromptLookup
                                               : engine::Speculation::kNone;
}

inline engine::EngineOptions EngineOptionsOf(const Config& config) {
  engine::EngineOptions options;
  options.threads = config.engine_threads;
  options.max_running = config.engine_max_running;
  options.ranks = config.engine_ranks;
  options.pin_ranks = config.engine_ranks > 1;
  options.max_waiting = config.engine_max_waiting;
  options.max_waiting_tokens = config.engine_max_waiting_tokens;
  options.kv_bits = config.kv_bits;
  options.speculation = SpeculationOf(config);
  options.speculation_tokens = config.speculation_tokens;
  options.prefix_cache = config.engine_prefix_cache != 0;
  options.kv_bytes = static_cast<size_t>(config.kv_megabytes) << 20;
  return options;
}

}  // namespace emptor::services
