// The engine's options as the settings give them.
#pragma once

#include "engine/engine.h"
#include "services/app/config.h"

namespace emptor::services {

inline engine::EngineOptions EngineOptionsOf(const Config& config) {
  engine::EngineOptions options;
  options.threads = config.engine_threads;
  options.max_running = config.engine_max_running;
  options.ranks = config.engine_ranks;
  options.pin_ranks = config.engine_ranks > 1;
  options.max_waiting = config.engine_max_waiting;
  options.max_waiting_tokens = config.engine_max_waiting_tokens;
  options.kv_bits = config.kv_bits;
  options.prefix_cache = config.engine_prefix_cache != 0;
  options.kv_bytes = static_cast<size_t>(config.kv_megabytes) << 20;
  return options;
}

}  // namespace emptor::services
