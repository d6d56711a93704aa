// Names of tensors to matrices of layers, for either kind of adapter.
#include "engine/loading/lora_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "engine/loading/json_file.h"
#include "engine/loading/lora_builder.h"
#include "engine/loading/peft_config.h"
#include "engine/tensor/file_image.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr const char* kPeftConfig = "adapter_config.json";
constexpr const char* kPeftWeights = "adapter_model.safetensors";
constexpr size_t kMaxConfigBytes = 1u << 20;

/// By LoraTarget.
constexpr std::array<std::string_view, kLoraTargets> kGgufNames = {
    "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"};
constexpr std::array<std::string_view, kLoraTargets> kPeftNames = {
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
    "mlp.gate_proj",    "mlp.up_proj",      "mlp.down_proj"};

/// A tensor's place in the model.
struct Place {
  int layer = 0;
  LoraTarget target = LoraTarget::kQuery;
  bool is_a = true;
};

/// Cuts `prefix` off; false when the text does not begin with it.
bool Skip(std::string_view prefix, std::string_view& text) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "12.attn_q" with the names of the targets.
std::optional<Place> ParsePlace(std::string_view text,
                                const std::array<std::string_view, kLoraTargets>& names,
                                bool is_a) {
  Place place{.is_a = is_a};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, place.layer);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.') return std::nullopt;
  const std::string_view name(read.ptr + 1, static_cast<size_t>(end - read.ptr - 1));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  place.target = static_cast<LoraTarget>(found - names.begin());
  return place;
}

/// Cuts one of two endings off; nothing when the text has neither.
std::optional<bool> CutSide(std::string_view a, std::string_view b, std::string_view& text) {
  for (const std::string_view ending : {a, b}) {
    if (!text.ends_with(ending)) continue;
    text.remove_suffix(ending.size());
    return ending == a;
  }
  return std::nullopt;
}

std::optional<Place> GgufPlace(std::string_view name) {
  const std::optional<bool> is_a = CutSide(".weight.lora_a", ".weight.lora_b", name);
  if (!is_a || !Skip("blk.", name)) return std::nullopt;
  return ParsePlace(name, kGgufNames, *is_a);
}

/// "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight": PEFT's wrapper, the base
/// model's own name of the module, the side.
std::optional<Place> PeftPlace(std::string_view name) {
  const std::optional<bool> is_a = CutSide(".lora_A.weight", ".lora_B.weight", name);
  if (!is_a || !Skip("base_model.model.", name)) return std::nullopt;
  Skip("model.", name);  // not there when the base was loaded without its output matrix
  if (!Skip("layers.", name)) return std::nullopt;
  return ParsePlace(name, kPeftNames, *is_a);
}

/// The base model's name of the module.
std::string_view PeftModule(std::string_view name) {
  Skip("base_model.model.", name);
  CutSide(".lora_A.weight", ".lora_B.weight", name);
  return name;
}

/// Why a tensor is refused.
std::string WhyUnknown(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (has("lora_magnitude_vector")) return "DoRA is not supported";
  if (has("embed") || has("embd") || has("lm_head") || has("output.weight")) {
    return "adapters of the embedding and of the output matrix are not supported";
  }
  if (has("norm")) return "changed norms are not supported";
  if (has("bias")) return "biases are not supported";
  if (has("exp")) return "adapters of experts are not supported";
  return "expected lora_A and lora_B of the projections q, k, v, o, gate, up and down";
}

absl::Status Unknown(const std::string& path, std::string_view name) {
  return absl::UnimplementedError(
      fmt::format("{}: tensor {}: {}", path, name.substr(0, 256), WhyUnknown(name)));
}

/// That the file is an adapter of a kind that is known.
absl::Status CheckGgufKind(const GgufFile& file) {
  for (const auto& [key, expected] :
       {std::pair<const char*, std::string_view>{"general.type", "adapter"},
        {"adapter.type", "lora"}}) {
    const auto found = file.String(key, "");
    if (!found.ok()) return found.status();
    if (*found == expected) continue;
    return file.Error(key, fmt::format("expected {:?}, found {:?}; is the file a LoRA adapter?",
                                       std::string(expected), std::string(found->substr(0, 64))));
  }
  constexpr const char* kInvocation = "adapter.alora.invocation_tokens";
  if (file.FindValue(kInvocation) == nullptr) return absl::OkStatus();
  return file.Unsupported(kInvocation, "activated LoRA is not supported");
}

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

/// The GGUF file at a path: itself, or the only one in a folder.
absl::StatusOr<std::string> GgufPath(const std::string& path) {
  if (!IsDirectory(path)) return path;
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (entry.path().extension() == ".gguf") found.push_back(entry.path().string());
  }
  if (found.size() == 1) return found.front();
  return absl::InvalidArgumentError(
      fmt::format("{}: expected {} with {}, or one .gguf file, found {} of them", path, kPeftConfig,
                  kPeftWeights, found.size()));
}

/// The text of a folder's adapter_config.json.
absl::StatusOr<std::string> ReadPeftConfigText(const std::string& folder) {
  const auto image = ReadFileImage(folder + '/' + kPeftConfig, kMaxConfigBytes);
  if (!image.ok()) return image.status();
  return std::string(reinterpret_cast<const char*>(image->data()), image->size());
}

absl::StatusOr<std::unique_ptr<const SafetensorsFile>> LoadPeftWeights(const std::string& folder) {
  const std::string path = folder + '/' + kPeftWeights;
  if (!Exists(path) && Exists(folder + "/adapter_model.bin")) {
    return absl::UnimplementedError(
        fmt::format("{}: adapter_model.bin holds Python objects; save the adapter as {}", folder,
                    kPeftWeights));
  }
  return SafetensorsFile::Load(path);
}

/// "q, k, v of 30 layers, rank 16".
std::string Coverage(const std::map<std::string, int>& matrices, const std::set<int64_t>& ranks) {
  std::string text;
  for (const auto& [name, count] : matrices) {
    text += fmt::format("{}{} in {} layers", text.empty() ? "" : ", ", name, count);
  }
  text += "; rank";
  for (const int64_t rank : ranks) text += fmt::format(" {}", rank);
  return text;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

absl::StatusOr<Lines> DescribeGgufLora(const std::string& path) {
  const auto file = GgufFile::Load(path);
  if (!file.ok()) return file.status();
  if (absl::Status status = CheckGgufKind(**file); !status.ok()) return status;
  std::map<std::string, int> matrices;
  std::set<int64_t> ranks;
  for (const GgufTensor& tensor : (*file)->tensors()) {
    const auto place = GgufPlace(tensor.name);
    if (!place) return Unknown(path, tensor.name);
    if (!place->is_a) continue;
    ++matrices[std::string(kGgufNames[static_cast<size_t>(place->target)])];
    ranks.insert(tensor.View().rows);
  }
  const auto architecture = (*file)->String("general.architecture", "");
  const auto base = (*file)->String("general.base_model.0.name", "");
  const auto alpha = (*file)->Number("adapter.lora.alpha", 0.0);
  if (!alpha.ok()) return alpha.status();
  return Lines{{"adapter", fmt::format("LoRA in GGUF, {}", path)},
               {"base", fmt::format("{} {}", architecture.ok() ? *architecture : "",
                                    base.ok() ? *base : "")},
               {"matrices", Coverage(matrices, ranks)},
               {"scale", *alpha == 0 ? "1" : fmt::format("{:g} / rank", *alpha)}};
}

absl::StatusOr<Lines> DescribePeftLora(const std::string& path) {
  const auto text = ReadPeftConfigText(path);
  if (!text.ok()) return text.status();
  const auto config = PeftConfig::Parse(*text, path + '/' + kPeftConfig);
  if (!config.ok()) return config.status();
  const auto file = LoadPeftWeights(path);
  if (!file.ok()) return file.status();
  std::map<std::string, int> matrices;
  std::set<int64_t> ranks;
  for (const SafeTensor& tensor : (*file)->tensors()) {
    const auto place = PeftPlace(tensor.name);
    if (!place) return Unknown(path, tensor.name);
    if (!place->is_a) continue;
    ++matrices[std::string(kPeftNames[static_cast<size_t>(place->target)])];
    if (!tensor.dims.empty()) ranks.insert(tensor.dims.front());
  }
  return Lines{{"adapter", fmt::format("LoRA in PEFT's layout, {}", path)},
               {"base", config->base_model().empty() ? "not stated" : config->base_model()},
               {"matrices", Coverage(matrices, ranks)},
               {"scale", fmt::format("{:g} / {}", config->alpha(),
                                     config->rslora() ? "square root of the rank" : "rank")}};
}

}  // namespace

absl::StatusOr<LoraAdapter> ReadGgufLora(const GgufFile& file, const ModelConfig& base) {
  if (absl::Status status = CheckGgufKind(file); !status.ok()) return status;
  const auto architecture = file.String("general.architecture");
  if (!architecture.ok()) return architecture.status();
  if (*architecture != GgufArchitecture(base)) {
    return file.Error(
        "general.architecture",
        fmt::format("expected {}, that of the base model, found {:?}", GgufArchitecture(base),
                    std::string(architecture->substr(0, 64))));
  }
  const auto alpha = file.Number("adapter.lora.alpha", 0.0);
  if (!alpha.ok()) return alpha.status();
  LoraBuilder builder(file.name(), base, /*halves=*/*architecture != "llama");
  for (const std::string_view name : file.TensorNames()) {
    const auto place = GgufPlace(name);
    if (!place) return Unknown(file.name(), name);
    const auto stored = file.Find(name);
    if (!stored.ok()) return stored.status();
    absl::Status added =
        builder.Add({std::string(name), place->layer, place->target, place->is_a, **stored});
    if (!added.ok()) return added;
  }
  return builder.Build([&](int rank, const LoraTensor&) -> absl::StatusOr<double> {
    return *alpha == 0 ? 1 : *alpha / rank;
  });
}

absl::StatusOr<LoraAdapter> ReadPeftLora(const std::string& path, std::string_view config,
                                         const SafetensorsFile& weights, const ModelConfig& base) {
  const auto peft = PeftConfig::Parse(config, path + '/' + kPeftConfig);
  if (!peft.ok()) return peft.status();
  LoraBuilder builder(path, base, /*halves=*/true);
  for (const SafeTensor& tensor : weights.tensors()) {
    const auto place = PeftPlace(tensor.name);
    if (!place) return Unknown(path, tensor.name);
    if (!tensor.type) {
      return absl::UnimplementedError(
          fmt::format("{}: tensor {}: expected F32, F16 or BF16, found {}", path, tensor.name,
                      tensor.stored_type));
    }
    absl::Status added = builder.Add(
        {tensor.name, place->layer, place->target, place->is_a, {tensor.View(), tensor.dims}});
    if (!added.ok()) return added;
  }
  return builder.Build(
      [&](int rank, const LoraTensor& a) { return peft->ScaleOf(PeftModule(a.name), rank); });
}

bool IsPeftFolder(const std::string& path) { return Exists(path + '/' + kPeftConfig); }

absl::StatusOr<LoraAdapter> LoadLora(const std::string& path, const ModelConfig& base) {
  if (IsPeftFolder(path)) {
    const auto text = ReadPeftConfigText(path);
    if (!text.ok()) return text.status();
    const auto weights = LoadPeftWeights(path);
    if (!weights.ok()) return weights.status();
    return ReadPeftLora(path, *text, **weights, base);
  }
  const auto file = GgufPath(path);
  if (!file.ok()) return file.status();
  const auto loaded = GgufFile::Load(*file);
  if (!loaded.ok()) return loaded.status();
  return ReadGgufLora(**loaded, base);
}

absl::StatusOr<Lines> DescribeLora(const std::string& path) {
  if (IsPeftFolder(path)) return DescribePeftLora(path);
  const auto file = GgufPath(path);
  return file.ok() ? DescribeGgufLora(*file) : file.status();
}

}  // namespace emptor::engine
