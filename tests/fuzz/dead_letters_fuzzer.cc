// Any bytes as a file of dead letters, and as a stored job: refused, or read such that writing and
// reading again is equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "services/ingest/job.h"
#include "services/ingest/job_files.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto retry = emptor::services::ParseDeadLetters(text);
  if (retry.ok()) Require(retry->feed.size() <= text.size() + retry->rows);
  const auto job = emptor::services::ParseJob(text);
  if (!job.ok()) return 0;
  const auto again = emptor::services::ParseJob(ToJson(*job));
  Require(again.ok() && ToJson(*again) == ToJson(*job));
  return 0;
}
