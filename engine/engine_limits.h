// What the engine's options mean for a model and for the scheduler.
#pragma once

#include "engine/engine.h"
#include "engine/kv/kv_cache.h"
#include "engine/model/model_config.h"
#include "engine/scheduler/policy.h"

namespace emptor::engine {

/// The element type of keys and values of 8 or 16 bits.
KvType KvTypeOf(int kv_bits);

/// How many blocks the options ask for; more than kv_bytes can hold when they say so.
int BlockCount(const EngineOptions& options, const ModelConfig& config);

SchedulerLimits LimitsOf(const EngineOptions& options);

}  // namespace emptor::engine
