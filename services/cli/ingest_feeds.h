// The feeds that `emptor ingest` was given: files, standard input, documents, dead letters.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/cli/ingest_command.h"
#include "services/ingest/job.h"

namespace emptor::services {

/// One feed to take, from a file, from standard input or out of dead letters.
struct Feed {
  std::string name;
  std::string bytes;     // unless it is read as it is needed
  bool is_file = false;  // of that name, to be streamed
};

/// The options that were typed. Errors: kInvalidArgument.
absl::StatusOr<JobSpec> SpecOf(const IngestCommand& command);

/// Every feed of the command; with `stream`, files are left where they are. Sets the format that
/// documents and dead letters have. Errors: kNotFound (a file), kInvalidArgument.
absl::StatusOr<std::vector<Feed>> FeedsOf(const IngestCommand& command, bool stream, JobSpec& spec);

/// Errors: kNotFound.
absl::StatusOr<std::unique_ptr<std::istream>> OpenFeed(const Feed& feed);

/// Sets digest and size of the whole feed, by which an interrupted job is recognised. Errors: as
/// OpenFeed.
absl::Status Identify(const Feed& feed, JobSpec& spec);

/// Bytes; 0 where the size is unknown.
uint64_t SizeOf(const Feed& feed);

}  // namespace emptor::services
