// What was typed after `emptor bench engine`.
#pragma once

#include <string>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/trace_flags.h"

namespace emptor::services {

struct BenchEngineCommand {
  std::string model;  // empty: the one that would be served
  std::string isa;    // empty: the best there is
  int threads = 1;
  int ranks = 1;
  std::vector<int> prompts = {128, 512};
  std::vector<int> prompt_batches = {1};
  std::vector<int> batches = {1, 2, 4, 8, 16};
  std::vector<int> depths = {128};
  int tokens = 16;
  int rounds = 5;
  double min_seconds = 0.25;
  int read_buffer_mib = 0;  // 0: eight times the third-level cache
  bool processor_time = false;
  bool json = false;
  std::string report;  // HTML file; empty: none
  // At most one of these five; none: prefill and decoding.
  bool batching = false, concurrency = false, neighbour = false, speculation = false;
  int prefix = 0;               // tokens; 0: not measured
  int kv_block = 16;            // tokens of a block of KV memory
  int requests = 64;            // with batching or concurrency, as what follows
  int input = 64, output = 32;  // medians
  TraceFlags trace;
  double load = 0;                        // 0: the measurement's own
  int together = 16;                      // with batching
  std::vector<int> static_together = {};  // with batching; empty: chosen from around together
  double tpot_limit_ms = 0;               // with batching; 0: that of continuous batching
  std::vector<int> users = {4, 32};       // with concurrency
  // With speculation.
  int draft_tokens = 8;
  std::string text, questions;  // files; empty: none
};

/// The flags, which write to `options`.
void AddBenchEngineFlags(Command command, BenchEngineCommand& options);

}  // namespace emptor::services
