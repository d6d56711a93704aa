// Joins shards; what config.json says is read in hf_config.cc.
#include "engine/loading/hf_directory.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/loading/json_file.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr JsonLimits kConfigLimits = {.max_bytes = 1u << 20, .max_nodes = 1u << 16};
constexpr JsonLimits kIndexLimits = {.max_bytes = 64u << 20, .max_depth = 8};
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kWhole = "model.safetensors";
constexpr size_t kMaxShards = 1000;
constexpr size_t kMaxFileName = 255;

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// A name of a file in the directory itself.
bool IsShardName(std::string_view name) {
  return name.size() <= kMaxFileName && name.ends_with(".safetensors") && !name.starts_with('.') &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const HfDirectory>> HfDirectory::Load(const std::string& directory) {
  absl::StatusOr<JsonTree> config = ReadJsonFile(directory + "/config.json", kConfigLimits);
  if (!config.ok()) return config.status();
  std::unique_ptr<HfDirectory> model(new HfDirectory(directory, std::move(*config)));
  const std::string generation = directory + "/generation_config.json";
  if (Exists(generation)) {
    absl::StatusOr<JsonTree> tree = ReadJsonFile(generation, kConfigLimits);
    if (!tree.ok()) return tree.status();
    model->generation_ = std::move(*tree);
  }
  const auto quantization = model->Quantization();
  if (!quantization.ok()) return quantization.status();
  const absl::Status loaded = model->LoadShards();
  if (!loaded.ok()) return loaded;
  if (*quantization) {
    const absl::Status converted = model->ConvertMatrices(**quantization);
    if (!converted.ok()) return converted;
  }
  return std::unique_ptr<const HfDirectory>(std::move(model));
}

absl::StatusOr<ModelConfig> HfDirectory::ParseConfig(std::string_view config,
                                                     std::string_view generation,
                                                     const std::string& name) {
  absl::StatusOr<JsonTree> tree = JsonTree::Parse(config, kConfigLimits);
  if (!tree.ok()) return tree.status();
  HfDirectory model(name, std::move(*tree));
  if (!generation.empty()) {
    tree = JsonTree::Parse(generation, kConfigLimits);
    if (!tree.ok()) return tree.status();
    model.generation_ = std::move(*tree);
  }
  return model.Config();
}

absl::Status HfDirectory::LoadShards() {
  if (Exists(name_ + '/' + kWhole) || !Exists(name_ + '/' + kIndex)) {
    return AddShard(kWhole);
  }
  const absl::StatusOr<JsonTree> index = ReadJsonFile(name_ + '/' + kIndex, kIndexLimits);
  if (!index.ok()) return index.status();
  const std::optional<JsonView> weight_map = index->root().Find("weight_map");
  if (!weight_map || !weight_map->is_object()) {
    return Error(kIndex, "weight_map: expected an object");
  }
  const absl::StatusOr<std::vector<std::string>> names = ShardNames(*weight_map);
  if (!names.ok()) return names.status();
  for (const std::string& shard : *names) {
    const absl::Status added = AddShard(shard);
    if (!added.ok()) return added;
  }
  return CheckIndex(*weight_map);
}

absl::StatusOr<std::vector<std::string>> HfDirectory::ShardNames(JsonView weight_map) const {
  std::vector<std::string> names;
  absl::Status status;
  weight_map.ForEachMember([&](std::string_view tensor, JsonView file) {
    if (!status.ok()) return;
    if (!file.is_string() || !IsShardName(file.as_string())) {
      status = Error(
          kIndex, fmt::format("weight_map: {}: expected the name of a .safetensors file", tensor));
      return;
    }
    names.emplace_back(file.as_string());
  });
  if (!status.ok()) return status;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty() || names.size() > kMaxShards) {
    return Error(kIndex, fmt::format("weight_map: expected 1 to {} files, found {}", kMaxShards,
                                     names.size()));
  }
  return names;
}

absl::Status HfDirectory::AddShard(const std::string& file) {
  auto shard = SafetensorsFile::Load(name_ + '/' + file);
  if (!shard.ok()) return shard.status();
  for (const SafeTensor& tensor : (*shard)->tensors()) {
    if (!tensors_.emplace(tensor.name, &tensor).second) {
      return (*shard)->Error(fmt::format("tensor {}", tensor.name), "is in another shard too");
    }
  }
  shards_.push_back(std::move(*shard));
  return absl::OkStatus();
}

absl::Status HfDirectory::CheckIndex(JsonView weight_map) const {
  absl::Status status;
  weight_map.ForEachMember([&](std::string_view tensor, JsonView file) {
    if (!status.ok()) return;
    const auto shard = std::find_if(shards_.begin(), shards_.end(), [&](const auto& candidate) {
      return candidate->name() == name_ + '/' + std::string(file.as_string());
    });
    if ((*shard)->FindTensor(tensor) != nullptr) return;
    status =
        (*shard)->Error(fmt::format("tensor {}", tensor), "missing, though the index names it");
  });
  if (!status.ok() || weight_map.size() == tensors_.size()) return status;
  return Error(kIndex, fmt::format("weight_map: expected {} tensors, found {}", tensors_.size(),
                                   weight_map.size()));
}

const SafeTensor* HfDirectory::Take(const std::string& tensor) {
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) return nullptr;
  const SafeTensor* taken = found->second;
  tensors_.erase(found);
  return taken;
}

absl::Status HfDirectory::ConvertMatrix(const std::string& name, const Int4Format& format) {
  const Int4Tensors stored{.qweight = Take(name + ".qweight"),
                           .qzeros = Take(name + ".qzeros"),
                           .scales = Take(name + ".scales"),
                           .g_idx = Take(name + ".g_idx")};
  absl::StatusOr<Int4Matrix> matrix = ConvertInt4(*this, name, format, stored);
  if (!matrix.ok()) return matrix.status();
  for (const SafeTensor* part : {stored.qweight, stored.qzeros, stored.scales, stored.g_idx}) {
    if (part == nullptr) continue;
    Release(part->bytes);
    freed_ += part->bytes.size();
  }
  if (tensors_.contains(name + ".weight")) {
    return Error(fmt::format("tensor {}", name), "is stored with and without quantisation");
  }
  // Some writers add a bias of zeros to every matrix that they quantise; those of the attention are
  // taken as they are.
  const auto bias = tensors_.find(name + ".bias");
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (bias != tensors_.end() && name.find(".self_attn.") == name.npos &&
      bias->second->dims == std::vector<int64_t>{matrix->rows} &&
      std::ranges::all_of(bias->second->bytes, is_zero)) {
    tensors_.erase(bias);
  }
  converted_.emplace(name + ".weight", *std::move(matrix));
  return absl::OkStatus();
}

absl::Status HfDirectory::ConvertMatrices(const Int4Format& format) {
  constexpr std::string_view kEnd = ".qweight";
  std::vector<std::string> names;
  for (const auto& [tensor, stored] : tensors_) {
    if (tensor.ends_with(kEnd)) names.emplace_back(tensor.substr(0, tensor.size() - kEnd.size()));
  }
  std::sort(names.begin(), names.end());  // so that messages do not depend on hashes
  for (const std::string& name : names) {
    const absl::Status converted = ConvertMatrix(name, format);
    if (!converted.ok()) return converted;
  }
  return absl::OkStatus();
}

size_t HfDirectory::size() const {
  size_t bytes = 0;
  for (const auto& shard : shards_) bytes += shard->size();
  return bytes;
}

size_t HfDirectory::memory_bytes() const {
  size_t bytes = size() - freed_;
  for (const auto& [name, matrix] : converted_) bytes += matrix.blocks.size();
  return bytes;
}

absl::StatusOr<std::optional<StoredTensor>> HfDirectory::Find(std::string_view tensor) const {
  const auto converted = converted_.find(tensor);
  if (converted != converted_.end()) return converted->second.tensor();
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) return std::optional<StoredTensor>();
  if (!found->second->type) {
    return Unsupported(
        fmt::format("tensor {}", tensor),
        fmt::format("dtype: expected F32, F16 or BF16, found {}", found->second->stored_type));
  }
  return StoredTensor{found->second->View(), found->second->dims};
}

std::vector<std::string_view> HfDirectory::TensorNames() const {
  std::vector<std::string_view> names;
  names.reserve(tensors_.size() + converted_.size());
  for (const auto& shard : shards_) {
    for (const SafeTensor& tensor : shard->tensors()) {
      if (tensors_.contains(tensor.name)) names.push_back(tensor.name);
    }
  }
  for (const auto& [name, matrix] : converted_) names.push_back(name);
  return names;
}

void HfDirectory::Release(std::span<const std::byte> bytes) const {
  for (const auto& shard : shards_) shard->Release(bytes);
  for (auto& [name, matrix] : converted_) matrix.blocks.Discard(bytes);
}

}  // namespace emptor::engine
