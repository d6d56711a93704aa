// Families of prometheus-cpp and samples, as one Prometheus text.
#pragma once

#include <string>
#include <vector>

#include "services/observability/metrics.h"

namespace prometheus {
struct MetricFamily;
}

namespace emptor::services {

/// Families without a value are left out; samples of one name become one family.
std::string PrometheusText(std::vector<prometheus::MetricFamily> families,
                           const std::vector<Sample>& samples);

}  // namespace emptor::services
