// Memory by the shapes of the model, speed by the roofline of the machine.
#include "engine/speed/model_fit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "engine/engine_limits.h"
#include "engine/kernels/packed_weights.h"
#include "engine/loading/model_loader.h"
#include "engine/model/model_weights.h"
#include "engine/model/transformer.h"
#include "engine/model/weight_packing.h"
#include "engine/speculator_factory.h"
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

/// Bytes of the weights of a model, and that loading them takes for a moment.
struct WeightFit {
  uint64_t weights = 0, loading = 0;
};

/// What Transformer::Create and PackWeights keep, and what packing needs for a moment.
absl::StatusOr<WeightFit> FitWeights(const ModelSource& source, const ModelConfig& config,
                                     Isa isa) {
  auto weights = ModelWeights::Read(source, config);
  if (!weights.ok()) return weights.status();
  const Kernels& kernels = KernelsFor(isa);
  WeightFit fit;
  uint64_t largest = 0;
  for (const TensorView* matrix : ProductMatrices(*weights)) {
    if (matrix->data == nullptr) continue;
    const bool packs = kernels.Packs(matrix->type);
    const uint64_t bytes =
        packs ? PackedBytes(matrix->type, matrix->rows, matrix->cols) : matrix->bytes();
    fit.weights += bytes;
    if (packs) largest = std::max(largest, bytes);
  }
  if (weights->embedding.data != weights->output.data) fit.weights += weights->embedding.bytes();
  fit.loading = std::max<uint64_t>(source.memory_bytes() + largest, fit.weights);
  return fit;
}

uint64_t BlocksOf(const FitOptions& options, int context) {
  const auto block_tokens = static_cast<uint64_t>(options.block_tokens);
  return static_cast<uint64_t>(options.users) *
         ((static_cast<uint64_t>(context) + block_tokens - 1) / block_tokens);
}

uint64_t ActivationsOf(const FitOptions& options, const ModelConfig& config, int max_step_tokens) {
  return Transformer::ActivationBytes(config, max_step_tokens) +
         sizeof(float) * static_cast<uint64_t>(options.users) *
             static_cast<uint64_t>(config.vocabulary);
}

/// A draft model has as many blocks of keys and values as its model.
absl::StatusOr<DraftFit> FitDraftModel(const FitOptions& options, const ModelSource& model,
                                       int context) {
  const EngineOptions engine{.kv_block_tokens = options.block_tokens,
                             .max_step_tokens = options.max_step_tokens,
                             .speculation = Speculation::kDraftModel,
                             .draft_model = options.draft_model};
  const auto read = ReadDraftModel(engine);
  if (!read.ok()) return read.status();
  const LoadedModel& draft = **read;
  const auto tokenizer = ReadModelTokenizer(model);
  if (!tokenizer.ok()) return tokenizer.status();
  const absl::Status same = CheckSameVocabulary((*tokenizer)->vocabulary(),
                                                draft.tokenizer->vocabulary(), options.draft_model);
  if (!same.ok()) return same;
  const auto weights = FitWeights(*draft.source, draft.config, options.isa);
  if (!weights.ok()) return weights.status();
  const uint64_t block =
      Transformer::KvBlockBytes(draft.config, options.block_tokens, KvTypeOf(options.kv_bits));
  const int step = DraftOptionsOf(engine, 0).max_step_tokens;
  return DraftFit{.weights = weights->weights,
                  .loading = weights->loading,
                  .kv_token = block / static_cast<uint64_t>(options.block_tokens),
                  .kv = BlocksOf(options, context) * block,
                  .activations = ActivationsOf(options, draft.config, step)};
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

/// How often the keys and values of so many tokens fit next to all else.
int64_t Room(const FitReport& report, int tokens) {
  const uint64_t fixed = report.Total() - report.kv - report.draft.kv;
  const uint64_t token = report.kv_token + report.draft.kv_token;
  return report.memory > fixed
             ? Quotient(report.memory - fixed, token * static_cast<uint64_t>(tokens))
             : 0;
}

}  // namespace

bool FitReport::Fits() const { return std::max(Total(), Loading()) <= memory; }

int64_t FitReport::MaxUsers() const { return Room(*this, context); }

int64_t FitReport::MaxContext() const { return Room(*this, users); }

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
  const auto weights = FitWeights(source, *config, options.isa);
  if (!weights.ok()) return weights.status();
  report.weights = weights->weights;
  report.loading = weights->loading;
  const uint64_t block =
      Transformer::KvBlockBytes(*config, options.block_tokens, KvTypeOf(options.kv_bits));
  report.kv_token = block / static_cast<uint64_t>(options.block_tokens);
  report.kv = BlocksOf(options, report.context) * block;
  report.activations = ActivationsOf(options, *config, options.max_step_tokens);
  if (!options.draft_model.empty()) {
    const auto draft = FitDraftModel(options, source, report.context);
    if (!draft.ok()) return draft.status();
    report.draft = *draft;
  }
  report.memory = options.memory_bytes > 0 ? options.memory_bytes : MachineMemoryBytes();
  report.cache_bytes = ThirdLevelCacheBytes();
  if (absl::Status status = MeasureMachine(options, report); !status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
