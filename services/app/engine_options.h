// The engine's options as the settings give them.
#pragma once

#include "engine/engine.h"
#include "services/app/config.h"

namespace emptor::services {

inline engine::EngineOptions EngineOptionsOf(const Config& config) {
  engine::EngineOptions options;
  options.threads = config.engine_threads;
  options.max_running = config.engine_max_running;
  options.max_waiting = config.engine_max_waiting;
  options.kv_bytes = static_cast<size_t>(config.kv_megabytes) << 20;
  return options;
}

}  // namespace emptor::services
