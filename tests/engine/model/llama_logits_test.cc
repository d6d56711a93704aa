// Agreement with PyTorch: golden logits and greedy tokens of tests/golden/llama_logits.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/conversion/random_model.h"
#include "engine/loading/gguf_file.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/engine/support/golden_logits.h"

namespace emptor::engine {
namespace {

std::string Sha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

/// The models of the golden files, written once to a temporary folder.
class LlamaLogitsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    golden_ = testing::GoldenLogits::Read(std::string("llama_logits/") + GetParam() + ".txt");
    ASSERT_EQ(golden_.logits.size(), 4u);
    const auto shape = ModelShape::Parse(golden_.shape);
    ASSERT_TRUE(shape.ok()) << shape.status();
    path_ = ::testing::TempDir() + "llama_logits_" + GetParam() + "_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
    std::replace(path_.begin() + static_cast<std::ptrdiff_t>(::testing::TempDir().size()),
                 path_.end(), '/', '_');
    const auto written =
        WriteRandomModel({.shape = *shape, .type = DType::kF32, .seed = golden_.seed}, path_);
    ASSERT_TRUE(written.ok()) << written.status();
    ASSERT_EQ(Sha256(path_), golden_.digest) << "the writer gives another file than before";
    auto file = GgufFile::Load(path_);
    ASSERT_TRUE(file.ok()) << file.status();
    file_ = std::move(*file);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  testing::ModelMaker Maker() const {
    return [this](Isa isa, int threads) {
      auto model = Transformer::Create(
          file_, {.blocks = 8 * testing::kGoldenBlocks, .threads = threads, .isa = isa});
      EXPECT_TRUE(model.ok()) << model.status();
      return model.ok() ? std::move(*model) : nullptr;
    };
  }

  testing::GoldenLogits golden_;
  std::string path_;
  std::shared_ptr<const GgufFile> file_;
};

INSTANTIATE_TEST_SUITE_P(Models, LlamaLogitsTest, ::testing::Values("mha", "gqa"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(LlamaLogitsTest, EveryInstructionSetAndChunkAgreesWithPyTorch) {
  testing::ExpectGoldenLogits(golden_, Maker());
}

TEST_P(LlamaLogitsTest, GreedyTokensAreIdentical) { testing::ExpectGoldenTokens(golden_, Maker()); }

TEST_P(LlamaLogitsTest, GreedyTokensOfABatchAreIdentical) {
  testing::ExpectGoldenTokensInABatch(golden_, Maker());
}

}  // namespace
}  // namespace emptor::engine
