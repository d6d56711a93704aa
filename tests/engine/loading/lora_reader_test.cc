// Adapters that are refused, by name, and how their files are described.
#include "engine/loading/lora_reader.h"

#include <cmath>
#include <functional>
#include <limits>

#include "engine/loading/peft_config.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "tests/engine/support/model_directory.h"
#include "tests/engine/support/model_steps.h"
#include "tests/support/random_lora.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::FloatTensor;
using ::emptor::testing::GgufWriter;
using ::emptor::testing::LlamaShape;
using ::emptor::testing::LoadedGguf;
using ::testing::HasSubstr;

constexpr absl::StatusCode kWrong = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kUnsupported = absl::StatusCode::kUnimplemented;

ModelConfig BaseConfig() {
  const LoadedGguf file(testing::MakeRandomLlama({}));
  return *file.file->Config();
}

std::string Floats(size_t count, float value = 0.5f) {
  const std::vector<float> values(count, value);
  return {reinterpret_cast<const char*>(values.data()), count * sizeof(float)};
}

struct GgufCase {
  const char* name;
  absl::StatusCode code;
  const char* expected;
  std::function<void(GgufWriter&)> spoil;
  const char* type = "adapter";
  const char* kind = "lora";
  const char* architecture = "llama";
};

/// The pair that each case begins with changes attn_q of layer 1.
GgufWriter MakeGguf(const GgufCase& c) {
  GgufWriter writer;
  writer.AddString("general.type", c.type);
  writer.AddString("general.architecture", c.architecture);
  writer.AddString("adapter.type", c.kind);
  writer.AddFloat("adapter.lora.alpha", 8);
  writer.AddTensor("blk.1.attn_q.weight.lora_a", {64, 2}, 0, Floats(128));
  writer.AddTensor("blk.1.attn_q.weight.lora_b", {2, 64}, 0, Floats(128));
  if (c.spoil) c.spoil(writer);
  return writer;
}

std::function<void(GgufWriter&)> Adding(const std::string& name, std::vector<uint64_t> dims,
                                        float value = 0.5f) {
  return [=](GgufWriter& writer) {
    size_t count = 1;
    for (const uint64_t dim : dims) count *= dim;
    writer.AddTensor(name, dims, 0, Floats(count, value));
  };
}

/// A second pair, on attn_v of layer 0, with one wrong half.
std::function<void(GgufWriter&)> AddingPair(std::vector<uint64_t> a, std::vector<uint64_t> b,
                                            float value = 0.5f) {
  return [=](GgufWriter& writer) {
    Adding("blk.0.attn_v.weight.lora_a", a)(writer);
    Adding("blk.0.attn_v.weight.lora_b", b, value)(writer);
  };
}

class RefusedGgufLoraTest : public ::testing::TestWithParam<GgufCase> {};

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedGgufLoraTest,
    ::testing::Values(
        GgufCase{
            "AModel", kWrong, "general.type: expected \"adapter\", found \"model\"", {}, "model"},
        GgufCase{"ControlVector", kWrong, "adapter.type: expected \"lora\"", {}, "adapter", "cvec"},
        GgufCase{"AnotherArchitecture",
                 kWrong,
                 "general.architecture: expected llama",
                 {},
                 "adapter",
                 "lora",
                 "qwen2"},
        GgufCase{"ActivatedLora", kUnsupported, "activated LoRA",
                 [](GgufWriter& w) {
                   w.AddInts("adapter.alora.invocation_tokens", {1, 2});
                 }},
        GgufCase{"LayerBeyondTheBase", kWrong, "layer 2: the base model has 2 layers",
                 Adding("blk.2.attn_q.weight.lora_a", {64, 2})},
        GgufCase{"HalfAPair", kWrong, "comes without its lora_b",
                 Adding("blk.0.attn_v.weight.lora_a", {64, 2})},
        GgufCase{"RanksOfThePairDiffer", kWrong, "expected 32 x 2 for the base model, found 32 x 3",
                 AddingPair({64, 2}, {3, 32})},
        GgufCase{"WidthOfAnotherBase", kWrong, "expected 2 x 64 for the base model, found 2 x 96",
                 AddingPair({96, 2}, {2, 32})},
        GgufCase{"RankTooLarge", kWrong, "rank: expected 1 to 1024, found 1025",
                 AddingPair({64, 1025}, {1025, 32})},
        GgufCase{"NotFinite", kWrong, "lora_b: holds a number that is not finite",
                 AddingPair({64, 2}, {2, 32}, NAN)},
        GgufCase{"ThreeDimensions", kWrong, "expected 2 x 64 for the base model",
                 AddingPair({64, 2, 1}, {2, 32})},
        GgufCase{"Norm", kUnsupported, "changed norms are not supported",
                 Adding("blk.0.attn_norm.weight", {64})},
        GgufCase{"Embedding", kUnsupported, "adapters of the embedding and of the output matrix",
                 Adding("token_embd.weight.lora_a", {64, 2})},
        GgufCase{"Expert", kUnsupported, "adapters of experts",
                 Adding("blk.0.ffn_gate_exps.weight.lora_a", {64, 2, 4})},
        GgufCase{"NoNumber", kUnsupported, "expected lora_A and lora_B of the projections",
                 Adding("blk.99999999999.attn_q.weight.lora_a", {64, 2})}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(RefusedGgufLoraTest, SaysWhy) {
  const LoadedGguf file(MakeGguf(GetParam()));
  const auto adapter = ReadGgufLora(*file.file, BaseConfig());
  EXPECT_EQ(adapter.status().code(), GetParam().code);
  EXPECT_THAT(std::string(adapter.status().message()), HasSubstr(GetParam().expected));
}

TEST(GgufLoraTest, WithoutAlphaTheScaleIsOne) {
  GgufWriter writer;
  writer.AddString("general.type", "adapter");
  writer.AddString("general.architecture", "llama");
  writer.AddString("adapter.type", "lora");
  AddingPair({64, 2}, {2, 32})(writer);
  const LoadedGguf file(writer);
  const auto adapter = ReadGgufLora(*file.file, BaseConfig());
  ASSERT_TRUE(adapter.ok()) << adapter.status();
  EXPECT_EQ(adapter->layers[0][static_cast<size_t>(LoraTarget::kValue)].scale, 1);
  EXPECT_EQ(adapter->matrices(), 1);
  EXPECT_EQ(adapter->parameters(), 2 * 64 + 2 * 32);
}

TEST(GgufLoraTest, RefusesAnAdapterWithoutTensors) {
  GgufWriter writer;
  writer.AddString("general.type", "adapter");
  writer.AddString("general.architecture", "llama");
  writer.AddString("adapter.type", "lora");
  const LoadedGguf file(writer);
  EXPECT_THAT(std::string(ReadGgufLora(*file.file, BaseConfig()).status().message()),
              HasSubstr("tensors: there are none"));
}

/// A configuration with further members.
std::string Config(const std::string& more) {
  return R"({"peft_type":"LORA","task_type":"CAUSAL_LM","r":2,"lora_alpha":8)" + more + "}";
}

TEST(PeftConfigTest, NamesWhatIsNotSupported) {
  const std::tuple<std::string, absl::StatusCode, const char*> cases[] = {
      {"[]", kWrong, "root: expected an object"},
      {"{", kWrong, "byte"},
      {R"({"r":2,"lora_alpha":8})", kWrong, "peft_type: missing"},
      {R"({"peft_type":"IA3","r":2,"lora_alpha":8})", kUnsupported, "peft_type: expected LORA"},
      {R"({"peft_type":"LORA","lora_alpha":8})", kWrong, "r: expected a rank from 1 to 1024"},
      {R"({"peft_type":"LORA","r":0,"lora_alpha":8})", kWrong, "r: expected a rank"},
      {R"({"peft_type":"LORA","r":2})", kWrong, "lora_alpha: expected a number"},
      {Config(R"(,"use_dora":true)"), kUnsupported, "use_dora: DoRA is not supported"},
      {Config(R"(,"bias":"all")"), kUnsupported, "bias: expected none, found \"all\""},
      {Config(R"(,"lora_bias":true)"), kUnsupported, "lora_bias: not supported"},
      {Config(R"(,"modules_to_save":["lm_head"])"), kUnsupported, "modules_to_save"},
      {Config(R"(,"fan_in_fan_out":true)"), kUnsupported, "fan_in_fan_out"},
      {Config(R"(,"layer_replication":[[0,1]])"), kUnsupported, "layer_replication"},
      {Config(R"(,"init_lora_weights":"pissa_niter_4")"), kUnsupported,
       "init_lora_weights: found \"pissa_niter_4\", which changes the weights of the base model"},
      {Config(R"(,"alora_invocation_tokens":[1])"), kUnsupported, "alora_invocation_tokens"},
      {Config(R"(,"a_later_feature":{"on":1})"), kUnsupported, "a_later_feature: not supported"},
      {Config(R"(,"use_rslora":1)"), kWrong, "use_rslora: expected a boolean"},
      {Config(R"(,"alpha_pattern":{".*q_proj":4})"), kUnsupported,
       "alpha_pattern: expected names of modules, found \".*q_proj\""},
      {Config(R"(,"rank_pattern":{"q_proj":0})"), kWrong, "rank_pattern: expected a rank"}};
  for (const auto& [text, code, expected] : cases) {
    const absl::Status status = PeftConfig::Parse(text, "adapter_config.json").status();
    EXPECT_EQ(status.code(), code) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(expected)) << text;
  }
}

TEST(PeftConfigTest, ScalesByPatternAndRank) {
  const auto config = PeftConfig::Parse(
      Config(R"(,"modules_to_save":null,"loftq_config":{},"init_lora_weights":"gaussian",)"
             R"("rank_pattern":{"^model.layers.0.self_attn.q_proj":4},)"
             R"("alpha_pattern":{"layers.1.mlp.up_proj":6,"up_proj":2})"),
      "c");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(*config->ScaleOf("model.layers.0.self_attn.q_proj", 4), 2);
  EXPECT_EQ(*config->ScaleOf("model.layers.1.self_attn.q_proj", 2), 4);
  EXPECT_EQ(*config->ScaleOf("model.layers.1.mlp.up_proj", 2), 3);
  EXPECT_EQ(*config->ScaleOf("model.layers.0.mlp.up_proj", 2), 1);
  EXPECT_EQ(*config->ScaleOf("model.layers.0.mlp.sup_proj", 2), 4);  // no part of a name
  EXPECT_THAT(std::string(config->ScaleOf("model.layers.1.mlp.up_proj", 3).status().message()),
              HasSubstr("expected rank 2, found 3 in the file"));
  const auto rslora = PeftConfig::Parse(Config(R"(,"use_rslora":true)"), "c");
  EXPECT_EQ(*rslora->ScaleOf("q_proj", 2), 8 / std::sqrt(2.0));
}

class PeftFolderTest : public ::testing::Test {
 protected:
  static FloatTensor Tensor(const std::string& name, int64_t rows, int64_t cols) {
    return {name, {rows, cols}, std::vector<float>(static_cast<size_t>(rows * cols), 0.5f)};
  }
  absl::Status Load(const std::vector<FloatTensor>& tensors) const {
    folder_.Write("adapter_config.json", Config(""));
    folder_.Write("adapter_model.safetensors", testing::SafetensorsBytes(tensors));
    return LoadLora(folder_.path(), BaseConfig()).status();
  }
  const testing::ModelDirectory folder_;
  const std::string q_ = "base_model.model.model.layers.0.self_attn.q_proj.";
};

TEST_F(PeftFolderTest, NamesTensorsThatAreNotSupported) {
  EXPECT_TRUE(
      Load({Tensor(q_ + "lora_A.weight", 2, 64), Tensor(q_ + "lora_B.weight", 64, 2)}).ok());
  const std::pair<FloatTensor, const char*> cases[] = {
      {Tensor(q_ + "lora_magnitude_vector", 1, 64), "DoRA is not supported"},
      {Tensor("base_model.model.lm_head.lora_A.weight", 2, 64), "output matrix are not supported"},
      {Tensor("base_model.model.model.embed_tokens.lora_embedding_A", 2, 64), "embedding"},
      {Tensor("base_model.model.model.layers.0.self_attn.q_proj.base_layer.bias", 1, 64), "biases"},
      {Tensor("layers.0.self_attn.q_proj.lora_A.weight", 2, 64), "expected lora_A and lora_B"}};
  for (const auto& [tensor, expected] : cases) {
    const absl::Status status = Load({tensor});
    EXPECT_EQ(status.code(), kUnsupported) << tensor.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(expected));
  }
  // PEFT leaves the second "model." out where it wrapped the model without its output matrix.
  EXPECT_THAT(
      std::string(Load({Tensor(q_ + "lora_A.weight", 2, 64),
                        Tensor("base_model.model.layers.0.self_attn.q_proj.lora_A.weight", 2, 64)})
                      .message()),
      HasSubstr("the same matrix as"));
}

TEST_F(PeftFolderTest, NamesMissingFiles) {
  EXPECT_THAT(
      std::string(LoadLora(folder_.path(), BaseConfig()).status().message()),
      HasSubstr("expected adapter_config.json with adapter_model.safetensors, or one .gguf"));
  folder_.Write("adapter_config.json", Config(""));
  folder_.Write("adapter_model.bin", "x");
  EXPECT_THAT(std::string(LoadLora(folder_.path(), BaseConfig()).status().message()),
              HasSubstr("adapter_model.bin holds Python objects"));
}

TEST(DescribeLoraTest, TellsBothKindsApart) {
  const std::string folder = EMPTOR_SOURCE_DIR "/tests/golden/lora/";
  const auto peft = DescribeLora(folder + "llama3_patterns");
  ASSERT_TRUE(peft.ok()) << peft.status();
  EXPECT_EQ((*peft)[1].second, "emptor/llama3");
  EXPECT_EQ(
      (*peft)[2].second,
      "mlp.down_proj in 2 layers, self_attn.q_proj in 2 layers, self_attn.v_proj in 2 layers; "
      "rank 4 6");
  EXPECT_EQ((*peft)[3].second, "6 / square root of the rank");
  const auto gguf = DescribeLora(folder + "llama3_all/adapter.gguf");
  ASSERT_TRUE(gguf.ok()) << gguf.status();
  EXPECT_THAT((*gguf)[0].second, HasSubstr("LoRA in GGUF"));
  EXPECT_EQ((*gguf)[3].second, "16 / rank");
}

}  // namespace
}  // namespace emptor::engine
