// Shapes as text, random numbers, and whole files of random weights.
#include "engine/conversion/random_model.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/loading/model_info.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/model/transformer.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

std::string TempPath(const std::string& name) {
  return ::testing::TempDir() + "random_model_test_" + std::to_string(getpid()) + name;
}

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

TEST(ModelShapeTest, ReadsNamesAndPairs) {
  const auto named = ModelShape::Parse("tinyllama-1.1b,layers=4");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->hidden_size, 2048);
  EXPECT_EQ(named->kv_heads, 4);
  EXPECT_EQ(named->layers, 4);
  EXPECT_FALSE(named->tied);
  const auto pairs = ModelShape::Parse("hidden_size=96,tied=false,rope_base=5e5,vocabulary=300");
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  EXPECT_EQ(pairs->hidden_size, 96);
  EXPECT_EQ(pairs->vocabulary, 300);
  EXPECT_EQ(pairs->rope_base, 5e5f);
  const auto earlier = ModelShape::Parse("width=96,feed_forward=200");
  ASSERT_TRUE(earlier.ok()) << earlier.status();
  EXPECT_EQ(earlier->hidden_size, 96);
  EXPECT_EQ(earlier->intermediate_size, 200);
}

TEST(ModelShapeTest, RefusesWhatNoModelHas) {
  for (const char* text : {"", "tiny", "hidden_size=0", "hidden_size=x", "hidden_size=64,emptor-lm",
                           "depth=3", "heads=3,kv_heads=2", "head_dim=15", "vocabulary=258",
                           "tied=yes", "rope_base=nan", "hidden_size=64,", "layers=1e3"}) {
    EXPECT_EQ(ModelShape::Parse(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(RandomNumbersTest, AreThoseOfTheSeedWhereverTheyBegin) {
  const RandomTensor tensor = {.name = "t", .dims = {1000}, .mean = 1, .deviation = 2, .seed = 9};
  std::vector<float> all(100000), part(100);
  RandomNumbersInto(tensor, 0, all);
  RandomNumbersInto(tensor, 500, part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 500));
  double sum = 0, squares = 0;
  for (const float value : all) {
    sum += value;
    squares += (value - 1.0) * (value - 1.0);
    EXPECT_LT(std::fabs(value - 1), 7);
  }
  EXPECT_NEAR(sum / 1e5, 1, 0.03);
  EXPECT_NEAR(std::sqrt(squares / 1e5), 2, 0.03);
}

class RandomModelTest : public ::testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, RandomModelTest, ::testing::ValuesIn(kWritableDTypes),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(RandomModelTest, LoadsRunsAndIsTheSameEachTime) {
  const auto shape = ModelShape::Parse(
      "hidden_size=256,layers=2,heads=8,head_dim=32,intermediate_size=256,vocabulary=1200,tied="
      "false");
  ASSERT_TRUE(shape.ok()) << shape.status();
  const std::string path = TempPath(std::string(DTypeName(GetParam())));
  const auto bytes = WriteRandomModel({.shape = *shape, .type = GetParam(), .seed = 5}, path);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(*bytes, std::filesystem::file_size(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  const std::string first = ReadBytes(path);
  ASSERT_TRUE(WriteRandomModel({.shape = *shape, .type = GetParam(), .seed = 5}, path).ok());
  EXPECT_EQ(ReadBytes(path), first);

  auto file = GgufFile::Load(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto tokenizer = ReadTokenizer(**file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  const std::string text = "Any text: \xe4\xb8\xad\xe6\x96\x87 and \xf0\x9f\x9a\x80, hello";
  const std::vector<TokenId> ids = testing::Encode(**tokenizer, text);
  EXPECT_LT(ids.size(), text.size());
  EXPECT_EQ((*tokenizer)->Decode(ids), text);
  const ChatTemplate chat = ReadChatTemplate(**file);
  EXPECT_TRUE(chat.own());
  EXPECT_EQ(chat.status(), absl::OkStatus());
  auto model = Transformer::Create(std::move(*file), {.blocks = 8});
  ASSERT_TRUE(model.ok()) << model.status();
  std::vector<float> logits(1200);
  const std::vector<BlockId> blocks = {BlockId{0}, BlockId{1}, BlockId{2}, BlockId{3}};
  const SequenceStep step{ids, 0, blocks, true};
  (*model)->ComputeInto(std::span(&step, 1), logits);
  for (const float logit : logits) ASSERT_TRUE(std::isfinite(logit));
  std::filesystem::remove(path);
}

TEST(RandomModelErrorTest, SaysWhyAndLeavesNothing) {
  const auto shape = ModelShape::Parse("stories260k");
  ASSERT_TRUE(shape.ok()) << shape.status();
  const std::string path = TempPath("refused");
  const auto odd = WriteRandomModel({.shape = *shape, .type = DType::kQ8_0}, path);
  EXPECT_EQ(odd.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(odd.status().message().find("ffn_down"), std::string::npos) << odd.status();
  EXPECT_FALSE(std::filesystem::exists(path));
  const auto nowhere = WriteRandomModel({.shape = *shape, .type = DType::kF32}, path + "/none/x");
  EXPECT_EQ(nowhere.status().code(), absl::StatusCode::kUnavailable);
  const auto full = WriteRandomModel({.shape = *shape, .type = DType::kF32}, "/dev/full/x");
  EXPECT_EQ(full.status().code(), absl::StatusCode::kUnavailable);
}

TEST(ModelInfoTest, DescribesTheFileAndWhatIsNotSupported) {
  const auto shape = ModelShape::Parse("stories260k");
  ASSERT_TRUE(shape.ok()) << shape.status();
  const std::string path = TempPath("info");
  ASSERT_TRUE(WriteRandomModel({.shape = *shape, .type = DType::kF16}, path).ok());
  const auto file = GgufFile::Load(path);
  ASSERT_TRUE(file.ok()) << file.status();
  std::string all;
  for (const auto& [name, value] : DescribeModel(**file)) all += name + ": " + value + "\n";
  for (const char* part :
       {"architecture: llama", "5 layers, hidden size 64, 8 heads of 8, 4 key-value heads",
        "0.26 million in 47 tensors", "F16: 36 tensors", "F32: 11 tensors", "tied embeddings",
        "byte-level BPE (gpt-2), 512 tokens (3 control, 0 user-defined), 253 merges",
        "chat: template of the file"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in:\n" << all;
  }
  GgufHead head;
  head.AddString("general.architecture", "mamba");
  const std::string bytes = head.HeadBytes();
  const auto other = GgufFile::Parse(testing::AsBytes(bytes), "other");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_NE(DescribeModel(**other)[2].second.find("not supported"), std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace emptor::engine
