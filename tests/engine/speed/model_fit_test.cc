// Memory by the shapes of a model, bounds by the machine's roofline.
#include "engine/speed/model_fit.h"

#include "engine/conversion/random_model.h"
#include "engine/engine.h"
#include "engine/tensor/dtype.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/speed/tiny_model.h"
#include "tests/engine/support/model_directory.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

FitOptions Quick() {
  FitOptions options;
  options.threads = 1;
  options.min_seconds = 0;
  options.read_buffer_bytes = 512;
  options.memory_bytes = 1 << 30;
  options.prompt = 16;
  return options;
}

TEST(ModelFitTest, KeysAndValuesGrowWithUsersAndContext) {
  const std::string path = testing::TinyModelPath();
  FitOptions options = Quick();
  const auto one = FitModel(path, options);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->context, 256);
  EXPECT_EQ(one->kv, 256 * one->kv_token);
  EXPECT_TRUE(one->Fits());
  EXPECT_GT(one->PrefillTokensPerSecond(), 0);
  EXPECT_GT(one->DecodeTokensPerSecond(1), 0);
  options.users = 3;
  options.context = 64;
  options.kv_bits = 8;
  const auto three = FitModel(path, options);
  ASSERT_TRUE(three.ok()) << three.status();
  EXPECT_EQ(three->kv, 3 * 64 * three->kv_token);
  EXPECT_LT(three->kv_token, one->kv_token);
  EXPECT_EQ(three->weights, one->weights);
}

TEST(ModelFitTest, TheEngineHasRoomForWhatFits) {
  const std::string path = testing::TinyModelPath();
  FitOptions options = Quick();
  options.users = 4;
  const auto fit = FitModel(path, options);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EngineOptions engine_options;
  engine_options.threads = 1;
  engine_options.kv_bytes = fit->kv;
  const auto engine = Engine::Load(path, engine_options);
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ((*engine)->stats().kv_blocks_total, 4 * 256 / engine_options.kv_block_tokens);
}

TEST(ModelFitTest, CountsADraftModel) {
  const std::string path = testing::TinyModelPath();
  const auto alone = FitModel(path, Quick());
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_EQ(alone->draft.Total(), 0u);
  FitOptions options = Quick();
  options.users = 4;
  options.draft_model = path;
  const auto both = FitModel(path, options);
  ASSERT_TRUE(both.ok()) << both.status();
  // The same file, so that it takes as much again.
  EXPECT_EQ(both->draft.weights, both->weights);
  EXPECT_EQ(both->draft.kv, both->kv);
  EXPECT_EQ(both->draft.kv_token, both->kv_token);
  EXPECT_EQ(both->Total(), 2 * (both->weights + both->kv + both->activations));
  EXPECT_EQ(both->Loading(), 2 * alone->Loading());
  options.memory_bytes = both->Total();
  EXPECT_EQ(FitModel(path, options)->MaxUsers(), 4);
  EXPECT_EQ(FitModel(path, options)->MaxContext(), 256);
  options.memory_bytes = both->Total() - 1;
  EXPECT_FALSE(FitModel(path, options)->Fits());
  options.kv_bits = 8;
  EXPECT_LT(FitModel(path, options)->draft.kv, both->draft.kv);
}

TEST(ModelFitTest, RefusesADraftModelThatTheEngineWouldRefuse) {
  const std::string path = testing::TinyModelPath();
  FitOptions options = Quick();
  options.draft_model = "/nowhere";
  EXPECT_EQ(FitModel(path, options).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(FitModel(path, options).status().message()),
              HasSubstr("draft_model: /nowhere"));
  options.draft_model = path + ".other";
  ASSERT_TRUE(WriteRandomModel({.shape = {.vocabulary = 300}}, options.draft_model).ok());
  EXPECT_THAT(std::string(FitModel(path, options).status().message()),
              HasSubstr("300 tokens in place of 265"));
}

/// A Llama of eight layers in AWQ, with zero points that Q4_0 does not have. Returns the bytes that
/// loading it needs at least: matrices as Q4_1, and the rest of the file.
uint64_t WriteInt4Model(const testing::ModelDirectory& directory) {
  directory.Write(
      "config.json",
      R"({"model_type":"llama","vocab_size":40,"hidden_size":64,"intermediate_size":96,)"
      R"("num_hidden_layers":8,"num_attention_heads":4,"num_key_value_heads":2,)"
      R"("max_position_embeddings":64,"rms_norm_eps":1e-5,"tie_word_embeddings":true,)"
      R"("quantization_config":{"quant_method":"awq","bits":4,"group_size":32}})");
  std::vector<testing::RawTensor> tensors;
  const auto floats = [&](const std::string& name, std::vector<int64_t> dims, size_t count) {
    tensors.push_back({name, "F16", std::move(dims), std::string(2 * count, '\x11')});
  };
  uint64_t stored = 0, converted = 0;
  const auto matrix = [&](const std::string& name, int64_t rows, int64_t cols) {
    const auto add = [&](const char* part, const char* type, int64_t first, int64_t second) {
      const int64_t bytes = first * second * (std::string_view(type) == "F16" ? 2 : 4);
      tensors.push_back(
          {name + part, type, {first, second}, std::string(static_cast<size_t>(bytes), '\x11')});
      stored += static_cast<uint64_t>(bytes);
    };
    add(".qweight", "I32", cols, rows / 8);
    add(".qzeros", "I32", cols / 32, rows / 8);
    add(".scales", "F16", cols / 32, rows);
    converted += static_cast<uint64_t>(rows * cols / 32) * BlockBytes(DType::kQ4_1);
  };
  floats("model.embed_tokens.weight", {40, 64}, size_t{40} * 64);
  floats("model.norm.weight", {64}, 64);
  for (int i = 0; i < 8; ++i) {
    const std::string layer = "model.layers." + std::to_string(i);
    floats(layer + ".input_layernorm.weight", {64}, 64);
    floats(layer + ".post_attention_layernorm.weight", {64}, 64);
    for (const char* name : {".self_attn.q_proj", ".self_attn.o_proj"})
      matrix(layer + name, 64, 64);
    for (const char* name : {".self_attn.k_proj", ".self_attn.v_proj"})
      matrix(layer + name, 32, 64);
    for (const char* name : {".mlp.gate_proj", ".mlp.up_proj"}) matrix(layer + name, 96, 64);
    matrix(layer + ".mlp.down_proj", 64, 96);
  }
  const std::string bytes = testing::SafetensorsBytes(tensors);
  directory.Write("model.safetensors", bytes);
  return bytes.size() - stored + converted;
}

TEST(ModelFitTest, MatricesOf4BitsTakeMoreThanTheirFilesWhileTheyAreLoaded) {
  const testing::ModelDirectory directory;
  const uint64_t held = WriteInt4Model(directory);
  const auto fit = FitModel(directory.path(), Quick());
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_GE(fit->Loading(), held);
}

TEST(ModelFitTest, RoomIsWhatTheWeightsLeave) {
  FitReport report;
  report.context = 100;
  report.users = 2;
  report.kv_token = 10;
  report.kv = 2000;
  report.weights = 5000;
  report.loading = 6500;
  report.activations = 1000;
  report.memory = 8000;
  EXPECT_TRUE(report.Fits());
  EXPECT_EQ(report.MaxUsers(), 2);
  EXPECT_EQ(report.MaxContext(), 100);
  report.memory = 7999;
  EXPECT_FALSE(report.Fits());
  report.memory = 4000;
  EXPECT_EQ(report.MaxUsers(), 0);
  report.memory = 9000;
  report.loading = 9001;
  EXPECT_FALSE(report.Fits());
}

TEST(ModelFitTest, DecodingIsBoundByReadsAndThenByArithmetic) {
  FitReport report;
  report.context = 100;
  report.kv_token = 2;  // 100 bytes for half of a context
  report.work.weight_bytes = report.work.all_bytes = 900;
  report.work.layer_operations = 80;
  report.work.output_operations = 20;
  report.read_bytes = 10000;
  report.operations = 5000;
  report.prompt = 20;
  EXPECT_DOUBLE_EQ(report.DecodeTokensPerSecond(1), 10);
  EXPECT_DOUBLE_EQ(report.DecodeTokensPerSecond(9), 50);  // not 9 * 10000 / 1800
  EXPECT_DOUBLE_EQ(report.DecodeTokensPerSecond(3), 25);
  EXPECT_DOUBLE_EQ(report.FirstTokenSeconds(), 20 / (5000 / 81.0));
}

TEST(ModelFitTest, ExpertsOfOtherTokensAreReadToo) {
  WeightWork work;
  work.weight_bytes = 100;
  work.expert_bytes = 40;
  work.all_bytes = 220;
  EXPECT_EQ(work.StepBytes(1), 100u);
  EXPECT_EQ(work.StepBytes(3), 180u);
  EXPECT_EQ(work.StepBytes(50), 220u);
}

TEST(ModelFitTest, NamesWhatIsOutOfRange) {
  const std::string path = testing::TinyModelPath();
  FitOptions options = Quick();
  options.context = 257;
  EXPECT_THAT(std::string(FitModel(path, options).status().message()),
              HasSubstr("context: expected at most 256, found 257"));
  options = Quick();
  options.users = 0;
  EXPECT_THAT(std::string(FitModel(path, options).status().message()),
              HasSubstr("users: expected 1 to"));
  options = Quick();
  options.kv_bits = 4;
  EXPECT_EQ(FitModel(path, options).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FitModel("/nowhere", Quick()).status().code(), absl::StatusCode::kNotFound);
}

TEST(ModelFitTest, TheMachineHasMemory) { EXPECT_GT(MachineMemoryBytes(), uint64_t{1} << 26); }

}  // namespace
}  // namespace emptor::engine
