// A model's directory in Hugging Face's layout: config.json, perhaps generation_config.json, and
// model.safetensors, or model.safetensors.index.json with the shards that it names.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/json/json_tree.h"
#include "engine/loading/int4_matrix.h"
#include "engine/loading/safetensors.h"
#include "engine/model/model_source.h"

namespace emptor::engine {

/// The checked files, in memory; no file name leads out of the directory. Queries and keys
/// of these models have NeoX rotation. Matrices of GPTQ and AWQ checkpoints of 4 bits are found as
/// Q4_0 or Q4_1 (int4_matrix.h), under the names of matrices that are not quantised.
/// Thread-safety: immutable but for Release.
class HfDirectory final : public ModelSource {
 public:
  /// Errors: as SafetensorsFile::Load, ReadJsonFile and ConvertInt4; kInvalidArgument (an index
  /// that disagrees with its shards; names the tensor).
  static absl::StatusOr<std::unique_ptr<const HfDirectory>> Load(const std::string& directory);

  const std::string& name() const override { return name_; }
  size_t size() const override;
  size_t memory_bytes() const override;
  TensorNaming naming() const override { return TensorNaming::kHuggingFace; }
  /// From config.json: model_type llama, mistral, mixtral, qwen2 or qwen3, with the defaults that
  /// transformers has for keys that are not there. Special tokens from generation_config.json, and
  /// from config.json for those that it lacks.
  absl::StatusOr<ModelConfig> Config() const override;
  /// Config() of a directory called `name` with these files; an empty `generation` is absent.
  /// Errors: as JsonTree::Parse and Config.
  static absl::StatusOr<ModelConfig> ParseConfig(std::string_view config,
                                                 std::string_view generation,
                                                 const std::string& name);
  absl::StatusOr<std::optional<StoredTensor>> Find(std::string_view tensor) const override;
  std::vector<std::string_view> TensorNames() const override;
  void Release(std::span<const std::byte> bytes) const override;

 private:
  HfDirectory(std::string name, JsonTree config)
      : name_(std::move(name)), config_(std::move(config)) {}
  absl::Status LoadShards();
  absl::StatusOr<std::vector<std::string>> ShardNames(JsonView weight_map) const;
  absl::Status AddShard(const std::string& file);
  absl::Status CheckIndex(JsonView weight_map) const;
  /// What config.json says in quantization_config; nothing when it says nothing. Errors:
  /// kInvalidArgument, kUnimplemented (another method or number of bits), naming the field.
  absl::StatusOr<std::optional<Int4Format>> Quantization() const;
  /// Converts all matrices of 4 bits and frees their stored form.
  absl::Status ConvertMatrices(const Int4Format& format);
  absl::Status ConvertMatrix(const std::string& name, const Int4Format& format);
  /// Takes a tensor out of the directory; null when there is none.
  const SafeTensor* Take(const std::string& tensor);

  std::string name_;
  JsonTree config_;
  std::optional<JsonTree> generation_;
  std::vector<std::unique_ptr<const SafetensorsFile>> shards_;
  std::unordered_map<std::string_view, const SafeTensor*> tensors_;
  size_t freed_ = 0;  // bytes of tensors that were converted
  mutable std::map<std::string, Int4Matrix, std::less<>> converted_;  // by name; see Release
};

}  // namespace emptor::engine
