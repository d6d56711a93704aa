// `emptor ingest` through a service.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "catalog/import/import_result.h"
#include "services/cli/ingest_feeds.h"
#include "services/cli/ingest_progress.h"

namespace emptor::services {

/// The service, and the headers of every call to it.
struct IngestTarget {
  std::string url;
  std::vector<std::string> headers;
};

/// Sends the feeds, one after the other, tells what became of their rows as it comes and adds that
/// to `total`. With `resume`, a feed goes on behind the rows that the service has taken of the
/// newest sending of it that was broken off, whichever side ended. Errors: of the connection, and
/// what the service refused.
absl::Status IngestThrough(const IngestTarget& target, const std::vector<Feed>& feeds,
                           const JobSpec& spec, bool resume, IngestProgress& progress,
                           catalog::ImportReport& total);

}  // namespace emptor::services
