// Sends a load to an OpenAI-compatible server: every request in one event loop, no thread each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/bench/load_plan.h"
#include "services/bench/prompt_maker.h"

namespace emptor::services {

struct LoadTarget {
  std::string url;               // http://127.0.0.1:8000, without a path
  bool chat = false;             // /v1/chat/completions; otherwise /v1/completions
  std::string model;             // as the server names it
  std::string api_key;           // empty: none
  bool ignore_end = true;        // asks for answers of the full length
  double timeout_seconds = 600;  // of one request
};

/// What became of one request. Times in seconds after the start of the load.
struct LoadRecord {
  double due = 0;   // when it was to be sent: what every latency counts from
  double sent = 0;  // when it was
  double ended = 0;
  std::vector<double> text_times;  // when text came, one an event
  int status = 0;                  // HTTP; 0: none
  int prompt_tokens = -1, completion_tokens = -1, cached_tokens = 0;  // -1: not reported
  std::string finish_reason;
  /// Empty: a whole answer. Else the kind: "connect", "http 429", "cut stream", "malformed event",
  /// "error event", "not an event stream", "empty answer", "timeout", "transport".
  std::string failure;
  std::string detail;  // of a failure, for people
};

/// Prompts for the requests of a plan.
struct LoadText {
  TokenScale scale;
  int shared_tokens = 0;
  int block_tokens = 512;
  uint64_t seed = 1;
};

/// Sends each request when it is due, whatever became of the others: an open loop. Latencies count
/// from the due time, so that a server that stalls cannot hide it (no coordinated omission).
/// Records come in the order of the plan. Errors: kInternal (libcurl cannot start).
absl::StatusOr<std::vector<LoadRecord>> RunOpenLoad(const LoadTarget& target, const LoadText& text,
                                                    const std::vector<PlannedRequest>& plan);

/// `users` that each send a request as soon as theirs has ended, until `seconds` have passed or
/// `requests` (0: no limit) were sent; lengths are those of the plan, in turn. A user whose request
/// failed waits half a second. Errors: as above.
struct ClosedLoad {
  int users = 1;
  double seconds = 0;
  int requests = 0;
};
absl::StatusOr<std::vector<LoadRecord>> RunClosedLoad(const LoadTarget& target,
                                                      const LoadText& text,
                                                      const std::vector<PlannedRequest>& plan,
                                                      const ClosedLoad& load);

/// The body of one request. In the open for tests.
std::string LoadBody(const LoadTarget& target, const std::string& prompt, int output_tokens);

}  // namespace emptor::services
