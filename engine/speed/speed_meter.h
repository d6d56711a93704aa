// Speed of a model against the machine's roofline: `emptor bench engine`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/peak.h"
#include "engine/speed/statistics.h"
#include "engine/speed/weight_work.h"

namespace emptor::engine {

struct SpeedOptions {
  int threads = 1;                              // 0: one per core
  int ranks = 1;                                // tensor parallel; they share the threads
  std::vector<int> prompts = {128, 512};        // lengths that prefill is measured with
  std::vector<int> prompt_batches = {1};        // prompts that are computed together
  std::vector<int> batches = {1, 2, 4, 8, 16};  // sequences that decode together
  std::vector<int> depths = {128};              // tokens that stand before the decoded ones
  int tokens = 16;                              // decoded one after the other in a sample
  int rounds = 5;                               // each measures everything once
  double min_seconds = 0.25;                    // a sample is repeated until it has taken so long
  uint64_t read_buffer_bytes = 0;               // 0: eight times the third-level cache
  Isa isa = DetectIsa();
  /// Counts the processor time of all threads, divided by their number, in place of the time on the
  /// wall: an estimate of the speed without other load on the cores. Memory and shared caches are
  /// disturbed all the same.
  bool processor_time = false;
};

enum class SpeedWork { kPrefill, kDecode };

/// One thing that is measured: prompts of `length` tokens, or decoding behind `length` tokens.
struct SpeedCell {
  SpeedWork work = SpeedWork::kDecode;
  int sequences = 1;
  int length = 0;
};

struct SpeedSample {
  double tokens_per_second = 0;  // of all sequences together
  double read_bytes = 0;         // per second, by the same threads just before; decoding only
};

/// One round: everything measured one after the other, so that ratios hold where the machine's
/// speed drifts.
struct SpeedRound {
  double read_bytes = 0;                              // per second
  std::array<double, kAllArithmetic.size()> peaks{};  // operations per second; 0: there is none
  std::vector<SpeedSample> samples;                   // of each cell
};

struct SpeedReport {
  std::string model;
  Isa isa = Isa::kReference;
  int threads = 0;
  WeightWork work;
  uint64_t cache_bytes = 0;  // third level; 0: unknown
  uint64_t read_buffer_bytes = 0;
  std::vector<SpeedCell> cells;
  std::vector<SpeedRound> rounds;

  /// Share of the arithmetic's peak that the matrices reach; attention is not counted.
  double PeakShare(size_t cell, const SpeedRound& round) const;
  /// Share of the read bandwidth of the same moment that reading the weights once a step takes.
  double BandwidthShare(size_t cell, const SpeedRound& round) const;

  /// Over the rounds, of `figure(round)`.
  template <typename Figure>
  Summary Over(Figure figure) const {
    std::vector<double> values;
    for (const SpeedRound& round : rounds) values.push_back(figure(round));
    return Summarize(std::move(values));
  }
  Summary Tokens(size_t cell) const {
    return Over([cell](const SpeedRound& r) { return r.samples[cell].tokens_per_second; });
  }
  /// Index of that cell; -1: it was not measured.
  int Find(SpeedWork what, int sequences, int length) const;
};

/// Loads the model and measures. The memory is read by the same number of threads.
/// Errors: as GgufFile::Load and Transformer::Create; kInvalidArgument (an option out of range,
/// an instruction set that this machine lacks, more tokens than the model's context).
absl::StatusOr<SpeedReport> MeasureSpeed(const std::string& path, const SpeedOptions& options);

}  // namespace emptor::engine
