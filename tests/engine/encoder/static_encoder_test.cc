#include "engine/encoder/static_encoder.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "gtest/gtest.h"
#include "rapidjson/document.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;

constexpr int kDimension = 32;

/// An encoder over the test tokenizer: token i is the unit vector i mod 32, weights are 1.
GgufWriter SmallEncoder(uint32_t type) {
  GgufWriter writer;
  writer.AddString("general.architecture", "emptor-static");
  writer.AddUint32("emptor-static.embedding_length", kDimension);
  writer.AddString("emptor-static.text_normalization", "nfkc_casefold");
  const int vocabulary = testing::AddTestTokenizer(writer);
  const auto rows = static_cast<uint64_t>(vocabulary);
  writer.AddTensor("token_embd.weight", {kDimension, rows}, type,
                   testing::RandomMatrix(type, vocabulary, kDimension, 1, 3));
  std::string weights;
  for (int i = 0; i < vocabulary; ++i) {
    const float weight = i == 'z' ? 0.0f : 1.0f / static_cast<float>(1 + i % 5);
    weights.append(reinterpret_cast<const char*>(&weight), 4);
  }
  writer.AddTensor("token_weight", {rows}, GgufWriter::kF32, weights);
  return writer;
}

class StaticEncoderTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<StaticEncoder>> Load(const GgufWriter& writer) {
    writer.WriteTo(path_);
    return StaticEncoder::Load(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  static std::vector<float> Encode(const StaticEncoder& encoder, std::string_view text) {
    std::vector<float> out(static_cast<size_t>(encoder.dimension()));
    encoder.EncodeInto(text, out);
    return out;
  }
  const std::string path_ = ::testing::TempDir() + "static_encoder_test_" +
                            ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".gguf";
};

float Dot(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
}

TEST_F(StaticEncoderTest, VectorsHaveLengthOne) {
  for (const uint32_t type : {GgufWriter::kF32, GgufWriter::kQ8}) {
    const auto encoder = Load(SmallEncoder(type));
    ASSERT_TRUE(encoder.ok()) << encoder.status();
    EXPECT_EQ((*encoder)->dimension(), kDimension);
    const std::vector<float> v = Encode(**encoder, "hello world");
    EXPECT_NEAR(Dot(v, v), 1, 1e-5);
  }
}

TEST_F(StaticEncoderTest, SumsWeightedTokenVectors) {
  const auto encoder = Load(SmallEncoder(GgufWriter::kF32));
  ASSERT_TRUE(encoder.ok());
  const std::string matrix = testing::RandomMatrix(GgufWriter::kF32, 265, kDimension, 1, 3);
  const auto* rows = reinterpret_cast<const float*>(matrix.data());
  // The byte alphabet of the test tokenizer keeps id == byte.
  std::vector<float> want(kDimension);
  for (size_t i = 0; i < kDimension; ++i) {
    want[i] =
        rows['a' * kDimension + i] / (1 + 'a' % 5) + rows['b' * kDimension + i] / (1 + 'b' % 5);
  }
  const float length = std::sqrt(Dot(want, want));
  const std::vector<float> got = Encode(**encoder, "ab");
  for (size_t i = 0; i < kDimension; ++i) EXPECT_NEAR(got[i], want[i] / length, 1e-6);
}

TEST_F(StaticEncoderTest, CaseWidthAndCompositionDoNotMatter) {
  const auto encoder = Load(SmallEncoder(GgufWriter::kF32));
  ASSERT_TRUE(encoder.ok());
  EXPECT_EQ(Encode(**encoder, "HELLO"), Encode(**encoder, "hello"));
  EXPECT_EQ(Encode(**encoder, "\xef\xbc\xa1"), Encode(**encoder, "a"));      // fullwidth A
  EXPECT_EQ(Encode(**encoder, "e\xcc\x81"), Encode(**encoder, "\xc3\x89"));  // E acute
  EXPECT_EQ(Encode(**encoder,
                   "a\xc2\xad"
                   "b"),
            Encode(**encoder, "ab"));  // soft hyphen
}

TEST_F(StaticEncoderTest, TextWithoutAKnownTokenGivesTheZeroVector) {
  const auto encoder = Load(SmallEncoder(GgufWriter::kF32));
  ASSERT_TRUE(encoder.ok());
  EXPECT_EQ(Encode(**encoder, ""), std::vector<float>(kDimension));
  EXPECT_EQ(Encode(**encoder, "zzZ"), std::vector<float>(kDimension));
}

TEST_F(StaticEncoderTest, AnyBytesAreTaken) {
  const auto encoder = Load(SmallEncoder(GgufWriter::kF32));
  ASSERT_TRUE(encoder.ok());
  const std::vector<float> v = Encode(**encoder, std::string("\xff\xfe\x00q\xed\xa0\x80", 7));
  EXPECT_NEAR(Dot(v, v), 1, 1e-5);
}

TEST_F(StaticEncoderTest, ModelIdNamesTheFileAndChangesWithTheWeights) {
  const auto first = Load(SmallEncoder(GgufWriter::kF32));
  const auto second = Load(SmallEncoder(GgufWriter::kQ8));
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE((*first)->model_id().starts_with("static_encoder_test_"));
  EXPECT_NE((*first)->model_id(), (*second)->model_id());
}

TEST_F(StaticEncoderTest, RefusesFilesThatDoNotFit) {
  GgufWriter writer;
  writer.AddString("general.architecture", "llama");
  EXPECT_EQ(Load(writer).status().code(), absl::StatusCode::kInvalidArgument);
  writer = {};
  writer.AddString("general.architecture", "emptor-static");
  writer.AddUint32("emptor-static.embedding_length", kDimension);
  writer.AddString("emptor-static.text_normalization", "none");
  EXPECT_NE(Load(writer).status().message().find("text_normalization"), std::string::npos);
  writer = {};
  writer.AddString("general.architecture", "emptor-static");
  writer.AddUint32("emptor-static.embedding_length", kDimension + 32);
  writer.AddString("emptor-static.text_normalization", "nfkc_casefold");
  testing::AddTestTokenizer(writer);
  writer.AddTensor("token_embd.weight", {kDimension, 1}, 0, std::string(kDimension * 4, 0));
  writer.AddTensor("token_weight", {1}, 0, std::string(4, 0));
  EXPECT_NE(Load(writer).status().message().find("token_embd.weight"), std::string::npos);
  EXPECT_EQ(StaticEncoder::Load(path_ + ".none").status().code(), absl::StatusCode::kNotFound);
}

/// An embedder of the repository against vectors that its training code computed.
void ExpectTrainersVectors(const std::string& model_name, const std::string& reference) {
  const std::string folder = EMPTOR_SOURCE_DIR "/retrieval/";
  std::ifstream file(folder + "training/" + reference);
  const std::string model = folder + "models/" + model_name;
  ASSERT_TRUE(file && std::filesystem::exists(model)) << model;
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  rapidjson::Document json;
  json.Parse(text.c_str());
  ASSERT_FALSE(json.HasParseError());
  const auto encoder = StaticEncoder::Load(model);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const float tolerance = json["tolerance"].GetFloat();
  ASSERT_GT(json["cases"].Size(), 0u);
  for (const auto& item : json["cases"].GetArray()) {
    SCOPED_TRACE(item["text"].GetString());
    std::vector<float> got(static_cast<size_t>((*encoder)->dimension()));
    (*encoder)->EncodeInto({item["text"].GetString(), item["text"].GetStringLength()}, got);
    const auto& want = item["embedding_head"];
    ASSERT_LE(want.Size(), got.size());
    for (rapidjson::SizeType i = 0; i < want.Size(); ++i) {
      EXPECT_NEAR(got[i], want[i].GetFloat(), tolerance);
    }
  }
}

TEST(ShippedEncoderTest, AgreesWithTheTrainersVectors) {
  ExpectTrainersVectors("emptor-embed.gguf", "reference_vectors.json");
}

TEST(ShippedEncoderTest, TheMultilingualOneAgreesToo) {
  ExpectTrainersVectors("emptor-embed-multilingual.gguf", "multilingual/reference_vectors.json");
}

}  // namespace
}  // namespace emptor::engine
