// What `emptor bench engine` prints and draws.
#pragma once

#include <string>

#include "engine/speed/speed_meter.h"

namespace emptor::services {

/// One line of JSON for one round.
std::string SpeedJson(const engine::SpeedReport& report, size_t round);
/// For a terminal: medians, least and most.
std::string SpeedTable(const engine::SpeedReport& report);
/// A page with charts.
std::string SpeedHtml(const engine::SpeedReport& report);

}  // namespace emptor::services
