// Samples are interleaved: memory, peaks, decoding in every batch size, prompts, and again.
#include "engine/speed/speed_meter.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "engine/loading/model_loader.h"
#include "engine/model/tensor_parallel.h"
#include "engine/speed/roofline.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;
constexpr int kMaxStepTokens = 512;
constexpr int kMaxSequences = 256;
// A peak is the best of several short samples, so that a disturbed sample does not lower it.
constexpr double kPeakSeconds = 0.02;
constexpr int kPeakSamples = 4;

int Most(const std::vector<int>& values) { return *std::max_element(values.begin(), values.end()); }

absl::Status CheckList(const char* field, const std::vector<int>& values, int least, int most) {
  for (const int value : values) {
    if (value >= least && value <= most) continue;
    return absl::InvalidArgumentError(
        fmt::format("bench engine: {}: expected {} to {}, found {}", field, least, most, value));
  }
  if (!values.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("bench engine: {}: none given", field));
}

absl::Status CheckOptions(const SpeedOptions& options) {
  constexpr int kManyTokens = 1 << 20;
  for (const absl::Status& status :
       {CheckList("prompt", options.prompts, 1, kManyTokens),
        CheckList("prompt batch", options.prompt_batches, 1, kMaxSequences),
        CheckList("batch", options.batches, 1, kMaxSequences),
        CheckList("depth", options.depths, 0, kManyTokens),
        CheckList("tokens", {options.tokens}, 1, kManyTokens),
        CheckList("rounds", {options.rounds}, 1, 10'000)}) {
    if (!status.ok()) return status;
  }
  if (!HasIsa(options.isa)) {
    return absl::InvalidArgumentError(fmt::format("bench engine: isa: this machine has {}, not {}",
                                                  IsaName(DetectIsa()), IsaName(options.isa)));
  }
  return absl::OkStatus();
}

std::vector<SpeedCell> PlanCells(const SpeedOptions& options) {
  std::vector<SpeedCell> cells;
  for (const int depth : options.depths) {
    for (const int batch : options.batches) cells.push_back({SpeedWork::kDecode, batch, depth});
  }
  for (const int length : options.prompts) {
    for (const int batch : options.prompt_batches) {
      cells.push_back({SpeedWork::kPrefill, batch, length});
    }
  }
  return cells;
}

/// Maximum tokens of a sequence, and number of parallel sequences.
int MostTokens(const SpeedOptions& options) {
  return std::max(Most(options.prompts), Most(options.depths) + options.tokens);
}
int MostSequences(const SpeedOptions& options) {
  return std::max(Most(options.batches), Most(options.prompt_batches));
}
int BlocksPerSequence(const SpeedOptions& options) {
  return (MostTokens(options) + kBlockTokens - 1) / kBlockTokens;
}

/// A loaded model and its sequences.
class Meter {
 public:
  Meter(const SpeedOptions& options, std::unique_ptr<Model> model, Roofline roofline)
      : options_(options), model_(std::move(model)), roofline_(std::move(roofline)) {
    const int blocks = MostSequences(options) * BlocksPerSequence(options);
    for (int i = 0; i < blocks; ++i) blocks_.push_back(BlockId{i});
    for (int i = 0; i < MostTokens(options); ++i) {
      prompt_.push_back(static_cast<int32_t>(int64_t{i} * 7919 % model_->vocabulary_size()));
    }
    logits_.resize(static_cast<size_t>(model_->vocabulary_size()) *
                   static_cast<size_t>(MostSequences(options)));
    if (Most(options.depths) > 0) Prompt(MostSequences(options), Most(options.depths));
  }

  int threads() const { return roofline_.threads(); }

  SpeedRound Round(const std::vector<SpeedCell>& cells) {
    SpeedRound round;
    round.read_bytes = roofline_.MeasureRead(options_.min_seconds);
    const double peak_seconds = std::min(options_.min_seconds, kPeakSeconds);
    for (size_t i = 0; i < kAllArithmetic.size(); ++i) {
      for (int sample = 0; sample < kPeakSamples; ++sample) {
        const double peak = roofline_.MeasurePeak(kAllArithmetic[i], peak_seconds);
        round.peaks[i] = std::max(round.peaks[i], peak);
      }
    }
    for (const SpeedCell& cell : cells) round.samples.push_back(Measure(cell));
    return round;
  }

 private:
  SpeedSample Measure(const SpeedCell& cell) {
    SpeedSample sample;
    if (cell.work == SpeedWork::kPrefill) {
      sample.tokens_per_second =
          Rate(cell.sequences * cell.length, [&] { Prompt(cell.sequences, cell.length); });
      return sample;
    }
    sample.read_bytes = roofline_.MeasureRead(options_.min_seconds / 2);
    sample.tokens_per_second = Rate(cell.sequences * options_.tokens, [&] { Decode(cell); });
    return sample;
  }

  template <typename Fn>
  double Rate(double units, Fn fn) const {
    const Stopwatch watch(options_.processor_time, threads());
    return watch.Rate(units, options_.min_seconds, fn);
  }

  std::span<const BlockId> BlocksOf(int sequence) const {
    const auto count = static_cast<size_t>(BlocksPerSequence(options_));
    return std::span(blocks_).subspan(static_cast<size_t>(sequence) * count, count);
  }

  void Compute(const std::vector<SequenceStep>& steps) {
    size_t rows = 0;
    for (const SequenceStep& step : steps) rows += static_cast<size_t>(step.logit_rows);
    const size_t size = rows * static_cast<size_t>(model_->vocabulary_size());
    model_->ComputeInto(steps, std::span(logits_).first(size));
  }

  /// Prompts of `sequences`, as many in a step as fit into it.
  void Prompt(int sequences, int length) {
    const auto tokens = std::span<const int32_t>(prompt_).first(static_cast<size_t>(length));
    std::vector<SequenceStep> steps;
    int room = kMaxStepTokens;
    for (int sequence = 0; sequence < sequences; ++sequence) {
      for (int at = 0; at < length;) {
        const int n = std::min(room, length - at);
        const bool last = at + n == length;
        steps.push_back({tokens.subspan(static_cast<size_t>(at), static_cast<size_t>(n)), at,
                         BlocksOf(sequence), last});
        at += n;
        room -= n;
        if (room > 0) continue;
        Compute(steps);
        steps.clear();
        room = kMaxStepTokens;
      }
    }
    if (!steps.empty()) Compute(steps);
  }

  void Decode(const SpeedCell& cell) {
    std::vector<SequenceStep> steps;
    for (int i = 0; i < cell.sequences; ++i) {
      steps.push_back({std::span(prompt_).first(1), cell.length, BlocksOf(i), true});
    }
    for (int n = 0; n < options_.tokens; ++n) {
      Compute(steps);
      for (SequenceStep& step : steps) ++step.position;
    }
  }

  const SpeedOptions options_;
  std::unique_ptr<Model> model_;
  Roofline roofline_;
  std::vector<BlockId> blocks_;  // those of each sequence in a row
  std::vector<int32_t> prompt_;
  std::vector<float> logits_;
};

}  // namespace

double SpeedReport::PeakShare(size_t cell, const SpeedRound& round) const {
  const double peak = round.peaks[static_cast<size_t>(work.arithmetic)];
  if (!(peak > 0)) return 0;
  const SpeedCell& what = cells[cell];
  const double outputs = what.work == SpeedWork::kPrefill ? 1.0 / what.length : 1.0;
  const double operations = static_cast<double>(work.layer_operations) +
                            static_cast<double>(work.output_operations) * outputs;
  return operations * round.samples[cell].tokens_per_second / peak;
}

double SpeedReport::BandwidthShare(size_t cell, const SpeedRound& round) const {
  const SpeedSample& sample = round.samples[cell];
  if (!(sample.read_bytes > 0)) return 0;
  const double steps = sample.tokens_per_second / cells[cell].sequences;
  return static_cast<double>(work.weight_bytes) * steps / sample.read_bytes;
}

int SpeedReport::Find(SpeedWork what, int sequences, int length) const {
  for (size_t i = 0; i < cells.size(); ++i) {
    const SpeedCell& cell = cells[i];
    if (cell.work == what && cell.sequences == sequences && cell.length == length) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

absl::StatusOr<SpeedReport> MeasureSpeed(const std::string& path, const SpeedOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  auto loaded = LoadModelSource(path);
  if (!loaded.ok()) return loaded.status();
  const std::shared_ptr<const ModelSource> source = std::move(*loaded);
  const auto config = source->Config();
  if (!config.ok()) return config.status();
  SpeedReport report;
  report.model = path;
  report.isa = options.isa;
  report.cache_bytes = ThirdLevelCacheBytes();
  report.cells = PlanCells(options);
  auto work = DescribeWork(*source, *config, options.isa);
  if (!work.ok()) return work.status();
  report.work = *std::move(work);
  auto model = CreateModel(source, {.blocks = MostSequences(options) * BlocksPerSequence(options),
                                    .block_tokens = kBlockTokens,
                                    .max_step_tokens = kMaxStepTokens,
                                    .threads = options.threads,
                                    .ranks = options.ranks,
                                    .pin = options.ranks > 1,
                                    .isa = options.isa,
                                    .release_file = true});
  if (!model.ok()) return model.status();
  if (MostTokens(options) > (*model)->context_length()) {
    return source->Error("context length",
                         fmt::format("prompt, depth and tokens: expected at most {}, found {}",
                                     (*model)->context_length(), MostTokens(options)));
  }
  auto roofline = Roofline::Create({.threads = options.threads,
                                    .isa = options.isa,
                                    .buffer_bytes = options.read_buffer_bytes,
                                    .processor_time = options.processor_time});
  if (!roofline.ok()) return roofline.status();
  report.read_buffer_bytes = roofline->buffer_bytes();
  Meter meter(options, std::move(*model), std::move(*roofline));
  report.threads = meter.threads();
  for (int i = 0; i < options.rounds; ++i) report.rounds.push_back(meter.Round(report.cells));
  return report;
}

}  // namespace emptor::engine
