// Checkpoints of GPTQ and AWQ: matrices of known numbers are written in the layouts of both.
#include "engine/loading/int4_matrix.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "engine/kernels/kernels.h"
#include "engine/loading/hf_directory.h"
#include "engine/model/model_weights.h"
#include "engine/model/transformer.h"
#include "engine/tensor/half.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/support/model_directory.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;
using testing::RawTensor;

constexpr int64_t kGroup = 32;

/// A matrix before it is packed: quants by row and column, zero points and scales by row and group.
struct Quantised {
  int64_t rows, cols;
  std::vector<int> quants, zeros;
  std::vector<Half> scales;

  int64_t groups() const { return cols / kGroup; }
  int quant(int64_t row, int64_t col) const {
    return quants[static_cast<size_t>(row * cols + col)];
  }
  int zero(int64_t row, int64_t group) const {
    return zeros[static_cast<size_t>(row * groups() + group)];
  }
  Half scale(int64_t row, int64_t group) const {
    return scales[static_cast<size_t>(row * groups() + group)];
  }
  float value(int64_t row, int64_t col) const {
    const int difference = quant(row, col) - zero(row, col / kGroup);
    return HalfToFloat(scale(row, col / kGroup)) * static_cast<float>(difference);
  }
};

Quantised RandomMatrix(int64_t rows, int64_t cols, bool symmetric, uint64_t seed) {
  std::mt19937_64 random(seed);
  Quantised matrix{rows, cols, {}, {}, {}};
  for (int64_t i = 0; i < rows * cols; ++i)
    matrix.quants.push_back(static_cast<int>(random() % 16));
  for (int64_t i = 0; i < rows * matrix.groups(); ++i) {
    matrix.zeros.push_back(symmetric ? 8 : static_cast<int>(random() % 16));
    matrix.scales.push_back(FloatToHalf(0.001f * static_cast<float>(1 + random() % 50)));
  }
  return matrix;
}

std::string Bytes(const std::vector<uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 4};
}

/// Scales by group and row.
RawTensor Scales(const std::string& name, const Quantised& matrix) {
  std::string bytes;
  for (int64_t group = 0; group < matrix.groups(); ++group) {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      const Half scale = matrix.scale(row, group);
      bytes.append(reinterpret_cast<const char*>(&scale), sizeof(scale));
    }
  }
  return {name + ".scales", "F16", {matrix.groups(), matrix.rows}, bytes};
}

/// Words of eight columns for each row; zero points less one.
std::vector<RawTensor> Gptq(const std::string& name, const Quantised& m, int stored_less = 1) {
  std::vector<uint32_t> words(static_cast<size_t>(m.cols / 8 * m.rows));
  for (int64_t col = 0; col < m.cols; ++col) {
    for (int64_t row = 0; row < m.rows; ++row) {
      words[static_cast<size_t>(col / 8 * m.rows + row)] |= static_cast<uint32_t>(m.quant(row, col))
                                                            << 4 * (col % 8);
    }
  }
  std::vector<uint32_t> zeros(static_cast<size_t>(m.groups() * m.rows / 8));
  std::vector<uint32_t> order;
  for (int64_t group = 0; group < m.groups(); ++group) {
    for (int64_t row = 0; row < m.rows; ++row) {
      zeros[static_cast<size_t>((group * m.rows + row) / 8)] |=
          static_cast<uint32_t>((m.zero(row, group) - stored_less) & 15) << 4 * (row % 8);
    }
  }
  for (int64_t col = 0; col < m.cols; ++col) order.push_back(static_cast<uint32_t>(col / kGroup));
  return {{name + ".qweight", "I32", {m.cols / 8, m.rows}, Bytes(words)},
          {name + ".qzeros", "I32", {m.groups(), m.rows / 8}, Bytes(zeros)},
          Scales(name, m),
          {name + ".g_idx", "I32", {m.cols}, Bytes(order)}};
}

/// Words of eight rows for each column, their nibbles in the order 0 2 4 6 1 3 5 7.
std::vector<RawTensor> Awq(const std::string& name, const Quantised& m) {
  constexpr int kOrder[] = {0, 2, 4, 6, 1, 3, 5, 7};
  std::vector<uint32_t> words, zeros;
  for (int64_t col = 0; col < m.cols; ++col) {
    for (int64_t row = 0; row < m.rows; row += 8) {
      uint32_t word = 0, zero = 0;
      for (int i = 0; i < 8; ++i) {
        word |= static_cast<uint32_t>(m.quant(row + kOrder[i], col)) << 4 * i;
        zero |= static_cast<uint32_t>(m.zero(row + kOrder[i], col / kGroup)) << 4 * i;
      }
      words.push_back(word);
      if (col % kGroup == 0) zeros.push_back(zero);
    }
  }
  return {{name + ".qweight", "I32", {m.cols, m.rows / 8}, Bytes(words)},
          {name + ".qzeros", "I32", {m.groups(), m.rows / 8}, Bytes(zeros)},
          Scales(name, m)};
}

/// A small Llama whose matrices, all but embedding and output, are quantised.
class Int4DirectoryTest : public ::testing::Test {
 protected:
  static constexpr const char* kGptqConfig =
      R"({"quant_method":"gptq","bits":4,"group_size":32,"desc_act":false,"sym":true})";
  static constexpr const char* kAwqConfig =
      R"({"quant_method":"awq","bits":4,"group_size":32,"version":"GEMM","zero_point":true})";

  void WriteConfig(const std::string& quantization) const {
    directory_.Write(
        "config.json",
        R"({"model_type":"llama","vocab_size":40,"hidden_size":64,"intermediate_size":96,)"
        R"("num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":2,)"
        R"("max_position_embeddings":64,"rms_norm_eps":1e-5,"tie_word_embeddings":true,)"
        R"("quantization_config":)" +
            quantization + "}");
  }
  static std::vector<std::pair<std::string, Quantised>> Matrices(bool symmetric) {
    const std::string layer = "model.layers.0.";
    std::vector<std::pair<std::string, Quantised>> all;
    const auto add = [&](const char* name, int64_t rows, int64_t cols) {
      all.emplace_back(layer + name, RandomMatrix(rows, cols, symmetric, all.size() + 1));
    };
    add("self_attn.q_proj", 64, 64);
    add("self_attn.k_proj", 32, 64);
    add("self_attn.v_proj", 32, 64);
    add("self_attn.o_proj", 64, 64);
    add("mlp.gate_proj", 96, 64);
    add("mlp.up_proj", 96, 64);
    add("mlp.down_proj", 64, 96);
    return all;
  }
  static std::vector<RawTensor> Rest() {
    const auto floats = [](const std::string& name, std::vector<int64_t> dims) {
      size_t count = 1;
      for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
      const std::vector<float> ones(count, 1.0f);
      return RawTensor{
          name, "F32", std::move(dims), {reinterpret_cast<const char*>(ones.data()), 4 * count}};
    };
    return {floats("model.embed_tokens.weight", {40, 64}), floats("model.norm.weight", {64}),
            floats("model.layers.0.input_layernorm.weight", {64}),
            floats("model.layers.0.post_attention_layernorm.weight", {64})};
  }
  void WriteTensors(const std::vector<RawTensor>& tensors) const {
    directory_.Write("model.safetensors", testing::SafetensorsBytes(tensors));
  }
  /// The directory, loaded to its weights.
  absl::StatusOr<std::unique_ptr<const HfDirectory>> Load() const {
    auto source = HfDirectory::Load(directory_.path());
    if (!source.ok()) return source;
    const auto config = (*source)->Config();
    if (!config.ok()) return config.status();
    const auto weights = ModelWeights::Read(**source, *config);
    if (!weights.ok()) return weights.status();
    return source;
  }
  static void ExpectNumbers(const HfDirectory& source, bool symmetric) {
    for (const auto& [name, want] : Matrices(symmetric)) {
      SCOPED_TRACE(name);
      const auto found = source.Find(name + ".weight");
      ASSERT_TRUE(found.ok() && *found) << found.status();
      const TensorView& view = (*found)->view;
      EXPECT_EQ(view.type, symmetric ? DType::kQ4_0 : DType::kQ4_1);
      ASSERT_EQ(view.rows, want.rows);
      ASSERT_EQ(view.cols, want.cols);
      std::vector<float> row(static_cast<size_t>(view.cols));
      for (int64_t r = 0; r < view.rows; ++r) {
        kReferenceKernels.dequantize(view, r, row.data());
        for (int64_t c = 0; c < view.cols; ++c) {
          const float bound = symmetric ? 0 : HalfToFloat(want.scale(r, c / kGroup)) / 128;
          ASSERT_NEAR(row[static_cast<size_t>(c)], want.value(r, c), bound) << r << ' ' << c;
        }
      }
    }
  }
  void Write(const std::string& config, bool symmetric, int stored_less = 1) const {
    WriteConfig(config);
    std::vector<RawTensor> all = Rest();
    for (const auto& [name, matrix] : Matrices(symmetric)) {
      const std::vector<RawTensor> parts =
          config.find("awq") != config.npos ? Awq(name, matrix) : Gptq(name, matrix, stored_less);
      all.insert(all.end(), parts.begin(), parts.end());
    }
    WriteTensors(all);
  }

  const testing::ModelDirectory directory_;
};

TEST_F(Int4DirectoryTest, ReadsTheNumbersOfGptq) {
  for (const bool symmetric : {true, false}) {
    Write(kGptqConfig, symmetric);
    const auto source = Load();
    ASSERT_TRUE(source.ok()) << source.status();
    ExpectNumbers(**source, symmetric);
    EXPECT_EQ((*source)->TensorNames().size(), 4u + 7u);
  }
}

TEST_F(Int4DirectoryTest, ReadsZeroPointsOfTheSecondFormatOfGptq) {
  Write(R"({"quant_method":"gptq","bits":4,"group_size":32,"checkpoint_format":"gptq_v2"})", false,
        0);
  const auto source = Load();
  ASSERT_TRUE(source.ok()) << source.status();
  ExpectNumbers(**source, false);
}

TEST_F(Int4DirectoryTest, ReadsTheNumbersOfAwq) {
  for (const bool symmetric : {true, false}) {
    Write(kAwqConfig, symmetric);
    const auto source = Load();
    ASSERT_TRUE(source.ok()) << source.status();
    ExpectNumbers(**source, symmetric);
  }
}

TEST_F(Int4DirectoryTest, OneModelInBothLayoutsGivesTheSameLogits) {
  std::vector<float> logits[2];
  for (const bool awq : {false, true}) {
    Write(awq ? kAwqConfig : kGptqConfig, false);
    auto source = HfDirectory::Load(directory_.path());
    ASSERT_TRUE(source.ok()) << source.status();
    const auto model = Transformer::Create(*std::move(source), {.blocks = 2, .release_file = true});
    ASSERT_TRUE(model.ok()) << model.status();
    const std::vector<int32_t> tokens = {1, 7, 39, 3};
    const std::vector<BlockId> blocks = {BlockId{0}};
    const SequenceStep step{tokens, 0, blocks, 4};
    logits[awq].resize(4 * 40);
    (*model)->ComputeInto(std::span(&step, 1), logits[awq]);
  }
  EXPECT_EQ(logits[0], logits[1]);
  EXPECT_TRUE(std::ranges::all_of(logits[0], [](float logit) { return std::isfinite(logit); }));
}

TEST_F(Int4DirectoryTest, HoldsWhatWasConvertedInPlaceOfAllThatWasStored) {
  for (const char* config : {kGptqConfig, kAwqConfig}) {
    Write(config, false);
    const auto source = Load();
    ASSERT_TRUE(source.ok()) << source.status();
    size_t want = (*source)->size();
    for (const auto& [name, matrix] : Matrices(false)) {
      for (const RawTensor& part : config == kAwqConfig ? Awq(name, matrix) : Gptq(name, matrix)) {
        want -= part.bytes.size();
      }
      want += static_cast<size_t>(matrix.rows * matrix.cols / 32) * BlockBytes(DType::kQ4_1);
    }
    EXPECT_EQ((*source)->memory_bytes(), want);
  }
}

TEST_F(Int4DirectoryTest, BiasesOfZerosAreNoBiases) {
  WriteConfig(kGptqConfig);
  std::vector<RawTensor> all = Rest();
  for (const auto& [name, matrix] : Matrices(true)) {
    for (RawTensor& part : Gptq(name, matrix)) all.push_back(std::move(part));
    const auto rows = static_cast<size_t>(matrix.rows);
    all.push_back({name + ".bias", "F16", {matrix.rows}, std::string(2 * rows, '\0')});
  }
  WriteTensors(all);
  EXPECT_TRUE(Load().ok()) << Load().status();
  all.back().bytes[5] = 1;
  WriteTensors(all);
  EXPECT_THAT(std::string(Load().status().message()), HasSubstr("down_proj.bias"));
  all.back().dims = {1};
  all.back().bytes = std::string(2, '\0');
  WriteTensors(all);
  EXPECT_THAT(std::string(Load().status().message()), HasSubstr("down_proj.bias"));
}

struct RefusedInt4 {
  std::string name, config;
  std::string part;  // of q_proj; empty: none
  std::function<void(RawTensor&)> change;
  std::string message;
};

class RefusedInt4Test : public Int4DirectoryTest,
                        public ::testing::WithParamInterface<RefusedInt4> {};

TEST_P(RefusedInt4Test, NamesWhatIsWrong) {
  const RefusedInt4& c = GetParam();
  WriteConfig(c.config);
  std::vector<RawTensor> all = Rest();
  for (const auto& [name, matrix] : Matrices(false)) {
    for (RawTensor& part : Gptq(name, matrix)) {
      if (!c.part.empty() && part.name.ends_with("q_proj." + c.part)) c.change(part);
      if (!part.dims.empty()) all.push_back(std::move(part));
    }
  }
  WriteTensors(all);
  const absl::Status refused = Load().status();
  EXPECT_TRUE(refused.code() == absl::StatusCode::kInvalidArgument ||
              refused.code() == absl::StatusCode::kUnimplemented)
      << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr(c.message));
}

const auto kNone = [](RawTensor&) {};
const auto kMissing = [](RawTensor& tensor) { tensor.dims.clear(); };
const std::string kGptq = R"({"quant_method":"gptq","bits":4,"group_size":32})";

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedInt4Test,
    ::testing::Values(
        RefusedInt4{"Method", R"({"quant_method":"bitsandbytes","bits":4})", "", kNone,
                    "quant_method: expected gptq or awq, found \"bitsandbytes\""},
        RefusedInt4{"Bits", R"({"quant_method":"gptq","bits":8})", "", kNone,
                    "bits: expected 4, found 8"},
        RefusedInt4{"BitsMissing", R"({"quant_method":"gptq"})", "", kNone, "bits: missing"},
        RefusedInt4{"NoObject", "4", "", kNone, "quantization_config: expected an object"},
        RefusedInt4{"Order", R"({"quant_method":"gptq","bits":4,"desc_act":true})", "", kNone,
                    "desc_act"},
        RefusedInt4{"Version", R"({"quant_method":"awq","bits":4,"version":"gemv"})", "", kNone,
                    "version: expected gemm, found \"gemv\""},
        RefusedInt4{"Format", R"({"quant_method":"gptq","bits":4,"checkpoint_format":"marlin"})",
                    "", kNone, "checkpoint_format: expected gptq or gptq_v2, found \"marlin\""},
        RefusedInt4{"GroupNone", R"({"quant_method":"gptq","bits":4,"group_size":0})", "", kNone,
                    "group_size"},
        RefusedInt4{"GroupOdd", R"({"quant_method":"gptq","bits":4,"group_size":24})", "", kNone,
                    "groups of 24"},
        RefusedInt4{"GroupOther", R"({"quant_method":"gptq","bits":4,"group_size":-1})", "", kNone,
                    "qzeros: shape: expected 1 x "},
        RefusedInt4{"ScalesMissing", kGptq, "scales", kMissing, "q_proj.scales: missing"},
        RefusedInt4{"ZerosMissing", kGptq, "qzeros", kMissing, "q_proj.qzeros: missing"},
        RefusedInt4{"ScalesInF32", kGptq, "scales",
                    [](RawTensor& part) {
                      part.dtype = "F32";
                      part.bytes += part.bytes;
                    },
                    "scales: dtype: expected F16, found F32"},
        RefusedInt4{"WordsInI64", kGptq, "qweight",
                    [](RawTensor& part) {
                      part.dtype = "I64";
                      part.bytes += part.bytes;
                    },
                    "qweight: expected two dimensions of I32"},
        RefusedInt4{"WordsInARow", kGptq, "qweight",
                    [](RawTensor& part) { part.dims = {part.dims[0] * part.dims[1]}; },
                    "qweight: expected two dimensions"},
        RefusedInt4{"RowsAndColumns", kGptq, "qweight",
                    [](RawTensor& part) { std::swap(part.dims[0], part.dims[1]); }, "q_proj."},
        RefusedInt4{"ColumnsInAnotherOrder", kGptq, "g_idx",
                    [](RawTensor& part) { part.bytes[0] = 1; }, "g_idx: columns in another order"},
        RefusedInt4{"NotFinite", kGptq, "scales", [](RawTensor& part) { part.bytes[1] = 0x7c; },
                    "scales: holds a number that is not finite"}),
    [](const auto& tested) { return tested.param.name; });

TEST_F(Int4DirectoryTest, RefusesAMatrixThatIsThereTwice) {
  WriteConfig(kGptqConfig);
  std::vector<RawTensor> all = Rest();
  for (const auto& [name, matrix] : Matrices(true)) {
    for (RawTensor& part : Gptq(name, matrix)) all.push_back(std::move(part));
  }
  all.push_back(
      {"model.layers.0.mlp.up_proj.weight", "F16", {96, 64}, std::string(2 * 96 * 64, 0)});
  WriteTensors(all);
  EXPECT_THAT(std::string(Load().status().message()),
              HasSubstr("up_proj: is stored with and without quantisation"));
}

}  // namespace
}  // namespace emptor::engine
