// Which requests a load consists of, and when each is due.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

struct PlannedRequest {
  double at_seconds = 0;  // after the start of the load
  int input_tokens = 1;
  int output_tokens = 1;
  /// Names of the blocks that the prompt consists of, in order: equal names are equal text, so that
  /// prompts share prefixes. Empty: unique text.
  std::vector<uint64_t> prefix_blocks = {};
};

struct LengthOptions {
  int input_tokens = 128, output_tokens = 64;
  double vary = 0;  // lengths lie evenly within this share around the above
};

/// Requests whose gaps are exponentially distributed with a mean of 1 / rate, until `seconds`.
/// Equal seeds give equal plans, on every machine. REQUIRES: rate > 0; 0 <= vary < 1.
std::vector<PlannedRequest> PlanPoisson(double rate, double seconds, const LengthOptions& lengths,
                                        uint64_t seed);

/// `count` requests that are all due at once.
std::vector<PlannedRequest> PlanLengths(int count, const LengthOptions& lengths, uint64_t seed);

/// `count` requests, due at once, whose lengths are as skewed as those of people's conversations:
/// log-normal around the medians, at most eight times as long (vary is not used).
std::vector<PlannedRequest> PlanConversation(int count, const LengthOptions& medians,
                                             uint64_t seed);

/// How a trace is laid over a server.
struct ReplayOptions {
  double speed = 1;         // 2: the gaps are half as long
  double seconds = 0;       // of the replay; 0: to the end of the trace
  double length_scale = 1;  // of prompts and answers
  int most_input = 1 << 20, most_output = 1 << 20;
};

/// The part of the trace that lies within the time, scaled. Lengths are at least 1.
std::vector<PlannedRequest> PlanReplay(const std::vector<PlannedRequest>& trace,
                                       const ReplayOptions& options);

/// "300ms", "1.5s", "15m", "2h", or a plain number of seconds. Errors: kInvalidArgument.
absl::StatusOr<double> ParseSeconds(std::string_view text);

/// Limits that a good answer keeps; infinite where none was given. Seconds.
struct Slo {
  double ttft, tpot, e2e;
  Slo();
  bool given() const;
};

/// "ttft=300ms,tpot=50ms,e2e=10s", any of them. Errors: kInvalidArgument.
absl::StatusOr<Slo> ParseSlo(std::string_view text);

}  // namespace emptor::services
