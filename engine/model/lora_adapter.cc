// Shapes of adapters, and adding them to the matrices of a model.
#include "engine/model/lora_adapter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "engine/tensor/store.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr float kMaxHalf = 65504;  // the largest F16, and the largest scale of Q8_0

/// The matrices that an adapter can change, in the order of LoraTarget.
std::array<TensorView*, kLoraTargets> TargetsOf(ModelLayer& layer) {
  std::array<TensorView*, kLoraTargets> targets = {&layer.query, &layer.key, &layer.value,
                                                   &layer.attention_out};
  if (layer.feed_forward.size() == 1) {
    FeedForward& network = layer.feed_forward.front();
    targets[static_cast<size_t>(LoraTarget::kGate)] = &network.gate;
    targets[static_cast<size_t>(LoraTarget::kUp)] = &network.up;
    targets[static_cast<size_t>(LoraTarget::kDown)] = &network.down;
  }
  return targets;
}

DType MergedType(const TensorView& matrix) {
  return IsQuantized(matrix.type) ? DType::kQ8_0 : matrix.type;
}

/// Calls fn(layer, target, matrix) for each matrix that the adapter changes.
template <typename Fn>
void ForEachTarget(const LoraAdapter& adapter, ModelWeights& weights, Fn fn) {
  for (size_t i = 0; i < weights.layers.size(); ++i) {
    const auto targets = TargetsOf(weights.layers[i]);
    for (size_t t = 0; t < targets.size(); ++t) {
      if (!adapter.layers[i][t].empty()) fn(i, t, *targets[t]);
    }
  }
}

size_t MergedBytes(const TensorView& matrix) {
  TensorView merged = matrix;
  merged.type = MergedType(matrix);
  return (merged.bytes() + 63) / 64 * 64;
}

/// Adds scale * b a to rows of a matrix.
class Merger {
 public:
  Merger(const LowRank& change, const MatrixPart& part) : change_(change), part_(part) {
    const auto width = static_cast<size_t>(change.a.cols);
    a_.resize(static_cast<size_t>(change.a.rows) * width);
    LoadInto(change.a.type, change.a.data, a_);
    b_.resize(static_cast<size_t>(change.rank()));
  }

  /// `row` is that of the part.
  void AddTo(int64_t row, std::span<float> values) {
    LoadInto(change_.b.type, change_.b.row(part_.first_row + row), b_);
    for (size_t j = 0; j < b_.size(); ++j) {
      const float factor = change_.scale * b_[j];
      const float* a = a_.data() + static_cast<int64_t>(j) * change_.a.cols + part_.first_col;
      for (size_t i = 0; i < values.size(); ++i) values[i] += factor * a[i];
    }
  }

 private:
  const LowRank& change_;
  MatrixPart part_;
  std::vector<float> a_, b_;
};

/// Writes the changed matrix to `out`. False when a number does not fit its type.
bool MergeInto(const TensorView& matrix, Merger merger, DType type, std::byte* out) {
  const bool wide = type == DType::kF32 || type == DType::kBF16;
  std::vector<float> values(static_cast<size_t>(matrix.cols));
  TensorView merged = matrix;
  merged.type = type;
  for (int64_t row = 0; row < matrix.rows; ++row, out += merged.row_bytes()) {
    LoadInto(matrix.type, matrix.row(row), values);
    merger.AddTo(row, values);
    for (const float value : values) {
      if (!std::isfinite(value) || (!wide && std::fabs(value) > kMaxHalf)) return false;
    }
    StoreInto(type, values, out);
  }
  return true;
}

}  // namespace

MatrixShape LoraTargetShape(const ModelConfig& c, LoraTarget target) {
  switch (target) {
    case LoraTarget::kQuery:
      return {c.query_width(), c.hidden_size};
    case LoraTarget::kKey:
    case LoraTarget::kValue:
      return {c.kv_width(), c.hidden_size};
    case LoraTarget::kAttentionOut:
      return {c.hidden_size, c.query_width()};
    case LoraTarget::kGate:
    case LoraTarget::kUp:
      return {c.intermediate_size, c.hidden_size};
    case LoraTarget::kDown:
      return {c.hidden_size, c.intermediate_size};
  }
  return {};
}

MatrixPart LoraTargetPart(const ModelConfig& whole, LoraTarget target, RankOf place) {
  const auto [rows, cols] = LoraTargetShape(whole, target);
  if (target == LoraTarget::kAttentionOut || target == LoraTarget::kDown) {
    const int64_t share = cols / place.ranks;
    return {0, rows, share * place.rank, share};
  }
  const int64_t share = rows / place.ranks;
  return {share * place.rank, share, 0, cols};
}

int LoraAdapter::matrices() const {
  int count = 0;
  for (const LoraLayer& layer : layers) {
    for (const LowRank& change : layer) count += change.empty() ? 0 : 1;
  }
  return count;
}

int LoraAdapter::max_rank() const {
  int largest = 0;
  for (const LoraLayer& layer : layers) {
    for (const LowRank& change : layer) largest = std::max(largest, change.rank());
  }
  return largest;
}

int64_t LoraAdapter::parameters() const {
  int64_t count = 0;
  for (const LoraLayer& layer : layers) {
    for (const LowRank& change : layer) {
      count += change.a.rows * change.a.cols + change.b.rows * change.b.cols;
    }
  }
  return count;
}

absl::StatusOr<AlignedBuffer> MergeAdapter(const ModelSource& source, const LoraAdapter& adapter,
                                           const ModelConfig& whole, RankOf place, bool release,
                                           ModelWeights& weights) {
  size_t bytes = 0;
  ForEachTarget(adapter, weights,
                [&](size_t, size_t, const TensorView& matrix) { bytes += MergedBytes(matrix); });
  absl::StatusOr<AlignedBuffer> buffer = AlignedBuffer::Allocate(bytes);
  if (!buffer.ok()) return buffer;
  std::byte* out = buffer->data();
  absl::Status status;
  ForEachTarget(adapter, weights, [&](size_t layer, size_t target, TensorView& matrix) {
    if (!status.ok()) return;
    const DType type = MergedType(matrix);
    const MatrixPart part = LoraTargetPart(whole, static_cast<LoraTarget>(target), place);
    if (!MergeInto(matrix, Merger(adapter.layers[layer][target], part), type, out)) {
      status = absl::InvalidArgumentError(
          fmt::format("{}: layer {}: the sum of a matrix of {} and the adapter is beyond {}",
                      adapter.path, layer, source.name(), DTypeName(type)));
      return;
    }
    const size_t taken = MergedBytes(matrix);
    if (release) source.Release(std::span(matrix.data, matrix.bytes()));
    matrix.type = type;
    matrix.data = out;
    out += taken;
  });
  if (!status.ok()) return status;
  return buffer;
}

std::string DescribeMerge(const LoraAdapter& adapter, ModelWeights& weights) {
  std::map<DType, int> counts;
  ForEachTarget(adapter, weights,
                [&](size_t, size_t, const TensorView& matrix) { ++counts[matrix.type]; });
  std::string text;
  for (const auto& [type, count] : counts) {
    text += fmt::format("{}{} matrices of {}", text.empty() ? "" : "; ", count, DTypeName(type));
    if (IsQuantized(type) && type != DType::kQ8_0) text += ", stored as Q8_0";
  }
  return text;
}

}  // namespace emptor::engine
