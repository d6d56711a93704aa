// Describes a model file in a few lines.
#include "engine/loading/model_info.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/loading/gguf_file.h"
#include "engine/loading/lora_reader.h"
#include "engine/loading/model_loader.h"
#include "engine/model/lora_adapter.h"
#include "engine/model/model_weights.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

std::string Megabytes(size_t bytes) { return fmt::format("{:.2f} MB", double(bytes) / 1e6); }

/// The reason why the engine refuses this part of the file.
std::string Refused(const absl::Status& status) {
  return "not supported: " + std::string(status.message());
}

std::string Architecture(const ModelSource& source) {
  if (const auto* file = dynamic_cast<const GgufFile*>(&source); file != nullptr) {
    const auto name = file->String("general.architecture");
    return name.ok() ? std::string(*name) : Refused(name.status());
  }
  const auto config = source.Config();
  return config.ok() ? config->architecture : Refused(config.status());
}

/// ", 8 experts, 2 for a token": features that not every model has.
std::string Features(const ModelSource& source, const ModelConfig& c) {
  std::string text;
  if (c.experts > 0) text += fmt::format(", {} experts, {} for a token", c.experts, c.experts_used);
  const int window = *std::max_element(c.windows.begin(), c.windows.end());
  if (window > 0) text += fmt::format(", window {}", window);
  constexpr std::array<const char*, 4> kScalings = {"", "linear", "Llama 3", "YaRN"};
  if (c.rope.scaling != RopeConfig::Scaling::kNone) {
    text += fmt::format(", {} scaling by {:g}", kScalings[static_cast<size_t>(c.rope.scaling)],
                        c.rope.factor);
  }
  const auto output = source.Find("output.weight");
  const bool tied = c.tied.value_or(output.ok() && !output->has_value());
  return tied ? text + ", tied embeddings" : text;
}

std::string Shape(const ModelSource& source) {
  const auto config = source.Config();
  if (!config.ok()) return Refused(config.status());
  const ModelConfig& c = *config;
  return fmt::format(
      "{} layers, hidden size {}, {} heads of {}, {} key-value heads, intermediate size {}, "
      "context {}, "
      "RoPE base {:g}{}",
      c.layers, c.hidden_size, c.heads, c.head_dim, c.kv_heads, c.intermediate_size, c.context,
      c.rope.base, Features(source, c));
}

/// Parameters, and how many tensors are of which type.
std::pair<std::string, std::string> Counts(const ModelSource& source) {
  std::map<std::string_view, std::pair<int, size_t>> types;  // tensors, bytes
  const std::vector<std::string_view> names = source.TensorNames();
  int64_t elements = 0;
  for (const std::string_view name : names) {
    const auto tensor = source.Find(name);
    if (!tensor.ok() || !*tensor) continue;
    const TensorView& view = (*tensor)->view;
    elements += view.rows * view.cols;
    auto& [count, bytes] = types[DTypeName(view.type)];
    ++count;
    bytes += view.bytes();
  }
  std::string text;
  for (const auto& [name, sums] : types) {
    text += fmt::format("{}{}: {} tensors, {}", text.empty() ? "" : "; ", name, sums.first,
                        Megabytes(sums.second));
  }
  return {fmt::format("{:.2f} million in {} tensors", double(elements) / 1e6, names.size()),
          text.empty() ? "no tensors" : text};
}

std::string TokenizerLine(const ModelSource& source) {
  const auto tokenizer = ReadModelTokenizer(source);
  if (!tokenizer.ok()) return Refused(tokenizer.status());
  const VocabularySpec& spec = (*tokenizer)->vocabulary().spec();
  std::array<int, 7> counts{};
  for (const TokenType type : spec.types) ++counts[static_cast<size_t>(type)];
  constexpr std::array<const char*, 4> kKinds = {"byte-level BPE", "SentencePiece BPE",
                                                 "SentencePiece unigram", "WordPiece"};
  const auto* file = dynamic_cast<const GgufFile*>(&source);
  std::string pre;
  if (file != nullptr && spec.kind == TokenizerKind::kByteLevelBpe) {
    const auto name = file->String("tokenizer.ggml.pre", std::string_view());
    if (name.ok()) pre = fmt::format(" ({})", *name);
  }
  return fmt::format("{}{}, {} tokens ({} control, {} user-defined), {} merges",
                     kKinds[static_cast<size_t>(spec.kind)], pre, spec.tokens.size(),
                     counts[static_cast<size_t>(TokenType::kControl)],
                     counts[static_cast<size_t>(TokenType::kUserDefined)], spec.merges.size());
}

std::string Chat(const ModelSource& source) {
  const auto chat = ReadModelChatTemplate(source);
  if (!chat.ok()) return Refused(chat.status());
  if (!chat->status().ok()) return Refused(chat->status());
  return chat->own() ? "template of the file" : "no template: ChatML where it can be, else lines";
}

std::string Capabilities(const ModelSource& source) {
  const auto found = ReadModelCapabilities(source);
  if (!found.ok()) return Refused(found.status());
  std::string languages;
  for (const std::string& code : found->languages) {
    languages += (languages.empty() ? "" : ", ") + code;
  }
  return fmt::format("references: {}; languages: {}", found->references ? "yes" : "no",
                     languages.empty() ? "not stated" : languages);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeModel(const ModelSource& source) {
  auto [parameters, types] = Counts(source);
  return {{"file", fmt::format("{}, {}", source.name(), Megabytes(source.size()))},
          {"architecture", Architecture(source)},
          {"shape", Shape(source)},
          {"parameters", std::move(parameters)},
          {"types", std::move(types)},
          {"tokenizer", TokenizerLine(source)},
          {"chat", Chat(source)},
          {"capabilities", Capabilities(source)}};
}

namespace {

/// Whether a GGUF file says that it is an adapter.
bool IsAdapter(const ModelSource& source) {
  const auto* file = dynamic_cast<const GgufFile*>(&source);
  if (file == nullptr) return false;
  const auto type = file->String("general.type", "");
  return type.ok() && *type == "adapter";
}

/// What adding the adapter to the weights does.
absl::StatusOr<std::string> MergeLine(const ModelSource& source, const std::string& adapter) {
  const auto config = source.Config();
  if (!config.ok()) return config.status();
  const auto loaded = LoadLora(adapter, *config);
  if (!loaded.ok()) return loaded.status();
  auto weights = ModelWeights::Read(source, *config);
  if (!weights.ok()) return weights.status();
  return DescribeMerge(*loaded, *weights);
}

}  // namespace

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> DescribeFile(
    const std::string& path, const std::string& adapter) {
  if (IsPeftFolder(path)) return DescribeLora(path);
  const auto source = LoadModelSource(path);
  if (!source.ok()) return source.status();
  if (IsAdapter(**source)) return DescribeLora(path);
  auto lines = DescribeModel(**source);
  if (adapter.empty()) return lines;
  const auto added = DescribeLora(adapter);
  if (!added.ok()) return added.status();
  lines.insert(lines.end(), added->begin(), added->end());
  const auto merge = MergeLine(**source, adapter);
  if (!merge.ok()) return merge.status();
  lines.emplace_back("when merged", *merge);
  return lines;
}

}  // namespace emptor::engine
