// Replays a stream of questions through cache policies of equal size: hit rates, nothing answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emptor::services {

/// Questions are drawn by their rank: the k-th most frequent with a weight of 1/k^skew.
struct ReplayWorkload {
  std::string name;
  double skew = 0.9;
  /// After so many requests a tenth of the questions, drawn at random, change places with the most
  /// frequent ones: what is asked changes with the season. 0: never.
  size_t shift_every = 0;
  /// Of the requests, questions that come once and never again.
  double once_share = 0;
};

struct ReplayOptions {
  std::vector<size_t> entry_bytes;  // by question
  size_t requests = 200000;
  double budget_share = 0.1;  // of all entries' bytes
  uint64_t seed = 1;
};

struct ReplayHits {
  std::string policy;
  double hit_rate = 0;       // of all requests, the first ones too
  double byte_hit_rate = 0;  // the same, weighted by the entries' bytes
};

/// LRU, then W-TinyLFU with windows of 1, 20 and 50 per cent of the bytes. Equal options give equal
/// numbers. REQUIRES: entry_bytes is not empty.
std::vector<ReplayHits> ReplayPolicies(const ReplayWorkload& workload,
                                       const ReplayOptions& options);

}  // namespace emptor::services
