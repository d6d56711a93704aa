// What `emptor bench engine` prints and draws of requests: batching, concurrency, prefixes, a
// neighbour, speculative decoding.
#pragma once

#include <string>

#include "engine/speed/batching_meter.h"
#include "engine/speed/concurrency_meter.h"
#include "engine/speed/neighbour_meter.h"
#include "engine/speed/prefix_meter.h"
#include "engine/speed/speculation_meter.h"

namespace emptor::services {

/// The same figures in three dresses.
struct LoadText {
  std::string table;  // for a terminal
  std::string json;   // one line
  std::string html;   // a page
};

LoadText Describe(const engine::BatchingReport& report);
LoadText Describe(const engine::ConcurrencyReport& report);
LoadText Describe(const engine::PrefixReport& report);
LoadText Describe(const engine::NeighbourReport& report);
LoadText Describe(const engine::SpeculationReport& report);

}  // namespace emptor::services
