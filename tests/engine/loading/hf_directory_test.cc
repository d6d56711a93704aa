// Directories as Hugging Face lays them out: what is read, and what is refused.
#include "engine/loading/hf_directory.h"

#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/model/model_weights.h"
#include "gtest/gtest.h"
#include "tests/engine/support/model_directory.h"

namespace emptor::engine {
namespace {

using testing::FloatTensor;
using testing::ModelDirectory;

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

/// Loads the directory up to its weights.
absl::Status Load(const ModelDirectory& directory) {
  const auto source = HfDirectory::Load(directory.path());
  if (!source.ok()) return source.status();
  const auto config = (*source)->Config();
  if (!config.ok()) return config.status();
  return ModelWeights::Read(**source, *config).status();
}

TEST(HfDirectoryTest, ReadsTheShapeOfMixtral) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "mixtral", /*sharded=*/false);
  directory.Write("generation_config.json", R"({"bos_token_id":7,"eos_token_id":[8,9]})");
  const auto source = HfDirectory::Load(directory.path());
  ASSERT_TRUE(source.ok()) << source.status();
  const auto config = (*source)->Config();
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->architecture, "mixtral");
  EXPECT_EQ(config->experts, 5);
  EXPECT_EQ(config->experts_used, 2);
  EXPECT_EQ(config->head_dim, 16);
  EXPECT_EQ(config->windows, (std::vector<int>{0, 0}));
  EXPECT_TRUE(config->rope.neox);
  EXPECT_EQ(config->rope.base, 1e6f);
  EXPECT_EQ(config->begin_token, 7);
  EXPECT_EQ(config->end_tokens, (std::vector<int32_t>{8, 9}));
}

TEST(HfDirectoryTest, SpecialTokensComeFromConfigWhereNothingElseNamesThem) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "qwen2_window", /*sharded=*/false);
  const auto source = HfDirectory::Load(directory.path());
  ASSERT_TRUE(source.ok()) << source.status();
  const auto config = (*source)->Config();
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->begin_token, 1);
  EXPECT_EQ(config->end_tokens, (std::vector<int32_t>{2}));
  EXPECT_EQ(config->windows, (std::vector<int>{0, 12, 12}));
  EXPECT_TRUE(config->needs_biases);
}

TEST(HfDirectoryTest, ShardsHoldTheSameTensorsAsOneFile) {
  const ModelDirectory whole, sharded;
  testing::WriteGoldenModel(whole, "mixtral", /*sharded=*/false);
  testing::WriteGoldenModel(sharded, "mixtral", /*sharded=*/true);
  const auto one = HfDirectory::Load(whole.path());
  const auto two = HfDirectory::Load(sharded.path());
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_TRUE(Load(sharded).ok()) << Load(sharded);
  ASSERT_EQ((*one)->TensorNames().size(), (*two)->TensorNames().size());
  for (const std::string_view name : (*one)->TensorNames()) {
    const auto a = (*one)->Find(name), b = (*two)->Find(name);
    ASSERT_TRUE(a.ok() && b.ok() && *a && *b) << name;
    EXPECT_EQ((*a)->dims, (*b)->dims);
    const size_t bytes = static_cast<size_t>((*a)->view.rows) * (*a)->view.row_bytes();
    EXPECT_EQ(std::memcmp((*a)->view.data, (*b)->view.data, bytes), 0) << name;
  }
  EXPECT_FALSE((*(*two)->Find("nothing")).has_value());
}

struct RefusedConfig {
  std::string name;
  std::string golden;    // model whose config.json is changed
  std::string from, to;  // its text
  std::string expected;  // part of the message
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

class RefusedConfigTest : public ::testing::TestWithParam<RefusedConfig> {};

TEST_P(RefusedConfigTest, NamesTheField) {
  const RefusedConfig& tested = GetParam();
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, tested.golden, /*sharded=*/false);
  std::string config = ReadText(directory.path() + "/config.json");
  const size_t at = config.find(tested.from);
  ASSERT_NE(at, std::string::npos);
  config.replace(at, tested.from.size(), tested.to);
  directory.Write("config.json", config);
  const absl::Status status = Load(directory);
  EXPECT_EQ(status.code(), tested.code) << status;
  EXPECT_NE(status.message().find(tested.expected), std::string::npos) << status;
}

constexpr auto kUnimplemented = absl::StatusCode::kUnimplemented;

std::vector<RefusedConfig> Sizes() {
  return {
      {"Heads", "mistral", "\"num_attention_heads\": 4", "\"num_attention_heads\": 0",
       "config.json: num_attention_heads: expected 1 to 1024, found 0"},
      {"HeadsNegative", "mistral", "\"num_attention_heads\": 4", "\"num_attention_heads\": -4",
       "num_attention_heads"},
      {"HeadsText", "mistral", "\"num_attention_heads\": 4", "\"num_attention_heads\": \"4\"",
       "num_attention_heads: expected an integer, found a string"},
      {"HeadsFraction", "mistral", "\"num_attention_heads\": 4", "\"num_attention_heads\": 4.0",
       "num_attention_heads"},
      {"HeadsDoNotShare", "mistral", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3",
       "num_key_value_heads: 4 heads cannot share 3"},
      {"WidthMissing", "mistral", "\"hidden_size\"", "\"hidden\"", "hidden_size: missing"},
      {"WidthHuge", "mistral", "\"hidden_size\": 64", "\"hidden_size\": 9223372036854775807",
       "hidden_size: expected 1 to 65536"},
      {"WidthBeyondIntegers", "mistral", "\"hidden_size\": 64", "\"hidden_size\": 1e300",
       "hidden_size"},
      {"WidthNull", "mistral", "\"hidden_size\": 64", "\"hidden_size\": null", "missing"},
      {"WidthOther", "mistral", "\"hidden_size\": 64", "\"hidden_size\": 128",
       "tensor model.embed_tokens.weight: shape: expected 320 x 128, found 320 x 64"},
      {"Layers", "mistral", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 513",
       "num_hidden_layers"},
      {"LayersMore", "mistral", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3",
       "model.layers.2.input_layernorm.weight: missing"},
      {"LayersFewer", "mistral", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1",
       "tensors, of which a mistral of 1 layers uses", kUnimplemented},
      {"Vocabulary", "mistral", "\"vocab_size\": 320", "\"vocab_size\": 2097153", "vocab_size"},
      {"Window", "mistral", "\"sliding_window\": 16", "\"sliding_window\": 0",
       "sliding_window: expected 1 to"},
      {"Epsilon", "mistral", "\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": -1", "rms_norm_eps"},
      {"HeadDimOdd", "qwen3", "\"head_dim\": 24", "\"head_dim\": 23", "head_dim: expected an even"},
      {"ExpertsNone", "mixtral", "\"num_local_experts\": 5", "\"num_local_experts\": 0",
       "num_local_experts"},
      {"ExpertsUsed", "mixtral", "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 6",
       "num_experts_per_tok: expected 1 to 5, found 6"},
      {"EndTokenBeyond", "mistral", "\"eos_token_id\": 2", "\"eos_token_id\": [2, 320]",
       "eos_token_id: expected tokens of 0 to 319"},
      {"EndTokenText", "mistral", "\"eos_token_id\": 2", "\"eos_token_id\": \"</s>\"",
       "eos_token_id"},
  };
}

std::vector<RefusedConfig> Kinds() {
  return {
      {"Type", "mistral", "\"mistral\"", "\"gpt2\"", "model_type: expected llama", kUnimplemented},
      {"TypeMissing", "mistral", "\"model_type\"", "\"type\"", "model_type", kUnimplemented},
      {"TypeNumber", "mistral", "\"mistral\"", "5", "model_type: expected a string",
       absl::StatusCode::kInvalidArgument},
      {"Activation", "mistral", "\"silu\"", "\"gelu\"", "hidden_act", kUnimplemented},
      {"Quantised", "mistral", "\"vocab_size\"", "\"quantization_config\": {}, \"vocab_size\"",
       "quantization_config", kUnimplemented},
      {"BiasesOfTheFeedForward", "mistral", "\"vocab_size\"", "\"mlp_bias\": true, \"vocab_size\"",
       "mlp_bias", kUnimplemented},
      {"BiasesMissing", "qwen3", "\"vocab_size\"", "\"attention_bias\": true, \"vocab_size\"",
       "self_attn.q_proj.bias: missing"},
      {"NormsMissing", "qwen2", "\"qwen2\"", "\"qwen3\"", "self_attn"},
      {"TiedButNot", "qwen2", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
       "lm_head.weight: missing"},
      {"ScalingType", "qwen3_yarn", "\"yarn\"", "\"longrope\"", "rope_type", kUnimplemented},
      {"ScalingFactor", "qwen3_yarn", "\"factor\": 4.0", "\"factor\": 0.0",
       "rope_scaling.factor: expected 1 to"},
      {"ScalingFactorText", "qwen3_yarn", "\"factor\": 4.0", "\"factor\": \"4\"",
       "rope_scaling.factor: expected a number"},
      {"ScalingNotAnObject", "llama_linear", "\"rope_scaling\": {", "\"rope_scaling\": 1, \"x\": {",
       "rope_scaling: expected an object"},
      {"Llama3Factors", "llama3", "\"high_freq_factor\": 4.0", "\"high_freq_factor\": 1.0",
       "high_freq_factor: expected more than"},
      {"Llama3Context", "llama3", "\"original_max_position_embeddings\"", "\"original\"",
       "rope_parameters.original_max_position_embeddings: missing"},
      {"PartialRotation", "llama3", "\"factor\": 8.0",
       "\"factor\": 8, \"partial_rotary_factor\": 0.5", "partial_rotary_factor", kUnimplemented},
  };
}

std::string NameOf(const ::testing::TestParamInfo<RefusedConfig>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Sizes, RefusedConfigTest, ::testing::ValuesIn(Sizes()), NameOf);
INSTANTIATE_TEST_SUITE_P(Kinds, RefusedConfigTest, ::testing::ValuesIn(Kinds()), NameOf);

/// Loads a sharded model whose index has that weight_map.
std::string IndexError(const std::string& weight_map) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/true);
  directory.Write("model.safetensors.index.json", "{\"weight_map\":" + weight_map + "}");
  const absl::Status status = Load(directory);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(HostileIndexTest, IsRefusedAndNamed) {
  const std::string file = "expected the name of a .safetensors file";
  const std::pair<std::string, std::string> cases[] = {
      {"[]", "weight_map: expected an object"},
      {"{}", "expected 1 to 1000 files, found 0"},
      {R"({"a":"../model.safetensors"})", file},
      {R"({"a":"/etc/model.safetensors"})", file},
      {R"({"a":".safetensors"})", file},
      {R"({"a":"model.bin"})", file},
      {R"({"a":"x\u0000.safetensors"})", file},
      {R"({"a":7})", file},
      {R"({"nothing":"model-00001-of-00002.safetensors"})", "the index names it"},
      {R"({"lm_head.weight":"model-00001-of-00002.safetensors"})", "weight_map: expected"},
  };
  for (const auto& [weight_map, expected] : cases) {
    const std::string message = IndexError(weight_map);
    EXPECT_NE(message.find(expected), std::string::npos) << weight_map << ": " << message;
  }
}

TEST(HostileIndexTest, AShardThatIsNotThereIsNotFound) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/true);
  std::filesystem::remove(directory.path() + "/model-00002-of-00002.safetensors");
  EXPECT_EQ(Load(directory).code(), absl::StatusCode::kNotFound);
}

TEST(HostileIndexTest, ATensorInTwoShardsIsRefused) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/true);
  std::filesystem::copy_file(directory.path() + "/model-00001-of-00002.safetensors",
                             directory.path() + "/model-00002-of-00002.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  const absl::Status status = Load(directory);
  EXPECT_NE(status.message().find("is in another shard too"), std::string::npos) << status;
}

TEST(HostileDirectoryTest, FilesOfAnotherKindAreRefused) {
  const ModelDirectory directory;
  EXPECT_EQ(Load(directory).code(), absl::StatusCode::kNotFound);  // no config.json
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/false);
  std::filesystem::remove(directory.path() + "/model.safetensors");
  EXPECT_EQ(Load(directory).code(), absl::StatusCode::kNotFound);
  ASSERT_EQ(mkfifo((directory.path() + "/model.safetensors").c_str(), 0600), 0);
  EXPECT_EQ(Load(directory).code(), absl::StatusCode::kInvalidArgument);
  directory.Write("config.json", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(Load(directory).code(), absl::StatusCode::kInvalidArgument);
  directory.Write("config.json", "[]");
  EXPECT_FALSE(Load(directory).ok());
}

TEST(HostileDirectoryTest, ANormThatIsNotFiniteAndAnUnusedTypeAreRefused) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/false);
  std::vector<FloatTensor> tensors =
      testing::GoldenTensors(testing::GoldenLogits::Read("model_logits/mistral/golden.txt"));
  for (FloatTensor& tensor : tensors) {
    if (tensor.name == "model.norm.weight") tensor.values[3] = NAN;
  }
  directory.Write("model.safetensors", testing::SafetensorsBytes(tensors));
  EXPECT_NE(Load(directory).message().find("tensor model.norm.weight: holds a number"),
            std::string::npos);
  testing::WriteGoldenModel(directory, "mistral", /*sharded=*/false);
  std::string bytes = ReadText(directory.path() + "/model.safetensors");
  bytes.replace(bytes.find("\"F32\""), 5, "\"I32\"");
  directory.Write("model.safetensors", bytes);
  const absl::Status status = Load(directory);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("dtype: expected F32, F16 or BF16, found I32"),
            std::string::npos);
}

}  // namespace
}  // namespace emptor::engine
