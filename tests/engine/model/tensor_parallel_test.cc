// Ranks compute what one does, up to rounding, and keep the promises of a model among themselves.
#include "engine/model/tensor_parallel.h"

#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "tests/engine/support/model_steps.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::Blocks;
using ::emptor::testing::GgufWriter;
using ::emptor::testing::LastLogits;
using ::emptor::testing::LlamaShape;
using ::emptor::testing::LoadedGguf;
using ::emptor::testing::RandomTokens;
using ::emptor::testing::RelativeDistance;
using ::testing::HasSubstr;

LlamaShape Shape(uint32_t type, bool tied) {
  return {.hidden_size = 64,
          .layers = 3,
          .heads = 8,
          .kv_heads = 4,
          .head_dim = 32,
          .intermediate_size = 128,
          .tied = tied,
          .type = type};
}

std::unique_ptr<Model> Make(const LoadedGguf& loaded, TransformerOptions options) {
  options.blocks = 64;
  auto model = CreateModel(loaded.file, options);
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? *std::move(model) : nullptr;
}

TEST(TensorParallelTest, RanksAgreeWithOne) {
  const std::vector<int32_t> tokens = RandomTokens(50, 2);
  for (const uint32_t type :
       {GgufWriter::kF32, GgufWriter::kF16, GgufWriter::kBF16, GgufWriter::kQ8}) {
    for (const bool tied : {false, true}) {
      const LoadedGguf loaded(testing::MakeRandomLlama(Shape(type, tied)));
      for (const Isa isa : AvailableIsas()) {
        const auto one = Make(loaded, {.isa = isa});
        const std::vector<float> want = LastLogits(*one, tokens, 50, Blocks(0, 4));
        for (const int ranks : {2, 4}) {
          const auto team = Make(loaded, {.threads = 4, .ranks = ranks, .isa = isa});
          // Sums in another order; a rounding can tip an int8 or bf16 activation over.
          const double bound = type == GgufWriter::kQ8 || type == GgufWriter::kBF16 ? 0.03 : 1e-4;
          EXPECT_LT(RelativeDistance(want, LastLogits(*team, tokens, 50, Blocks(0, 4))), bound)
              << IsaName(isa) << " " << ranks << " ranks of type " << type;
        }
      }
    }
  }
}

TEST(TensorParallelTest, ChunksBlocksAndNeighboursDoNotChangeABit) {
  const LoadedGguf loaded(testing::MakeRandomLlama(Shape(GgufWriter::kQ8, true)));
  const auto model = Make(loaded, {.threads = 4, .ranks = 2});
  const std::vector<int32_t> tokens = RandomTokens(50, 2);
  const std::vector<float> want = LastLogits(*model, tokens, 50, Blocks(0, 4));
  for (const size_t chunk : {1u, 3u, 16u, 49u}) {
    EXPECT_EQ(LastLogits(*model, tokens, chunk, Blocks(20, 4)), want) << chunk;
  }
  const std::vector<int32_t> other = RandomTokens(20, 3);
  const std::vector<BlockId> blocks[] = {Blocks(30, 4), Blocks(40, 2)};
  const SequenceStep steps[] = {{other, 0, blocks[1], true}, {tokens, 0, blocks[0], true}};
  std::vector<float> both(2 * want.size());
  model->ComputeInto(steps, both);
  EXPECT_TRUE(std::equal(want.begin(), want.end(), both.begin() + std::ssize(want)));
}

TEST(TensorParallelTest, StoredMatricesAreGivenUpWhenTheRanksHaveTheirs) {
  for (const bool tied : {false, true}) {
    const GgufWriter writer = testing::MakeRandomLlama(Shape(GgufWriter::kQ8, tied));
    const std::string path = ::testing::TempDir() + "ranks_" + std::to_string(getpid()) + ".gguf";
    writer.WriteTo(path);
    const std::vector<int32_t> tokens = RandomTokens(30, 4);
    const LoadedGguf loaded(writer);
    const std::vector<float> want =
        LastLogits(*Make(loaded, {.ranks = 2}), tokens, 30, Blocks(0, 2));
    std::shared_ptr<const GgufFile> file = *GgufFile::Load(path);
    auto model = CreateModel(file, {.blocks = 4, .ranks = 2, .release_file = true});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(LastLogits(**model, tokens, 30, Blocks(0, 2)), want);
  }
}

TEST(TensorParallelTest, RefusesRanksThatDoNotDivideTheModel) {
  const std::pair<LlamaShape, std::string> cases[] = {
      {{.heads = 3, .kv_heads = 3}, "2 does not divide 3 heads"},
      {{.heads = 4, .kv_heads = 1}, "2 does not divide 1 heads of keys and values"},
      {{.heads = 4, .kv_heads = 2, .intermediate_size = 43},
       "43 elements of the intermediate size"},
      {{.head_dim = 32, .intermediate_size = 96, .type = GgufWriter::kQ8},
       "blocks of columns of down"},
  };
  for (const auto& [shape, message] : cases) {
    const LoadedGguf loaded(testing::MakeRandomLlama(shape));
    const auto model = CreateModel(loaded.file, {.blocks = 4, .ranks = 2});
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(model.status().message()), HasSubstr(message));
  }
  const LoadedGguf loaded(testing::MakeRandomLlama({}));
  EXPECT_EQ(CreateModel(loaded.file, {.blocks = 4, .ranks = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace emptor::engine
