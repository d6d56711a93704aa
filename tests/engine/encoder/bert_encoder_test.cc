// BERT encoders: agreement with transformers on tests/golden/bert, the same from GGUF, and what is
// refused.
#include "engine/encoder/bert_encoder.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

#include "engine/json/json_tree.h"
#include "engine/loading/hf_directory.h"
#include "engine/loading/tokenizer_directory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/gguf_writer.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;
using ::testing::HasSubstr;

const std::string kFolder = EMPTOR_SOURCE_DIR "/tests/golden/bert/";

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> Texts() {
  std::vector<std::string> texts;
  for (const std::string& line : Lines(kFolder + "texts.jsonl")) {
    texts.emplace_back(JsonTree::Parse(line)->root().as_string());
  }
  return texts;
}

std::vector<std::vector<float>> Vectors(const std::string& path) {
  std::vector<std::vector<float>> rows;
  for (const std::string& line : Lines(path)) {
    std::istringstream numbers(line);
    rows.emplace_back(std::istream_iterator<float>(numbers), std::istream_iterator<float>());
  }
  return rows;
}

std::vector<std::vector<float>> Encode(const TextEncoder& encoder,
                                       const std::vector<std::string>& texts,
                                       TextKind kind = TextKind::kPassage) {
  const auto width = static_cast<size_t>(encoder.dimension());
  std::vector<float> out(texts.size() * width);
  EXPECT_TRUE(encoder.EncodeTextsInto(texts, kind, out).ok());
  std::vector<std::vector<float>> rows;
  for (size_t i = 0; i < texts.size(); ++i) {
    rows.emplace_back(out.begin() + static_cast<std::ptrdiff_t>(i * width),
                      out.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  return rows;
}

double Cosine(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class BertGoldenTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Poolings, BertGoldenTest, ::testing::Values("mean", "cls"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(BertGoldenTest, VectorsAreThoseOfTransformers) {
  const auto want = Vectors(kFolder + GetParam() + "/vectors.txt");
  for (const Isa isa : {Isa::kReference, DetectIsa()}) {
    TextEncoderOptions options;
    options.isa = isa;
    options.threads = 2;
    options.weight_type = DType::kF32;
    const auto encoder = TextEncoder::Load(kFolder + GetParam(), options);
    ASSERT_TRUE(encoder.ok()) << encoder.status();
    const auto rows = Encode(**encoder, Texts());
    ASSERT_EQ(rows.size(), want.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].size(), want[i].size());
      for (size_t d = 0; d < rows[i].size(); ++d) EXPECT_NEAR(rows[i][d], want[i][d], 2e-5) << i;
    }
  }
}

TEST_P(BertGoldenTest, ARowDoesNotDependOnTheOtherTextsOfTheBatch) {
  const auto encoder = TextEncoder::Load(kFolder + GetParam());
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {  // more than one batch
    for (const std::string& text : Texts()) texts.push_back(text);
  }
  const auto together = Encode(**encoder, texts);
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(together[i], Encode(**encoder, {texts[i]})[0]) << i;
  }
}

TEST_P(BertGoldenTest, QuantisedWeightsPointTheSameWay) {
  const auto want = Vectors(kFolder + GetParam() + "/vectors.txt");
  TextEncoderOptions options;
  options.weight_type = DType::kBF16;
  const auto encoder = TextEncoder::Load(kFolder + GetParam(), options);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const auto rows = Encode(**encoder, Texts());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_GT(Cosine(rows[i], want[i]), 0.999) << i;
}

TEST(BertEncoderTest, WeightsAreQ8UnlessTheyAreAskedForOtherwise) {
  TextEncoderOptions options;
  const auto encoder = TextEncoder::Load(kFolder + "mean", options);
  options.weight_type = DType::kQ8_0;
  const auto same = TextEncoder::Load(kFolder + "mean", options);
  options.weight_type = DType::kF32;
  const auto exact = TextEncoder::Load(kFolder + "mean", options);
  ASSERT_TRUE(encoder.ok() && same.ok() && exact.ok());
  EXPECT_EQ(Encode(**encoder, Texts()), Encode(**same, Texts()));
  EXPECT_EQ((*encoder)->model_id(), (*same)->model_id());
  EXPECT_NE((*encoder)->model_id(), (*exact)->model_id());
}

TEST(BertEncoderTest, Q8WeightsPointTheSameWay) {
  const auto want = Vectors(kFolder + "mean/vectors.txt");
  TextEncoderOptions options;
  options.weight_type = DType::kQ8_0;
  const auto encoder = TextEncoder::Load(kFolder + "mean", options);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const auto rows = Encode(**encoder, Texts());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_GT(Cosine(rows[i], want[i]), 0.995) << i;
}

TEST(BertEncoderTest, PrefixesAreReadAsPartOfTheText) {
  TextEncoderOptions options;
  options.query_prefix = "camera ";
  options.passage_prefix = "keyboard ";
  const auto encoder = TextEncoder::Load(kFolder + "mean", options);
  const auto plain = TextEncoder::Load(kFolder + "mean");
  ASSERT_TRUE(encoder.ok() && plain.ok());
  EXPECT_EQ(Encode(**encoder, {"white"}, TextKind::kQuery), Encode(**plain, {"camera white"}));
  EXPECT_EQ(Encode(**encoder, {"white"}, TextKind::kPassage), Encode(**plain, {"keyboard white"}));
}

TEST(BertEncoderTest, LongTextsAreCutAtTheModelsLength) {
  const auto encoder = TextEncoder::Load(kFolder + "mean");
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  EXPECT_EQ((*encoder)->max_tokens(), 32);
  const std::string text(3000, '.');
  EXPECT_EQ(Encode(**encoder, {text}), Encode(**encoder, {text + " camera"}));
}

/// A copy of a golden directory that a test may spoil.
class BertFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(kFolder + "mean", folder_, std::filesystem::copy_options::recursive);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Replace(const std::string& file, const std::string& part, const std::string& instead) {
    std::ifstream in(folder_ + file);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << file << " " << part;
    std::ofstream(folder_ + file) << text.replace(at, part.size(), instead);
  }
  std::string Refusal() {
    const absl::Status status = TextEncoder::Load(folder_).status();
    EXPECT_FALSE(status.ok());
    return std::string(status.message());
  }

  const std::string folder_ = ::testing::TempDir() + "bert_files_" + std::to_string(getpid()) +
                              "_" +
                              ::testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
};

TEST_F(BertFilesTest, RefusesAConfigurationThatDoesNotFit) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("hidden_size": 32)", R"("hidden_size": 0)"},
      {R"("hidden_size": 32)", R"("hidden_size": 64)"},
      {R"("num_hidden_layers": 2)", R"("num_hidden_layers": 3)"},
      {R"("num_hidden_layers": 2)", R"("num_hidden_layers": 4000000000)"},
      {R"("num_attention_heads": 4)", R"("num_attention_heads": 5)"},
      {R"("hidden_act": "gelu")", R"("hidden_act": "relu")"},
      {R"("model_type": "bert")", R"("model_type": "gpt2")"},
      {R"("layer_norm_eps": 1e-12)", R"("layer_norm_eps": -1)"},
      {R"("max_position_embeddings": 40)", R"("max_position_embeddings": 41)"},
      {R"("vocab_size":)", R"("words":)"}};
  for (const auto& [part, instead] : cases) {
    SetUp();
    Replace("config.json", part, instead);
    EXPECT_THAT(Refusal(), HasSubstr(folder_.substr(0, folder_.size() - 1))) << instead;
  }
}

TEST_F(BertFilesTest, RefusesModulesAndPoolingsThatItDoesNotCompute) {
  Replace("modules.json", "models.Normalize", "models.Dense");
  EXPECT_THAT(Refusal(), HasSubstr("modules.json: [2].type"));
  SetUp();
  Replace("modules.json", "1_Pooling", "../1_Pooling");
  EXPECT_THAT(Refusal(), HasSubstr("leads out of the directory"));
  SetUp();
  Replace("1_Pooling/config.json", R"("pooling_mode_cls_token": false)",
          R"("pooling_mode_cls_token": true)");
  EXPECT_THAT(Refusal(), HasSubstr("pooling_mode"));
}

TEST_F(BertFilesTest, ReadsPromptsAndVocabTxt) {
  std::ofstream(folder_ + "config_sentence_transformers.json")
      << R"({"prompts": {"query": "camera ", "document": "keyboard "}})";
  auto encoder = TextEncoder::Load(folder_);
  const auto plain = TextEncoder::Load(kFolder + "mean");
  ASSERT_TRUE(encoder.ok() && plain.ok()) << encoder.status();
  EXPECT_EQ(Encode(**encoder, {"white"}, TextKind::kQuery), Encode(**plain, {"camera white"}));
  const auto spec = ReadTokenizerDirectory(folder_);
  ASSERT_TRUE(spec.ok());
  {
    std::ofstream list(folder_ + "vocab.txt");
    for (const std::string& token : spec->tokens) list << token << "\n";
  }
  std::filesystem::remove(folder_ + "tokenizer.json");
  std::filesystem::remove(folder_ + "config_sentence_transformers.json");
  encoder = TextEncoder::Load(folder_);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  EXPECT_EQ(Encode(**encoder, Texts()), Encode(**plain, Texts()));
  std::filesystem::remove(folder_ + "vocab.txt");
  EXPECT_THAT(Refusal(), HasSubstr("neither tokenizer.json nor vocab.txt"));
}

/// Hugging Face's name as GGUF has it.
std::string GgufName(std::string name) {
  const std::pair<const char*, const char*> kNames[] = {
      {"embeddings.word_embeddings", "token_embd"},
      {"embeddings.position_embeddings", "position_embd"},
      {"embeddings.token_type_embeddings", "token_types"},
      {"embeddings.LayerNorm", "token_embd_norm"},
      {"encoder.layer.", "blk."},
      {"attention.self.query", "attn_q"},
      {"attention.self.key", "attn_k"},
      {"attention.self.value", "attn_v"},
      {"attention.output.dense", "attn_output"},
      {"attention.output.LayerNorm", "attn_output_norm"},
      {"intermediate.dense", "ffn_up"},
      {"output.dense", "ffn_down"},
      {"output.LayerNorm", "layer_output_norm"}};
  for (const auto& [from, to] : kNames) {
    const size_t at = name.find(from);
    if (at != std::string::npos) name.replace(at, std::string(from).size(), to);
  }
  return name;
}

TEST_F(BertFilesTest, GgufGivesTheSameVectors) {
  const auto source = HfDirectory::Load(folder_);
  const auto spec = ReadTokenizerDirectory(folder_);
  ASSERT_TRUE(source.ok() && spec.ok()) << source.status();
  GgufWriter writer;
  writer.AddString("general.architecture", "bert");
  writer.AddUint32("bert.embedding_length", 32);
  writer.AddUint32("bert.block_count", 2);
  writer.AddUint32("bert.attention.head_count", 4);
  writer.AddUint32("bert.feed_forward_length", 64);
  writer.AddUint32("bert.context_length", 40);
  writer.AddUint32("bert.pooling_type", 1);
  writer.AddString("tokenizer.ggml.model", "bert");
  std::vector<std::string> tokens;
  std::vector<int32_t> types;
  for (size_t id = 0; id < spec->tokens.size(); ++id) {
    const std::string& text = spec->tokens[id];
    const bool control = spec->types[id] == TokenType::kControl;
    types.push_back(control ? 3 : 1);
    tokens.push_back(control                  ? text
                     : text.starts_with("##") ? text.substr(2)
                                              : "\xe2\x96\x81" + text);
  }
  writer.AddStrings("tokenizer.ggml.tokens", tokens);
  writer.AddInts("tokenizer.ggml.token_type", types);
  writer.AddUint32("tokenizer.ggml.unknown_token_id", 1);
  writer.AddUint32("tokenizer.ggml.cls_token_id", 2);
  writer.AddUint32("tokenizer.ggml.seperator_token_id", 3);
  for (const std::string_view name : (*source)->TensorNames()) {
    const auto tensor = (*source)->Find(name);
    ASSERT_TRUE(tensor.ok() && *tensor);
    const TensorView& view = (*tensor)->view;
    std::vector<uint64_t> dims((*tensor)->dims.rbegin(), (*tensor)->dims.rend());
    writer.AddTensor(GgufName(std::string(name)), dims, GgufWriter::kF32,
                     {reinterpret_cast<const char*>(view.data),
                      view.row_bytes() * static_cast<size_t>(view.rows)});
  }
  const std::string path = folder_ + "bert.gguf";
  writer.WriteTo(path);
  const auto encoder = TextEncoder::Load(path);
  const auto plain = TextEncoder::Load(kFolder + "mean");
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  ASSERT_TRUE(plain.ok());
  const std::vector<std::string> texts = {"Which camera with tripod?", "wireless keyboard", ""};
  EXPECT_EQ(Encode(**encoder, texts), Encode(**plain, texts));
}

/// Held against a real model where one lies: a directory of all-MiniLM-L6-v2 with a file
/// vectors.txt that the original gave for texts.jsonl.
TEST(MiniLmTest, VectorsAreThoseOfTheOriginal) {
  const char* folder = std::getenv("EMPTOR_MINILM_DIR");
  if (folder == nullptr) GTEST_SKIP() << "EMPTOR_MINILM_DIR is not set";
  const auto want = Vectors(std::string(folder) + "/vectors.txt");
  ASSERT_EQ(want.size(), Texts().size());
  const std::pair<std::optional<DType>, double> cases[] = {
      {DType::kF32, 0.99999},
      {DType::kBF16, 0.999},
      {DType::kQ8_0, 0.997}};  // measured 0.9981 at worst
  for (const auto& [type, least] : cases) {
    TextEncoderOptions options;
    options.weight_type = type;
    const auto encoder = TextEncoder::Load(folder, options);
    ASSERT_TRUE(encoder.ok()) << encoder.status();
    const auto rows = Encode(**encoder, Texts());
    for (size_t i = 0; i < rows.size(); ++i) EXPECT_GT(Cosine(rows[i], want[i]), least) << i;
  }
}

}  // namespace
}  // namespace emptor::engine
