// Static embeddings in the layout of Model2Vec.
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/encoder/text_encoder.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

/// A safetensors file of one-dimensional and two-dimensional tensors.
class SafetensorsWriter {
 public:
  template <typename T>
  void Add(const std::string& name, const char* type, const std::string& shape,
           const std::vector<T>& values) {
    const size_t begin = data_.size();
    data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    head_ += fmt::format(R"({}"{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                         head_.empty() ? "" : ",", name, type, shape, begin, data_.size());
  }
  void WriteTo(const std::string& path) const {
    std::string head = "{" + head_ + "}";
    head.resize((head.size() + 7) / 8 * 8, ' ');
    const uint64_t length = head.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << head << data_;
  }

 private:
  std::string head_, data_;
};

/// Tokens: [UNK] 0, camera 1, lens 2, ##es 3.
constexpr char kTokenizer[] = R"({"normalizer": {"type": "BertNormalizer"},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]",
            "vocab": {"[UNK]": 0, "camera": 1, "lens": 2, "##es": 3}}})";

class Model2VecTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "tokenizer.json") << kTokenizer;
    std::ofstream(folder_ + "config.json") << R"({"model_type": "model2vec", "normalize": true})";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  absl::StatusOr<std::unique_ptr<TextEncoder>> Load(const SafetensorsWriter& writer) {
    writer.WriteTo(folder_ + "model.safetensors");
    return TextEncoder::Load(folder_);
  }
  static std::vector<float> Encode(const TextEncoder& encoder, const std::string& text) {
    std::vector<float> out(static_cast<size_t>(encoder.dimension()));
    EXPECT_TRUE(encoder.EncodeTextsInto({&text, 1}, TextKind::kQuery, out).ok());
    return out;
  }

  const std::vector<float> rows_ = {9, 9, 3, 0, 0, 4, 1, 1};  // [4, 2]
  const std::string folder_ = ::testing::TempDir() + "model2vec_" + std::to_string(getpid()) + "_" +
                              ::testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
};

TEST_F(Model2VecTest, SumsTheRowsOfKnownTokens) {
  SafetensorsWriter writer;
  writer.Add("embeddings", "F32", "[4,2]", rows_);
  const auto encoder = Load(writer);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  EXPECT_EQ((*encoder)->dimension(), 2);
  const std::vector<float> both = Encode(**encoder, "CAMERA lens zzz");
  EXPECT_NEAR(both[0], 0.6f, 1e-6f);
  EXPECT_NEAR(both[1], 0.8f, 1e-6f);
  EXPECT_EQ(Encode(**encoder, "zzz"), (std::vector<float>{0, 0}));
  EXPECT_EQ(Encode(**encoder, ""), (std::vector<float>{0, 0}));
}

TEST_F(Model2VecTest, WeightsAndMappingOfTokensCount) {
  SafetensorsWriter writer;
  writer.Add("embeddings", "F32", "[2,2]", std::vector<float>{3, 0, 0, 4});
  writer.Add("mapping", "I64", "[4]", std::vector<int64_t>{0, 1, 0, 1});
  writer.Add("weights", "F64", "[4]", std::vector<double>{1, 1, 0.5, 2});
  const auto encoder = Load(writer);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const std::vector<float> both = Encode(**encoder, "camera lens");  // (0, 4) + 0.5 (3, 0)
  EXPECT_NEAR(both[0], 1.5f / std::sqrt(18.25f), 1e-6f);
  EXPECT_NEAR(both[1], 4 / std::sqrt(18.25f), 1e-6f);
}

TEST_F(Model2VecTest, TheIdNamesTheDirectoryAndItsWeights) {
  SafetensorsWriter writer, other;
  writer.Add("embeddings", "F32", "[4,2]", rows_);
  other.Add("embeddings", "F32", "[4,2]", std::vector<float>(8, 1));
  const auto first = Load(writer);
  const auto second = Load(other);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_THAT((*first)->model_id(), HasSubstr("model2vec_"));
  EXPECT_NE((*first)->model_id(), (*second)->model_id());
}

TEST_F(Model2VecTest, RefusesTensorsThatDoNotFit) {
  const auto refusal = [&](const SafetensorsWriter& writer) {
    return std::string(Load(writer).status().message());
  };
  SafetensorsWriter none, few, flat, integers, far, short_mapping, infinite;
  none.Add("vectors", "F32", "[4,2]", rows_);
  EXPECT_THAT(refusal(none), HasSubstr("tensor embeddings: missing"));
  few.Add("embeddings", "F32", "[2,4]", rows_);
  EXPECT_THAT(refusal(few), HasSubstr("tensor embeddings: expected 4 rows, found 2"));
  flat.Add("embeddings", "F32", "[8]", rows_);
  EXPECT_THAT(refusal(flat), HasSubstr("tensor embeddings: expected a matrix"));
  integers.Add("embeddings", "I8", "[4,2]", std::vector<int8_t>(8));
  EXPECT_THAT(refusal(integers), HasSubstr("tensor embeddings: expected a matrix"));
  far.Add("embeddings", "F32", "[4,2]", rows_);
  far.Add("mapping", "I64", "[4]", std::vector<int64_t>{0, 1, 2, 4});
  EXPECT_THAT(refusal(far), HasSubstr("tensor mapping: value 3: expected 0 to 3, found 4"));
  short_mapping.Add("embeddings", "F32", "[4,2]", rows_);
  short_mapping.Add("mapping", "I64", "[3]", std::vector<int64_t>{0, 1, 2});
  EXPECT_THAT(refusal(short_mapping), HasSubstr("tensor mapping: expected 4 values"));
  infinite.Add("embeddings", "F32", "[4,2]", rows_);
  infinite.Add("weights", "F32", "[4]",
               std::vector<float>{1, std::numeric_limits<float>::infinity(), 1, 1});
  EXPECT_THAT(refusal(infinite), HasSubstr("tensor weights: value 1 is not finite"));
}

}  // namespace
}  // namespace emptor::engine
