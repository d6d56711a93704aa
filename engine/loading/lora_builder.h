// Puts the tensors of an adapter's file together and checks them against the base model.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/model/lora_adapter.h"
#include "engine/model/model_config.h"
#include "engine/model/model_source.h"

namespace emptor::engine {

/// One tensor of an adapter.
struct LoraTensor {
  std::string name;  // for messages
  int layer = 0;
  LoraTarget target = LoraTarget::kQuery;
  bool is_a = true;
  StoredTensor stored;
};

/// Collects tensors; the source of their bytes is read in Build.
class LoraBuilder {
 public:
  /// `path` begins the messages. `halves`: queries and keys of the adapter rotate halves (NeoX),
  /// not neighbours.
  LoraBuilder(std::string path, const ModelConfig& base, bool halves);

  /// Errors: kInvalidArgument (a layer that the base does not have, a tensor that came twice),
  /// kUnimplemented (a matrix of experts).
  absl::Status Add(LoraTensor tensor);

  /// `scale_of(rank, tensor)`: of a pair; the tensor is its a. Errors: kInvalidArgument (half a
  /// pair, no pair at all, another shape than the base has, a rank beyond 1 to 1024, a number or
  /// scale that is not finite), those of `scale_of`; kResourceExhausted.
  absl::StatusOr<LoraAdapter> Build(
      const std::function<absl::StatusOr<double>(int rank, const LoraTensor& a)>& scale_of) const;

 private:
  struct Pair {
    int a = -1, b = -1;  // indexes of tensors_
  };

  absl::Status Error(std::string_view field, std::string_view what) const;
  absl::Status CheckPair(const Pair& pair) const;
  absl::StatusOr<TensorView> Copy(const LoraTensor& tensor, std::byte* out) const;

  std::string path_;
  ModelConfig base_;
  bool halves_;
  std::vector<LoraTensor> tensors_;
  std::vector<std::array<Pair, kLoraTargets>> layers_;
};

}  // namespace emptor::engine
