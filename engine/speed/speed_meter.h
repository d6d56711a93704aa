// How fast a model runs here, beside how fast the memory can be read: `emptor bench engine`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"

namespace emptor::engine {

struct SpeedOptions {
  int threads = 1;                 // 0: one per core
  int ranks = 1;                   // tensor parallel; they share the threads
  int prompt = 128;                // tokens of a prompt, and behind each token that is decoded
  int tokens = 16;                 // decoded one after the other in a sample
  int rounds = 5;                  // each measures everything once
  double min_seconds = 0.25;       // a sample is repeated until it has taken that long
  uint64_t read_buffer_bytes = 0;  // 0: eight times the third-level cache
  Isa isa = DetectIsa();
  /// Counts the processor time of all threads, divided by their number, in place of the time on the
  /// wall: what a machine that others use too would give with nobody else on its cores. Memory and
  /// shared caches are disturbed all the same.
  bool processor_time = false;
};

/// Sequences that decode together in the samples.
inline constexpr std::array kSpeedBatches = {1, 2, 4, 8, 16};

/// One round: everything measured within a second or so, so that ratios hold where the machine's
/// speed drifts. All in units per second.
struct SpeedRound {
  double read_bytes = 0;                              // memory, just before `decode[0]`
  std::array<double, kSpeedBatches.size()> decode{};  // tokens of all sequences together
  double prefill = 0;                                 // tokens
};

struct SpeedReport {
  std::string model;
  Isa isa = Isa::kReference;
  int threads = 0;
  uint64_t weight_bytes = 0;  // that a step of one token reads
  uint64_t cache_bytes = 0;   // third level; 0: unknown
  uint64_t read_buffer_bytes = 0;
  std::vector<SpeedRound> rounds;

  /// Median over the rounds of `figure(round)`.
  template <typename Figure>
  double Median(Figure figure) const {
    std::vector<double> values;
    for (const SpeedRound& round : rounds) values.push_back(figure(round));
    return MedianOf(std::move(values));
  }
  /// Weight bytes that decoding one sequence reads, as a share of what the memory gave.
  double BandwidthShare(const SpeedRound& round) const {
    return static_cast<double>(weight_bytes) * round.decode[0] / round.read_bytes;
  }

 private:
  static double MedianOf(std::vector<double> values);
};

/// Loads the model and measures. The memory is read by the same number of threads.
/// Errors: as GgufFile::Load and Transformer::Create; kInvalidArgument (an option out of range,
/// an instruction set that this machine lacks, more tokens than the model's context).
absl::StatusOr<SpeedReport> MeasureSpeed(const std::string& path, const SpeedOptions& options);

}  // namespace emptor::engine
