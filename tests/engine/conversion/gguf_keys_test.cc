// Tokenizers of tokenizer.json through GGUF's keys: the library's ids, or a refusal.
#include "engine/conversion/gguf_keys.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "engine/json/json_tree.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/tokenizer/tokenizer_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

const std::string kFolder = EMPTOR_SOURCE_DIR "/tests/golden/tokenizer_json/";

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> Lines(const std::string& path) {
  std::istringstream text(ReadText(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> ThroughKeys(const VocabularySpec& spec) {
  GgufHead head;
  if (absl::Status status = AddTokenizerKeys(spec, head); !status.ok()) return status;
  const std::string bytes = head.HeadBytes();
  const auto file = GgufFile::Parse(testing::AsBytes(bytes), "keys");
  return file.ok() ? ReadTokenizer(**file) : file.status();
}

class GgufKeysTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kinds, GgufKeysTest,
                         ::testing::Values("llama3", "qwen2", "smollm", "deepseek_coder"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(GgufKeysTest, GiveTheLibrarysIds) {
  const auto spec = ParseTokenizerJson(ReadText(kFolder + GetParam() + ".json"), "tokenizer.json");
  ASSERT_TRUE(spec.ok()) << spec.status();
  const auto direct = Tokenizer::Create(*spec);
  const auto tokenizer = ThroughKeys(*spec);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  const std::vector<std::string> inputs = Lines(kFolder + "inputs.jsonl");
  const std::vector<std::string> expected = Lines(kFolder + GetParam() + ".out");
  ASSERT_GT(expected.size(), 45u);
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto input = JsonTree::Parse(inputs[i]);
    ASSERT_TRUE(input.ok()) << input.status();
    const std::string text(input->root().as_string());
    std::istringstream numbers(expected[i]);
    const std::vector<TokenId> want = {std::istream_iterator<TokenId>(numbers), {}};
    EXPECT_EQ(testing::Encode(**tokenizer, text), want) << text;
    EXPECT_EQ((*tokenizer)->EncodePrompt(text), (*direct)->EncodePrompt(text)) << text;
    EXPECT_EQ((*tokenizer)->Decode(want), (*direct)->Decode(want)) << text;
  }
}

TEST(GgufKeysLlama2Test, SentencePieceKeepsItsMerges) {
  auto spec = ParseTokenizerJson(ReadText(kFolder + "llama2.json"), "tokenizer.json");
  ASSERT_TRUE(spec.ok()) << spec.status();
  // The golden file has user-defined tokens, behind which its normalizer puts a blank.
  spec->text_rules->added_tokens.clear();
  std::replace(spec->types.begin(), spec->types.end(), TokenType::kUserDefined,
               TokenType::kControl);
  const auto direct = Tokenizer::Create(*spec);
  const auto tokenizer = ThroughKeys(*spec);
  ASSERT_TRUE(direct.ok() && tokenizer.ok()) << tokenizer.status();
  for (const std::string& line : Lines(kFolder + "inputs.jsonl")) {
    const auto input = JsonTree::Parse(line);
    ASSERT_TRUE(input.ok()) << input.status();
    const std::string text(input->root().as_string());
    const std::vector<TokenId> ids = (*direct)->EncodePrompt(text);
    EXPECT_EQ((*tokenizer)->EncodePrompt(text), ids) << text;
    EXPECT_EQ((*tokenizer)->Decode(ids), (*direct)->Decode(ids)) << text;
  }
}

TEST(GgufKeysRefusalTest, OtherRulesAreNamed) {
  const std::map<std::string, std::string> cases = {
      {"gpt2", "added_tokens"},
      {"llama2", "normalizer"},
      {"roberta", "add_prefix_space"},
      {"falcon", "pre_tokenizer"},
      {"mistral", "pre_tokenizer"},
      {"metaspace_split", "pre_tokenizer"},
      {"xlmr", "a model that is not BPE"},
      {"bert_cased", "a model that is not BPE"},
  };
  for (const auto& [name, part] : cases) {
    const auto spec = ParseTokenizerJson(ReadText(kFolder + name + ".json"), "tokenizer.json");
    ASSERT_TRUE(spec.ok()) << spec.status();
    const absl::Status status = ThroughKeys(*spec).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << name;
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(part)) << name;
  }
}

}  // namespace
}  // namespace emptor::engine
