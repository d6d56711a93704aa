// The gateway's dispatcher over replicas in virtual time, with faults: how fast a fleet is, and
// whether the promises hold. The same seed gives the same run on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "services/bench/load_plan.h"
#include "services/gateway/balancing/dispatcher.h"
#include "services/gateway/simulation/replica_model.h"

namespace emptor::services {

/// What happens to a replica, in seconds after the start.
struct ReplicaFault {
  enum class Kind {
    kCrash,      // connections end; none is made until the end of the fault
    kStall,      // accepts, and sends nothing; probes fail
    kFailFast,   // answers 500 at once; probes are fine
    kBusy,       // answers 503 at once; probes are fine
    kCutStreams  // ends each answer after its first token, without saying so
  };
  Kind kind = Kind::kCrash;
  size_t replica = 0;
  double begin = 0, end = 0;
};

struct FleetOptions {
  DispatchOptions dispatch;
  std::vector<ReplicaSetting> settings;
  std::vector<ReplicaSpeed> speeds;  // as many
  std::vector<ReplicaFault> faults;
  uint64_t seed = 1;
  double leave_share = 0;        // clients that leave at a random moment
  double first_byte_limit = 30;  // seconds, as the gateway's
  double gap_limit = 10;         // between two tokens
  double patience = 30, deadline = 600;
  double block_tokens = 512;  // of PlannedRequest::prefix_blocks
  bool random_priorities = false;
};

struct FleetReport {
  uint64_t requests = 0, answered = 0, refused = 0, broken = 0, left = 0;
  uint64_t computed_prompt_tokens = 0, output_tokens = 0;
  double seconds = 0;                // of virtual time
  std::vector<double> ttft;          // of requests that were answered, sorted
  std::vector<uint64_t> served;      // attempts by replica
  std::vector<double> busy_seconds;  // by replica
  DispatchCounts counts;
  uint64_t trace_hash = 0;  // of all actions and their times
  std::string violation;    // the first promise that was broken; empty: none

  double TtftAt(double quantile) const;  // 0: none
};

/// Runs the requests to their ends.
/// The promises that are checked: each request ends once; a client gets the tokens of one attempt,
/// in order, none twice; attempts beyond the first stay within the budget; a replica has at most
/// its number of requests; one that is ejected gets trials and nothing else; nothing
/// runs on after it was cancelled; no attempt begins after the deadline; none is made twice at a
/// replica that failed.
FleetReport SimulateFleet(const std::vector<PlannedRequest>& requests, const FleetOptions& options);

/// A run with everything drawn from the seed: fleet, load, faults, clients that leave.
FleetReport SimulateSeed(uint64_t seed);

}  // namespace emptor::services
