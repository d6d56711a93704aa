// Memory by the shapes of the model, speed by the roofline of the machine.
#include "engine/speed/model_fit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "engine/kernels/packed_weights.h"
#include "engine/loading/model_loader.h"
#include "engine/model/model_weights.h"
#include "engine/model/transformer.h"
#include "engine/model/weight_packing.h"
#include "engine/speed/roofline.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxUsers = 4096;
constexpr int kMaxContext = 1 << 24;

absl::Status CheckOptions(const FitOptions& options, const ModelSource& source, int context) {
  const auto check = [](const char* field, int value, int low, int high) {
    if (value >= low && value <= high) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("model fit: {}: expected {} to {}, found {}", field, low, high, value));
  };
  for (const absl::Status& status :
       {check("users", options.users, 1, kMaxUsers), check("threads", options.threads, 0, 1024),
        check("context", options.context, 0, kMaxContext),
        check("prompt", options.prompt, 1, kMaxContext)}) {
    if (!status.ok()) return status;
  }
  if (options.kv_bits != 8 && options.kv_bits != 16) {
    return absl::InvalidArgumentError(
        fmt::format("model fit: kv bits: expected 8 or 16, found {}", options.kv_bits));
  }
  if (options.context <= context) return absl::OkStatus();
  return source.Error("context length", fmt::format("context: expected at most {}, found {}",
                                                    context, options.context));
}

/// What Transformer::Create and PackWeights keep, and what packing needs for a moment.
absl::Status AddWeights(const ModelSource& source, const ModelConfig& config, Isa isa,
                        FitReport& report) {
  auto weights = ModelWeights::Read(source, config);
  if (!weights.ok()) return weights.status();
  const Kernels& kernels = KernelsFor(isa);
  uint64_t largest = 0;
  for (const TensorView* matrix : ProductMatrices(*weights)) {
    if (matrix->data == nullptr) continue;
    const bool packs = kernels.Packs(matrix->type);
    const uint64_t bytes =
        packs ? PackedBytes(matrix->type, matrix->rows, matrix->cols) : matrix->bytes();
    report.weights += bytes;
    if (packs) largest = std::max(largest, bytes);
  }
  if (weights->embedding.data != weights->output.data) report.weights += weights->embedding.bytes();
  report.loading = std::max<uint64_t>(source.size() + largest, report.weights);
  return absl::OkStatus();
}

/// Per second; the larger of two samples, so that one disturbed sample does not lower it.
absl::Status MeasureMachine(const FitOptions& options, FitReport& report) {
  auto roofline = Roofline::Create(
      {.threads = options.threads, .isa = options.isa, .buffer_bytes = options.read_buffer_bytes});
  if (!roofline.ok()) return roofline.status();
  report.threads = roofline->threads();
  for (int i = 0; i < 2; ++i) {
    report.read_bytes = std::max(report.read_bytes, roofline->MeasureRead(options.min_seconds / 2));
    report.operations = std::max(
        report.operations, roofline->MeasurePeak(report.work.arithmetic, options.min_seconds / 2));
  }
  return absl::OkStatus();
}

int64_t Quotient(uint64_t bytes, uint64_t by) {
  return by > 0 ? static_cast<int64_t>(bytes / by) : 0;
}

}  // namespace

bool FitReport::Fits() const { return std::max(Total(), loading) <= memory; }

int64_t FitReport::MaxUsers() const {
  const uint64_t fixed = weights + activations;
  return memory > fixed ? Quotient(memory - fixed, kv_token * static_cast<uint64_t>(context)) : 0;
}

int64_t FitReport::MaxContext() const {
  const uint64_t fixed = weights + activations;
  return memory > fixed ? Quotient(memory - fixed, kv_token * static_cast<uint64_t>(users)) : 0;
}

double FitReport::PrefillTokensPerSecond() const {
  const double per_token = static_cast<double>(work.layer_operations) +
                           static_cast<double>(work.output_operations) / prompt;
  return per_token > 0 ? operations / per_token : 0;
}

double FitReport::FirstTokenSeconds() const {
  const double rate = PrefillTokensPerSecond();
  return rate > 0 ? prompt / rate : 0;
}

double FitReport::DecodeTokensPerSecond(int sequences) const {
  const double tokens = sequences;
  const double kept = static_cast<double>(kv_token) * context / 2;
  const double read = static_cast<double>(work.StepBytes(sequences)) + tokens * kept;
  const double per_token =
      static_cast<double>(work.layer_operations) + static_cast<double>(work.output_operations);
  if (!(read > 0) || !(per_token > 0)) return 0;
  return std::min(tokens * read_bytes / read, operations / per_token);
}

uint64_t MachineMemoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t bytes =
      pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : 0;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    uint64_t limit = 0;
    if (file >> limit && limit > 0 && (bytes == 0 || limit < bytes)) bytes = limit;
  }
  return bytes;
}

absl::StatusOr<FitReport> FitModel(const std::string& path, const FitOptions& options) {
  const auto loaded = LoadModelSource(path);
  if (!loaded.ok()) return loaded.status();
  const ModelSource& source = **loaded;
  const auto config = source.Config();
  if (!config.ok()) return config.status();
  if (absl::Status status = CheckOptions(options, source, config->context); !status.ok()) {
    return status;
  }
  auto work = DescribeWork(source, *config, options.isa);
  if (!work.ok()) return work.status();
  FitReport report;
  report.model = path;
  report.work = *std::move(work);
  report.context = options.context > 0 ? options.context : config->context;
  report.users = options.users;
  report.prompt = std::min(options.prompt, report.context);
  if (absl::Status status = AddWeights(source, *config, options.isa, report); !status.ok()) {
    return status;
  }
  const KvType type = options.kv_bits == 8 ? KvType::kInt8 : KvType::kF16;
  const auto block_tokens = static_cast<uint64_t>(options.block_tokens);
  const uint64_t block = Transformer::KvBlockBytes(*config, options.block_tokens, type);
  const uint64_t blocks = (static_cast<uint64_t>(report.context) + block_tokens - 1) / block_tokens;
  report.kv_token = block / block_tokens;
  report.kv = static_cast<uint64_t>(options.users) * blocks * block;
  report.activations = Transformer::ActivationBytes(*config, options.max_step_tokens) +
                       sizeof(float) * static_cast<uint64_t>(options.users) *
                           static_cast<uint64_t>(config->vocabulary);
  report.memory = options.memory_bytes > 0 ? options.memory_bytes : MachineMemoryBytes();
  report.cache_bytes = ThirdLevelCacheBytes();
  if (absl::Status status = MeasureMachine(options, report); !status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
