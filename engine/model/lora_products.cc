// Two parallel loops for each set of products: the narrow intermediates, then the outputs.
#include "engine/model/lora_products.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/tensor/store.h"

namespace emptor::engine {
namespace {

constexpr int64_t kGrain = 64 << 10;  // multiply-adds below which a thread is not worth waking

size_t Aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

int64_t Groups(int64_t outputs) { return (outputs + kLowRankGroup - 1) / kLowRankGroup; }

size_t BytesOfA(const LowRank& change, const MatrixPart& part) {
  TensorView a = change.a;
  a.cols = part.cols;
  return Aligned(a.bytes());
}

size_t BytesOfB(const LowRank& change, const MatrixPart& part) {
  const auto floats = static_cast<size_t>(Groups(part.rows) * kLowRankGroup * change.rank());
  return Aligned(floats * sizeof(float));
}

/// The columns of `part`.
TensorView CopyA(const TensorView& a, const MatrixPart& part, std::byte* out) {
  TensorView copy = a;
  copy.cols = part.cols;
  copy.data = out;
  const auto element = static_cast<size_t>(BlockBytes(a.type));
  for (int64_t j = 0; j < a.rows; ++j) {
    std::memcpy(out + static_cast<size_t>(j) * copy.row_bytes(),
                a.row(j) + static_cast<size_t>(part.first_col) * element, copy.row_bytes());
  }
  return copy;
}

/// The rows of `part`, kLowRankGroup of them interleaved. `out` holds zeros.
void PackB(const TensorView& b, const MatrixPart& part, float* out) {
  std::vector<float> row(static_cast<size_t>(b.cols));
  for (int64_t r = 0; r < part.rows; ++r) {
    LoadInto(b.type, b.row(part.first_row + r), row);
    float* lane = out + r / kLowRankGroup * kLowRankGroup * b.cols + r % kLowRankGroup;
    for (const float value : row) {
      *lane = value;
      lane += kLowRankGroup;
    }
  }
}

}  // namespace

absl::StatusOr<LoraProducts> LoraProducts::Create(std::span<const LoraAdapter* const> adapters,
                                                  const ModelConfig& whole, RankOf place) {
  const auto part_of = [&](int target) {
    return LoraTargetPart(whole, static_cast<LoraTarget>(target), place);
  };
  size_t bytes = 0;
  for (const LoraAdapter* adapter : adapters) {
    for (const LoraLayer& layer : adapter->layers) {
      for (int t = 0; t < kLoraTargets; ++t) {
        const LowRank& change = layer[static_cast<size_t>(t)];
        if (!change.empty()) bytes += BytesOfA(change, part_of(t)) + BytesOfB(change, part_of(t));
      }
    }
  }
  absl::StatusOr<AlignedBuffer> storage = AlignedBuffer::Allocate(bytes);
  if (!storage.ok()) return storage.status();
  LoraProducts made;
  made.storage_ = *std::move(storage);
  made.layers_ = whole.layers;
  std::byte* out = made.storage_.data();
  for (const LoraAdapter* adapter : adapters) {
    for (const LoraLayer& layer : adapter->layers) {
      for (int t = 0; t < kLoraTargets; ++t) {
        const LowRank& change = layer[static_cast<size_t>(t)];
        Change& added = made.changes_.emplace_back();
        if (change.empty()) continue;
        const MatrixPart part = part_of(t);
        added.a = CopyA(change.a, part, out);
        out += BytesOfA(change, part);
        added.b = reinterpret_cast<const float*>(out);
        PackB(change.b, part, reinterpret_cast<float*>(out));
        out += BytesOfB(change, part);
        added.outputs = part.rows;
        added.scale = change.scale;
      }
    }
  }
  return made;
}

const LoraProducts::Change& LoraProducts::At(int adapter, int layer, LoraTarget target) const {
  const int index = (adapter * layers_ + layer) * kLoraTargets + static_cast<int>(target);
  return changes_[static_cast<size_t>(index)];
}

void LoraProducts::Plan(int layer, std::span<const AdaptedProduct> products) {
  tasks_.clear();
  int64_t low = 0;
  for (const AdapterRows& rows : rows_) {
    for (const AdaptedProduct& product : products) {
      const Change& change = At(rows.adapter, layer, product.target);
      if (change.b == nullptr) continue;
      tasks_.push_back({&change, rows, product.out, low});
      low += rows.count * change.a.rows;
    }
  }
  low_.resize(static_cast<size_t>(low));
}

void LoraProducts::ComputeLow(const float* x, const Kernels& kernels, ThreadPool& threads) {
  int64_t rows = 0, work = 0;
  for (const Task& task : tasks_) {
    rows += task.change->a.rows;
    work += task.change->a.rows * task.change->a.cols * task.rows.count;
  }
  threads.ParallelRange(rows, kGrain * rows / work + 1, [&](int64_t begin, int64_t end) {
    int64_t first = 0;  // row of this task among all
    for (const Task& task : tasks_) {
      const TensorView& a = task.change->a;
      const int64_t from = std::clamp<int64_t>(begin - first, 0, a.rows);
      const int64_t to = std::clamp<int64_t>(end - first, 0, a.rows);
      first += a.rows;
      if (from == to) continue;
      float* out = low_.data() + task.low;
      kernels.matmul({.weights = a,
                      .x = x + task.rows.first * a.cols,
                      .tokens = task.rows.count,
                      .row_begin = from,
                      .row_end = to,
                      .out = out,
                      .out_stride = a.rows});
      for (int64_t t = 0; t < task.rows.count; ++t) {
        for (int64_t j = from; j < to; ++j) out[t * a.rows + j] *= task.change->scale;
      }
    }
  });
}

void LoraProducts::AddProducts(const Kernels& kernels, ThreadPool& threads) {
  int64_t groups = 0, work = 0;
  for (const Task& task : tasks_) {
    groups += Groups(task.change->outputs);
    work += task.change->outputs * task.change->a.rows * task.rows.count;
  }
  threads.ParallelRange(groups, kGrain * groups / work + 1, [&](int64_t begin, int64_t end) {
    int64_t first = 0;  // group of this task among all
    for (const Task& task : tasks_) {
      const Change& change = *task.change;
      const int64_t count = Groups(change.outputs);
      const int64_t from = std::clamp<int64_t>(begin - first, 0, count);
      const int64_t to = std::clamp<int64_t>(end - first, 0, count);
      first += count;
      if (from == to) continue;
      kernels.add_low_rank({.b = change.b,
                            .h = low_.data() + task.low,
                            .rank = static_cast<int>(change.a.rows),
                            .tokens = task.rows.count,
                            .outputs = change.outputs,
                            .group_begin = from,
                            .group_end = to,
                            .out = task.out + task.rows.first * change.outputs,
                            .out_stride = change.outputs});
    }
  });
}

void LoraProducts::AddInto(int layer, const float* x, std::span<const AdaptedProduct> products,
                           const Kernels& kernels, ThreadPool& threads) {
  if (rows_.empty()) return;
  Plan(layer, products);
  if (tasks_.empty()) return;
  ComputeLow(x, kernels, threads);
  AddProducts(kernels, threads);
}

}  // namespace emptor::engine
