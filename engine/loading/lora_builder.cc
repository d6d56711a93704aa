// Checks come before any copy.
#include "engine/loading/lora_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "engine/tensor/store.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kMaxRank = 1024;

/// Quantised numbers become F32, which holds each of them.
DType KeptType(DType type) { return IsQuantized(type) ? DType::kF32 : type; }

size_t CopiedBytes(TensorView view) {
  view.type = KeptType(view.type);
  return (view.bytes() + 63) / 64 * 64;
}

bool IsFeedForward(LoraTarget target) {
  return target == LoraTarget::kGate || target == LoraTarget::kUp || target == LoraTarget::kDown;
}

}  // namespace

LoraBuilder::LoraBuilder(std::string path, const ModelConfig& base, bool halves)
    : path_(std::move(path)),
      base_(base),
      halves_(halves),
      layers_(static_cast<size_t>(base.layers)) {}

absl::Status LoraBuilder::Error(std::string_view field, std::string_view what) const {
  return absl::InvalidArgumentError(fmt::format("{}: {}: {}", path_, field, what));
}

absl::Status LoraBuilder::Add(LoraTensor tensor) {
  const std::string field = "tensor " + tensor.name;
  if (tensor.layer < 0 || tensor.layer >= base_.layers) {
    return Error(field, fmt::format("layer {}: the base model has {} layers; is the adapter made "
                                    "for another one?",
                                    tensor.layer, base_.layers));
  }
  if (base_.experts > 0 && IsFeedForward(tensor.target)) {
    return absl::UnimplementedError(
        fmt::format("{}: {}: adapters of experts are not supported", path_, field));
  }
  Pair& pair = layers_[static_cast<size_t>(tensor.layer)][static_cast<size_t>(tensor.target)];
  int& half = tensor.is_a ? pair.a : pair.b;
  if (half >= 0) {
    return Error(field,
                 fmt::format("the same matrix as {}", tensors_[static_cast<size_t>(half)].name));
  }
  half = static_cast<int>(tensors_.size());
  tensors_.push_back(std::move(tensor));
  return absl::OkStatus();
}

absl::Status LoraBuilder::CheckPair(const Pair& pair) const {
  if (pair.a < 0 || pair.b < 0) {
    const LoraTensor& found = tensors_[static_cast<size_t>(std::max(pair.a, pair.b))];
    return Error("tensor " + found.name,
                 fmt::format("comes without its lora_{}", found.is_a ? 'b' : 'a'));
  }
  const LoraTensor& a = tensors_[static_cast<size_t>(pair.a)];
  const LoraTensor& b = tensors_[static_cast<size_t>(pair.b)];
  const auto [rows, cols] = LoraTargetShape(base_, a.target);
  const auto check = [&](const LoraTensor& tensor, int64_t want_rows, int64_t want_cols) {
    const TensorView& view = tensor.stored.view;
    if (tensor.stored.dims.size() == 2 && view.rows == want_rows && view.cols == want_cols) {
      return absl::OkStatus();
    }
    return Error("tensor " + tensor.name,
                 fmt::format("expected {} x {} for the base model, found {} x {}; is the adapter "
                             "made for another one?",
                             want_rows, want_cols, view.rows, view.cols));
  };
  const int64_t rank = a.stored.view.rows;
  if (rank < 1 || rank > kMaxRank) {
    return Error("tensor " + a.name,
                 fmt::format("rank: expected 1 to {}, found {}", kMaxRank, rank));
  }
  if (absl::Status status = check(a, rank, cols); !status.ok()) return status;
  return check(b, rows, rank);
}

absl::StatusOr<TensorView> LoraBuilder::Copy(const LoraTensor& tensor, std::byte* out) const {
  const TensorView& stored = tensor.stored.view;
  TensorView copy = stored;
  copy.type = KeptType(stored.type);
  copy.data = out;
  const bool rotates = tensor.target == LoraTarget::kQuery || tensor.target == LoraTarget::kKey;
  const bool permutes = !tensor.is_a && rotates && halves_ != base_.rope.neox;
  std::vector<float> values(static_cast<size_t>(stored.cols));
  for (int64_t row = 0; row < stored.rows; ++row) {
    const int64_t from = !permutes ? row
                         : halves_ ? RowOfHalves(row, base_.head_dim)
                                   : RowOfNeighbours(row, base_.head_dim);
    LoadInto(stored.type, stored.row(from), values);
    if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
      return Error("tensor " + tensor.name, "holds a number that is not finite");
    }
    std::byte* at = out + static_cast<size_t>(row) * copy.row_bytes();
    if (copy.type == stored.type) {
      std::memcpy(at, stored.row(from), copy.row_bytes());
    } else {
      StoreInto(copy.type, values, at);
    }
  }
  return copy;
}

absl::StatusOr<LoraAdapter> LoraBuilder::Build(
    const std::function<absl::StatusOr<double>(int rank, const LoraTensor& a)>& scale_of) const {
  if (tensors_.empty()) return Error("tensors", "there are none");
  size_t bytes = 0;
  for (const auto& layer : layers_) {
    for (const Pair& pair : layer) {
      if (pair.a < 0 && pair.b < 0) continue;
      if (absl::Status status = CheckPair(pair); !status.ok()) return status;
    }
  }
  for (const LoraTensor& tensor : tensors_) bytes += CopiedBytes(tensor.stored.view);
  absl::StatusOr<AlignedBuffer> storage = AlignedBuffer::Allocate(bytes);
  if (!storage.ok()) return storage.status();
  LoraAdapter adapter;
  adapter.path = path_;
  adapter.layers.resize(layers_.size());
  std::byte* out = storage->data();
  for (size_t i = 0; i < layers_.size(); ++i) {
    for (size_t t = 0; t < kLoraTargets; ++t) {
      const Pair& pair = layers_[i][t];
      if (pair.a < 0) continue;
      LowRank& change = adapter.layers[i][t];
      const LoraTensor& a = tensors_[static_cast<size_t>(pair.a)];
      for (const auto& [tensor, view] :
           {std::pair(&a, &change.a), {&tensors_[static_cast<size_t>(pair.b)], &change.b}}) {
        absl::StatusOr<TensorView> copy = Copy(*tensor, out);
        if (!copy.ok()) return copy.status();
        *view = *copy;
        out += CopiedBytes(*copy);
      }
      const absl::StatusOr<double> scale = scale_of(change.rank(), a);
      if (!scale.ok()) return scale.status();
      change.scale = static_cast<float>(*scale);
      if (!std::isfinite(change.scale)) return Error("lora_alpha", "out of range");
    }
  }
  adapter.storage = *std::move(storage);
  return adapter;
}

}  // namespace emptor::engine
