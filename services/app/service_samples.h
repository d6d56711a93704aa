// What /metrics shows of the parts of a service.
#pragma once

#include <string>
#include <vector>

#include "services/app/service_parts.h"

namespace emptor::services {

/// Samples of shops, index, workers, embedder and HTTP servers, as they are now.
std::vector<Sample> ServiceSamples(const ServiceParts& parts);

/// All of /metrics.
std::string MetricsText(const ServiceParts& parts);

}  // namespace emptor::services
