// Exact agreement with published tokenizer vectors, on real vocabularies.
#include <sstream>

#include "engine/loading/vocabulary_reader.h"
#include "engine/tokenizer/tokenizer_json.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/support/test_data.h"

namespace emptor::engine {
namespace {

const std::string kVectorsFolder = "tokenizer_vectors/";
constexpr std::string_view kSeparator = "\n__ggml_vocab_test__\n";

std::vector<std::string> SplitInputs(std::string_view text) {
  std::vector<std::string> inputs;
  for (size_t at = text.find(kSeparator); at != std::string_view::npos;
       at = text.find(kSeparator)) {
    inputs.emplace_back(text.substr(0, at));
    text.remove_prefix(at + kSeparator.size());
  }
  inputs.emplace_back(text);
  return inputs;
}

class VectorsTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Vocabularies, VectorsTest,
                         ::testing::Values("gpt-2", "llama-spm", "phi-3", "starcoder",
                                           "deepseek-llm", "bert-bge"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Holds a tokenizer against <name>.out.
void ExpectVectors(const Tokenizer& tokenizer, const std::string& name) {
  const auto inputs = testing::ReadTestData(kVectorsFolder + "inputs.txt");
  const auto expected = testing::ReadTestData(kVectorsFolder + name + ".out");
  ASSERT_TRUE(inputs.ok() && expected.ok()) << inputs.status() << expected.status();
  std::istringstream lines(*expected);
  int checked = 0;
  for (const std::string& input : SplitInputs(*inputs)) {
    std::string line;
    if (!std::getline(lines, line)) break;
    std::istringstream numbers(line);
    std::vector<TokenId> want;
    for (TokenId id = 0; numbers >> id;) want.push_back(id);
    EXPECT_EQ(testing::Encode(tokenizer, input), want) << "input " << checked << ": " << input;
    ++checked;
  }
  EXPECT_EQ(checked, 46);
}

TEST_P(VectorsTest, EveryInputGivesTheExpectedIds) {
  const auto vocabulary =
      testing::ReadTestData(kVectorsFolder + "vocab/ggml-vocab-" + GetParam() + ".gguf.zst");
  if (absl::IsNotFound(vocabulary.status())) GTEST_SKIP() << vocabulary.status();
  ASSERT_TRUE(vocabulary.ok()) << vocabulary.status();
  const auto file = GgufFile::Parse(testing::AsBytes(*vocabulary), GetParam());
  ASSERT_TRUE(file.ok()) << file.status();
  const auto tokenizer = ReadTokenizer(**file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  ExpectVectors(**tokenizer, GetParam());
}

TEST(BertVectorsTest, TokenizerJsonAndVocabTxtGiveTheIdsToo) {
  const auto json =
      testing::ReadTestData(kVectorsFolder + "vocab/bert-base-uncased.tokenizer.json.zst");
  const auto list = testing::ReadTestData(kVectorsFolder + "vocab/bert-base-uncased.vocab.txt.zst");
  for (const absl::Status& status : {json.status(), list.status()}) {
    if (absl::IsNotFound(status)) GTEST_SKIP() << status;
    ASSERT_TRUE(status.ok()) << status;
  }
  for (auto spec : {ParseTokenizerJson(*json, "tokenizer.json"),
                    ParseWordPieceVocabulary(*list, {}, "vocab.txt")}) {
    ASSERT_TRUE(spec.ok()) << spec.status();
    const auto tokenizer = Tokenizer::Create(*std::move(spec));
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    ExpectVectors(**tokenizer, "bert-bge");
  }
}

}  // namespace
}  // namespace emptor::engine
