// Port: access to the files of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/model/model_config.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// The naming scheme of the tensors.
enum class TensorNaming {
  kGguf,         // blk.0.attn_q.weight
  kHuggingFace,  // model.layers.0.self_attn.q_proj.weight
};

/// A tensor as it is stored: `dims` slowest first, the view's columns are the last of them.
struct StoredTensor {
  TensorView view;
  std::vector<int64_t> dims;
};

/// Implementations: GgufFile, HfDirectory. Both read untrusted files: every view lies
/// within memory that they own.
/// Thread-safety: immutable but for Release. Lifetime: views live as long as the object.
class ModelSource {
 public:
  virtual ~ModelSource() = default;
  ModelSource(const ModelSource&) = delete;
  ModelSource& operator=(const ModelSource&) = delete;

  /// The path; begins every message.
  virtual const std::string& name() const = 0;
  /// Bytes of all files of weights.
  virtual size_t size() const = 0;
  /// Bytes in memory before anything is released: the files, or what was made of them.
  virtual size_t memory_bytes() const { return size(); }
  virtual TensorNaming naming() const = 0;

  /// The model's shape, every number bounded. Errors: kInvalidArgument (names the field),
  /// kUnimplemented (architecture, or a feature of it that the engine does not compute).
  virtual absl::StatusOr<ModelConfig> Config() const = 0;

  /// The tensor of that name; nothing when there is none. Errors: kUnimplemented (a type that the
  /// engine does not compute with).
  virtual absl::StatusOr<std::optional<StoredTensor>> Find(std::string_view tensor) const = 0;
  /// The names of all tensors.
  virtual std::vector<std::string_view> TensorNames() const = 0;

  /// Returns the memory of these bytes of a tensor to the system, for a reader that has a copy in
  /// another layout; the bytes are lost. Does nothing to memory that the source does not own.
  /// Thread-safety: while no thread reads the tensor.
  virtual void Release(std::span<const std::byte> bytes) const = 0;

  /// kInvalidArgument with "name: field: what".
  absl::Status Error(std::string_view field, std::string_view what) const;
  /// kUnimplemented with the same.
  absl::Status Unsupported(std::string_view field, std::string_view what) const;

 protected:
  ModelSource() = default;
};

}  // namespace emptor::engine
