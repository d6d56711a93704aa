// Does a model fit into the memory of a machine, and how fast can it be there: `emptor model fit`.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"
#include "engine/speed/weight_work.h"

namespace emptor::engine {

struct FitOptions {
  int threads = 0;  // 0: one per core
  int context = 0;  // tokens of a sequence; 0: as the model has it
  int users = 1;    // sequences at a time
  int prompt = 512;
  int kv_bits = 16;              // 8 or 16
  std::string draft_model = {};  // path of one that drafts for the model; empty: none
  int block_tokens = 16;
  int max_step_tokens = 512;
  uint64_t memory_bytes = 0;       // 0: MachineMemoryBytes()
  double min_seconds = 0.25;       // of each measurement of the machine; 0: one sample
  uint64_t read_buffer_bytes = 0;  // 0: eight times the third-level cache
  Isa isa = DetectIsa();
};

/// What a draft model adds; bytes.
struct DraftFit {
  uint64_t weights = 0, loading = 0, kv_token = 0, kv = 0, activations = 0;  // as of FitReport

  uint64_t Total() const { return weights + kv + activations; }
};

struct FitReport {
  std::string model;
  WeightWork work;
  int context = 0, users = 0, threads = 0;
  // Bytes.
  uint64_t weights = 0;      // as the kernels read them, and what stays as stored
  uint64_t loading = 0;      // that loading takes for a moment: the model as read, its largest copy
  uint64_t kv_token = 0;     // keys and values of a token
  uint64_t kv = 0;           // of all users' whole contexts
  uint64_t activations = 0;  // of the largest step, and its logits
  uint64_t memory = 0;       // that there is
  DraftFit draft;            // zeros without a draft model
  // Measured on this machine, per second.
  double read_bytes = 0;     // streaming reads
  double operations = 0;     // of the arithmetic that the weights are multiplied with
  uint64_t cache_bytes = 0;  // third level; 0: unknown
  int prompt = 0;

  uint64_t Total() const { return weights + kv + activations + draft.Total(); }
  /// Both models' files lie in memory together for a moment.
  uint64_t Loading() const { return loading + draft.loading; }
  /// Loading lies before the first request: only the larger of the two has to fit.
  bool Fits() const;
  /// Sequences of `context` tokens whose keys and values fit beside the weights.
  int64_t MaxUsers() const;
  /// Tokens of each of `users` sequences that fit beside the weights; may exceed the model's own.
  int64_t MaxContext() const;

  // Bounds by the roofline: the engine reaches a part of them, which `emptor bench engine` shows.
  // A draft model is not part of them.
  double PrefillTokensPerSecond() const;
  double FirstTokenSeconds() const;  // of a prompt, nothing cached, alone
  /// Of so many sequences together, each with half of its context before it.
  double DecodeTokensPerSecond(int sequences) const;
  /// The weights may stay in the third-level cache, which is faster than what was measured.
  bool MayFitCache() const { return work.weight_bytes < 8 * cache_bytes; }
};

/// Memory of this machine, or the limit of this process's control group where that is smaller; 0:
/// unknown.
uint64_t MachineMemoryBytes();

/// Reads the model and measures the machine for a second; prepares no weights.
/// Errors: as LoadModelSource, ModelSource::Config and ModelWeights::Read; kInvalidArgument (a
/// number out of range, more context than the model has, a draft model of another vocabulary);
/// kResourceExhausted.
absl::StatusOr<FitReport> FitModel(const std::string& path, const FitOptions& options);

}  // namespace emptor::engine
