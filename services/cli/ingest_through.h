// `emptor ingest` through a service.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "catalog/import/import_result.h"
#include "services/cli/ingest_feeds.h"
#include "services/cli/ingest_progress.h"
#include "services/cli/service_target.h"

namespace emptor::services {

/// Sends the feeds one after the other, reports the results of their rows as they arrive and adds
/// them to `total`. With `resume`, a feed continues after the rows that the service has imported in
/// the newest interrupted job of the same feed. Errors: of the connection, and what the service
/// refused.
absl::Status IngestThrough(const ServiceTarget& target, const std::vector<Feed>& feeds,
                           const JobSpec& spec, bool resume, IngestProgress& progress,
                           catalog::ImportReport& total);

}  // namespace emptor::services
