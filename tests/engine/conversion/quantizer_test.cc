// Models of other element types: of GGUF files, and of directories held against transformers.
#include "engine/conversion/quantizer.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/conversion/random_model.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/model_loader.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/support/golden_logits.h"
#include "tests/engine/support/model_directory.h"
#include "tests/engine/support/model_steps.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;
using testing::ModelDirectory;

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

/// A random model of that shape and type; gives its path.
std::string WriteRandom(const ModelDirectory& folder, const std::string& text, DType type) {
  const auto shape = ModelShape::Parse(text);
  EXPECT_TRUE(shape.ok()) << shape.status();
  std::string path = folder.path() + "/random.gguf";
  EXPECT_TRUE(WriteRandomModel({.shape = *shape, .type = type, .seed = 3}, path).ok());
  return path;
}

absl::StatusOr<QuantizedModel> Quantize(const std::string& from, DType type,
                                        const std::string& to) {
  const auto source = LoadModelSource(from);
  return source.ok() ? QuantizeModel(**source, type, to) : source.status();
}

std::vector<float> LogitsOf(const std::string& path) {
  auto model = LoadModelSource(path);
  EXPECT_TRUE(model.ok()) << model.status();
  const auto transformer = Transformer::Create(*model, {.blocks = 4, .threads = 1});
  EXPECT_TRUE(transformer.ok()) << transformer.status();
  return testing::LastLogits(**transformer, testing::RandomTokens(20, 7), 20,
                             testing::Blocks(0, 4));
}

constexpr const char* kShape =
    "hidden_size=256,layers=2,heads=8,kv_heads=4,head_dim=32,intermediate_size=256,vocabulary=300,"
    "tied=false";

class QuantizerTest : public ::testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, QuantizerTest, ::testing::ValuesIn(kWritableDTypes),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(QuantizerTest, GivesTheFileThatTheNumbersWouldHaveGiven) {
  const ModelDirectory folder;
  const std::string exact = WriteRandom(folder, kShape, DType::kF32);
  const std::string made = folder.path() + "/made.gguf";
  const auto result = Quantize(exact, GetParam(), made);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->bytes, std::filesystem::file_size(made));
  EXPECT_TRUE(result->notes.empty());
  EXPECT_FALSE(std::filesystem::exists(made + ".part"));
  const auto direct = GgufFile::Load(WriteRandom(folder, kShape, GetParam()));
  const auto file = GgufFile::Load(made);
  ASSERT_TRUE(direct.ok() && file.ok()) << file.status();
  ASSERT_EQ((*file)->tensors().size(), (*direct)->tensors().size());
  for (const GgufTensor& tensor : (*direct)->tensors()) {
    const GgufTensor* same = (*file)->FindTensor(tensor.name);
    ASSERT_NE(same, nullptr) << tensor.name;
    EXPECT_EQ(same->type, tensor.type) << tensor.name;
    EXPECT_TRUE(std::ranges::equal(same->bytes, tensor.bytes)) << tensor.name;
  }
  for (const GgufPair& pair : (*direct)->pairs()) {
    const auto same = std::ranges::find((*file)->pairs(), pair.key, &GgufPair::key);
    ASSERT_NE(same, (*file)->pairs().end()) << pair.key;
    EXPECT_EQ(same->bytes, pair.bytes) << pair.key;
  }
  // Once more changes nothing.
  const std::string bytes = ReadBytes(made);
  ASSERT_TRUE(Quantize(made, GetParam(), made).ok());
  EXPECT_EQ(ReadBytes(made), bytes);
}

TEST_P(QuantizerTest, LogitsStayClose) {
  const ModelDirectory folder;
  const std::string exact = WriteRandom(folder, kShape, DType::kF32);
  const std::vector<float> want = LogitsOf(exact);
  const std::string made = folder.path() + "/made.gguf";
  ASSERT_TRUE(Quantize(exact, GetParam(), made).ok());
  // The bytes are held above; here it is that the whole is still the same model, and one of other
  // weights is 1.4 away. Random weights gather the rounding of all 15 matrices.
  const bool four = GetParam() == DType::kQ4_0 || GetParam() == DType::kQ4_K;
  const double most = four ? 0.5 : GetParam() == DType::kQ6_K ? 0.15 : 0.03;
  EXPECT_LT(testing::RelativeDistance(want, LogitsOf(made)), most);
}

TEST(QuantizerTypeTest, RowsThatAreNoWholeBlocksGetAnotherType) {
  const ModelDirectory folder;
  const std::string exact = WriteRandom(folder, "stories260k,layers=1", DType::kF32);
  const std::string made = folder.path() + "/made.gguf";
  const auto result = Quantize(exact, DType::kQ6_K, made);
  ASSERT_TRUE(result.ok()) << result.status();
  // Rows of 64 hold blocks of 32, those of 172 none.
  EXPECT_THAT(result->notes, ::testing::Contains("blk.0.ffn_down.weight: F16: rows of 172 are no "
                                                 "whole blocks of 256"));
  EXPECT_THAT(
      result->notes,
      ::testing::Contains("blk.0.attn_q.weight: Q8_0: rows of 64 are no whole blocks of 256"));
  EXPECT_EQ(result->tensors.at(DType::kF16), 1);
  EXPECT_EQ(result->tensors.at(DType::kQ8_0), 7);
  EXPECT_EQ(result->tensors.at(DType::kF32), 3);
  EXPECT_LT(testing::RelativeDistance(LogitsOf(exact), LogitsOf(made)), 0.03);
}

TEST(QuantizerTypeTest, RefusesAndLeavesNothing) {
  const ModelDirectory folder;
  const std::string exact = WriteRandom(folder, kShape, DType::kF32);
  EXPECT_EQ(Quantize(exact, DType::kQ8_0, folder.path() + "/none/x").status().code(),
            absl::StatusCode::kUnavailable);
  // A number that F16 does not hold.
  auto file = GgufFile::Load(exact);
  ASSERT_TRUE(file.ok()) << file.status();
  std::string bytes = ReadBytes(exact);
  const float large = 70000;
  const std::span<const std::byte> matrix = (*file)->FindTensor("output.weight")->bytes;
  const std::byte* start = (*file)->FindTensor("token_embd.weight")->bytes.data();
  const size_t data = bytes.size() - [&] {
    size_t sum = 0;
    for (const GgufTensor& tensor : (*file)->tensors()) sum += GgufAligned(tensor.bytes.size());
    return sum;
  }();
  bytes.replace(data + static_cast<size_t>(matrix.data() - start), sizeof large,
                reinterpret_cast<const char*>(&large), sizeof large);
  std::ofstream(exact, std::ios::binary) << bytes;
  const std::string made = folder.path() + "/made.gguf";
  const absl::Status refused = Quantize(exact, DType::kF16, made).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("tensor output.weight: 70000 is beyond F16"));
  EXPECT_FALSE(std::filesystem::exists(made));
  EXPECT_FALSE(std::filesystem::exists(made + ".part"));
  EXPECT_TRUE(Quantize(exact, DType::kBF16, made).ok());
}

/// The models of tests/golden/model_logits, turned into GGUF.
class ConvertedModelTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    golden_ = testing::GoldenLogits::Read("model_logits/" + name + "/golden.txt");
    testing::WriteGoldenModel(directory_, name, /*sharded=*/true);
    directory_.Write("tokenizer.json", testing::ByteTokenizerJson());
    directory_.Write("generation_config.json", R"({"bos_token_id":256,"eos_token_id":[257,2,5]})");
    directory_.Write("chat_template.jinja", "{{ messages[0].content }}!");
  }
  std::string MakeGguf(DType type) {
    std::string path = directory_.path() + "/made.gguf";
    const auto result = Quantize(directory_.path(), type, path);
    EXPECT_TRUE(result.ok()) << result.status();
    return path;
  }

  testing::GoldenLogits golden_;
  ModelDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Families, ConvertedModelTest,
                         ::testing::Values("llama3", "llama_linear", "mistral", "mixtral", "qwen2",
                                           "qwen3", "qwen3_yarn"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(ConvertedModelTest, AgreesWithPyTorch) {
  auto file = GgufFile::Load(MakeGguf(DType::kF32));
  ASSERT_TRUE(file.ok()) << file.status();
  const std::shared_ptr<const ModelSource> source = std::move(*file);
  const testing::ModelMaker make = [&](Isa isa, int threads) {
    auto model = Transformer::Create(
        source, {.blocks = 8 * testing::kGoldenBlocks, .threads = threads, .isa = isa});
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? std::move(*model) : nullptr;
  };
  testing::ExpectGoldenLogits(golden_, make);
  testing::ExpectGoldenTokens(golden_, make);
}

TEST_P(ConvertedModelTest, BringsTheTokenizerAndTheTemplate) {
  const std::string path = MakeGguf(DType::kQ8_0);
  const auto before = LoadModel(directory_.path());
  const auto after = LoadModel(path);
  ASSERT_TRUE(before.ok() && after.ok()) << before.status() << after.status();
  EXPECT_EQ(after->title, before->title);
  const Tokenizer& tokenizer = *after->tokenizer;
  EXPECT_EQ(tokenizer.vocabulary().size(), 320);
  EXPECT_EQ(tokenizer.vocabulary().spec().bos, 256);
  for (const TokenId id : {257, 2, 5}) EXPECT_TRUE(tokenizer.IsEnd(id)) << id;
  EXPECT_FALSE(tokenizer.IsEnd(256));
  const std::string text = "It's 12 \xe4\xb8\xad, <|im_end|>";
  EXPECT_EQ(tokenizer.EncodePrompt(text), before->tokenizer->EncodePrompt(text));
  const auto chat = after->chat_template.Encode(tokenizer, {{"user", "ab"}});
  ASSERT_TRUE(chat.ok()) << chat.status();
  EXPECT_EQ(tokenizer.Decode(*chat), "ab!");
  EXPECT_LT(testing::RelativeDistance(LogitsOf(directory_.path()), LogitsOf(path)), 0.05);
}

TEST(ConvertedDirectoryTest, RefusesWhatGgufCannotSay) {
  const ModelDirectory directory;
  testing::WriteGoldenModel(directory, "qwen2_window", /*sharded=*/false);
  const std::string made = directory.path() + "/made.gguf";
  EXPECT_EQ(Quantize(directory.path(), DType::kF32, made).status().code(),
            absl::StatusCode::kNotFound);  // no tokenizer.json
  directory.Write("tokenizer.json", testing::ByteTokenizerJson());
  const absl::Status window = Quantize(directory.path(), DType::kF32, made).status();
  EXPECT_EQ(window.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(window.message()), HasSubstr("a window of some layers alone"));
  testing::WriteGoldenModel(directory, "qwen3", /*sharded=*/false);
  directory.Write("generation_config.json", R"({"eos_token_id":[1,2,3,4]})");
  const absl::Status ends = Quantize(directory.path(), DType::kF32, made).status();
  EXPECT_THAT(std::string(ends.message()), HasSubstr("4 end tokens"));
  EXPECT_FALSE(std::filesystem::exists(made));
}

}  // namespace
}  // namespace emptor::engine
