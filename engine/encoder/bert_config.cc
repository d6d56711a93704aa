// Reads and bounds the configuration.
#include "engine/encoder/bert_config.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "engine/json/json_tree.h"
#include "engine/loading/json_file.h"
#include "engine/tokenizer/json_fields.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr JsonLimits kLimits = {.max_bytes = 16u << 20};
constexpr int kMaxVocabulary = 1 << 21, kMaxHiddenSize = 1 << 13, kMaxLayers = 128;
constexpr int kMaxIntermediateSize = 1 << 16, kMaxPositions = 1 << 17;

/// One file of the directory, which may be absent: then all of its fields are.
class ConfigFile {
 public:
  static absl::StatusOr<ConfigFile> Read(const std::string& path) {
    absl::StatusOr<JsonTree> tree = ReadJsonFile(path, kLimits);
    if (absl::IsNotFound(tree.status())) tree = JsonTree::Parse("{}");
    if (!tree.ok()) return tree.status();
    return ConfigFile(path, *std::move(tree));
  }
  JsonField root() const { return {"", tree_.root()}; }
  JsonFieldReader& reader() { return reader_; }

 private:
  ConfigFile(const std::string& path, JsonTree tree) : tree_(std::move(tree)), reader_(path) {}
  JsonTree tree_;
  JsonFieldReader reader_;
};

int Positive(ConfigFile& file, std::string_view name, int most) {
  if (!file.reader().Find(file.root(), name)) {
    file.reader().Refuse(name, "missing");
    return 1;
  }
  return static_cast<int>(file.reader().Integer(file.root(), name, 1, most, 1));
}

void RequireText(ConfigFile& file, std::string_view name, std::string_view wanted) {
  const std::string_view found = file.reader().Text(file.root(), name, wanted);
  if (found != wanted) {
    file.reader().Unsupported(name, fmt::format("expected {}, found {:?}", wanted, found));
  }
}

float Epsilon(ConfigFile& file) {
  const std::optional<JsonField> field = file.reader().Find(file.root(), "layer_norm_eps");
  const double epsilon = !field ? 1e-12 : field->value.is_number() ? field->value.as_double() : -1;
  if (!(epsilon > 0 && epsilon < 1)) {
    file.reader().Refuse("layer_norm_eps", "expected a number between 0 and 1");
  }
  return static_cast<float>(epsilon);
}

absl::Status ReadShape(const std::string& directory, BertConfig& config) {
  absl::StatusOr<ConfigFile> file = ConfigFile::Read(directory + "/config.json");
  if (!file.ok()) return file.status();
  JsonFieldReader& reader = file->reader();
  const std::string_view type = reader.Text(file->root(), "model_type", "");
  const bool roberta = type == "roberta" || type == "xlm-roberta";
  if (type != "bert" && !roberta) {
    reader.Unsupported("model_type",
                       fmt::format("expected bert, roberta or xlm-roberta, found {:?}", type));
  }
  config.vocabulary = Positive(*file, "vocab_size", kMaxVocabulary);
  config.hidden_size = Positive(*file, "hidden_size", kMaxHiddenSize);
  config.layers = Positive(*file, "num_hidden_layers", kMaxLayers);
  config.heads = Positive(*file, "num_attention_heads", kMaxHiddenSize);
  config.intermediate_size = Positive(*file, "intermediate_size", kMaxIntermediateSize);
  config.positions = Positive(*file, "max_position_embeddings", kMaxPositions);
  config.types = Positive(*file, "type_vocab_size", 1024);
  config.norm_epsilon = Epsilon(*file);
  const int64_t padding = reader.Integer(file->root(), "pad_token_id", 0, kMaxPositions, 1);
  config.position_offset = roberta ? static_cast<int>(padding) + 1 : 0;
  RequireText(*file, "hidden_act", "gelu");
  RequireText(*file, "position_embedding_type", "absolute");
  if (reader.Bool(file->root(), "is_decoder", false)) {
    reader.Unsupported("is_decoder", "expected false");
  }
  return reader.status();
}

absl::Status ReadPooling(const std::string& path, BertConfig& config) {
  absl::StatusOr<ConfigFile> file = ConfigFile::Read(path);
  if (!file.ok()) return file.status();
  JsonFieldReader& reader = file->reader();
  int modes = 0;
  bool cls = false, mean = false;
  file->root().value.ForEachMember([&](std::string_view name, JsonView value) {
    if (!name.starts_with("pooling_mode_") || !value.is_bool() || !value.as_bool()) return;
    ++modes;
    cls |= name == "pooling_mode_cls_token";
    mean |= name == "pooling_mode_mean_tokens";
  });
  // Newer versions name the mode.
  const std::string_view mode = reader.Text(file->root(), "pooling_mode", "");
  if (!mode.empty()) {
    modes = 1;
    cls = mode == "cls";
    mean = mode == "mean";
  }
  if (modes > 1 || (modes == 1 && !cls && !mean)) {
    reader.Unsupported("pooling_mode", "expected the mean or the first token, alone");
  }
  config.pooling = cls ? Pooling::kCls : Pooling::kMean;
  return reader.status();
}

/// modules.json: a list of {"path": ..., "type": "sentence_transformers.models.Pooling"}.
absl::Status ReadModules(const std::string& directory, BertConfig& config) {
  const std::string path = directory + "/modules.json";
  const absl::StatusOr<JsonTree> tree = ReadJsonFile(path, kLimits);
  if (absl::IsNotFound(tree.status()))
    return ReadPooling(directory + "/1_Pooling/config.json", config);
  if (!tree.ok()) return tree.status();
  JsonFieldReader reader(path);
  if (!tree->root().is_array()) return absl::InvalidArgumentError(path + ": expected an array");
  const JsonField root = {"", tree->root()};
  const std::vector<JsonView> items = tree->root().Items();
  absl::Status pooling;
  for (size_t i = 0; i < items.size(); ++i) {
    const JsonField item = root.At(i, items[i]);
    const std::string_view type = reader.Text(item, "type", "");
    const std::string folder(reader.Text(item, "path", ""));
    const std::string_view name = type.substr(type.rfind('.') + 1);
    if (name == "Pooling") {
      if (folder.find("..") != std::string::npos || folder.starts_with('/')) {
        reader.Refuse(item.path + ".path", "leads out of the directory");
      } else if (pooling.ok()) {
        pooling = ReadPooling(directory + "/" + folder + "/config.json", config);
      }
    } else if (name != "Transformer" && name != "Normalize") {
      reader.Unsupported(
          item.path + ".type",
          fmt::format("expected Transformer, Pooling or Normalize, found {:?}", type));
    }
  }
  return reader.ok() ? pooling : reader.status();
}

absl::Status ReadSentenceSettings(const std::string& directory, BertConfig& config) {
  absl::StatusOr<ConfigFile> lengths = ConfigFile::Read(directory + "/sentence_bert_config.json");
  if (!lengths.ok()) return lengths.status();
  const int most = config.positions - config.position_offset;
  config.max_tokens = static_cast<int>(std::min<int64_t>(
      most, lengths->reader().Integer(lengths->root(), "max_seq_length", 3, 1 << 20, most)));
  if (!lengths->reader().ok()) return lengths->reader().status();
  absl::StatusOr<ConfigFile> prompts =
      ConfigFile::Read(directory + "/config_sentence_transformers.json");
  if (!prompts.ok()) return prompts.status();
  JsonFieldReader& reader = prompts->reader();
  if (const std::optional<JsonField> texts = reader.FindObject(prompts->root(), "prompts")) {
    config.query_prefix = reader.Text(*texts, "query", "");
    config.passage_prefix = reader.Text(*texts, "passage", reader.Text(*texts, "document", ""));
  }
  return reader.status();
}

absl::Status CheckShape(const std::string& name, const BertConfig& config) {
  if (config.hidden_size % config.heads != 0) {
    return absl::InvalidArgumentError(fmt::format("{}: {} heads do not divide a hidden size of {}",
                                                  name, config.heads, config.hidden_size));
  }
  if (config.max_tokens < 3) {
    return absl::InvalidArgumentError(
        fmt::format("{}: room for {} tokens, expected at least 3", name, config.max_tokens));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BertConfig> BertConfig::ReadDirectory(const std::string& directory) {
  BertConfig config;
  absl::Status status = ReadShape(directory, config);
  if (status.ok()) status = ReadModules(directory, config);
  if (status.ok()) status = ReadSentenceSettings(directory, config);
  if (status.ok()) status = CheckShape(directory, config);
  if (!status.ok()) return status;
  return config;
}

absl::StatusOr<BertConfig> BertConfig::ReadGguf(const GgufFile& file) {
  BertConfig config;
  absl::Status status;
  const auto number = [&](std::string_view key, int64_t min, int64_t max,
                          std::optional<int64_t> fallback = std::nullopt) {
    const absl::StatusOr<int64_t> value = file.Integer(key, min, max, fallback);
    if (!value.ok() && status.ok()) status = value.status();
    return value.ok() ? static_cast<int>(*value) : 1;
  };
  config.hidden_size = number("bert.embedding_length", 1, kMaxHiddenSize);
  config.layers = number("bert.block_count", 1, kMaxLayers);
  config.heads = number("bert.attention.head_count", 1, kMaxHiddenSize);
  config.intermediate_size = number("bert.feed_forward_length", 1, kMaxIntermediateSize);
  config.positions = number("bert.context_length", 1, kMaxPositions);
  config.max_tokens = config.positions;
  config.types = number("tokenizer.ggml.token_type_count", 1, 1024, 2);
  const int pooling = number("bert.pooling_type", 0, 4, 1);
  const auto text = [&](std::string_view key) {
    const absl::StatusOr<std::string_view> value = file.String(key, std::string_view());
    if (!value.ok() && status.ok()) status = value.status();
    return value.ok() ? std::string(*value) : std::string();
  };
  config.query_prefix = text("emptor.query_prefix");
  config.passage_prefix = text("emptor.passage_prefix");
  const absl::StatusOr<double> epsilon = file.Number("bert.attention.layer_norm_epsilon", 1e-12);
  if (!epsilon.ok() && status.ok()) status = epsilon.status();
  if (!status.ok()) return status;
  config.norm_epsilon = static_cast<float>(*epsilon);
  if (!(config.norm_epsilon > 0 && config.norm_epsilon < 1)) {
    return file.Error("bert.attention.layer_norm_epsilon", "expected a number between 0 and 1");
  }
  if (pooling != 1 && pooling != 2) {
    return absl::UnimplementedError(
        fmt::format("{}: bert.pooling_type: expected 1 (mean) or 2 (first token), found {}",
                    file.name(), pooling));
  }
  config.pooling = pooling == 2 ? Pooling::kCls : Pooling::kMean;
  status = CheckShape(file.name(), config);
  if (!status.ok()) return status;
  return config;
}

}  // namespace emptor::engine
