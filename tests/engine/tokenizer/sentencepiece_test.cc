// Agreement with SentencePiece's own library on the golden files of tests/golden/sentencepiece.
#include <fstream>
#include <iterator>
#include <sstream>

#include "engine/loading/vocabulary_reader.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

const std::string kFolder = EMPTOR_SOURCE_DIR "/tests/golden/sentencepiece/";

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "\n" and "\t" are written out in the inputs.
std::string Unescape(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool escape = line[i] == '\\' && i + 1 < line.size();
    if (escape && line[i + 1] == 'n') {
      text += '\n';
    } else if (escape && line[i + 1] == 't') {
      text += '\t';
    } else {
      text += line[i];
      continue;
    }
    ++i;
  }
  return text;
}

class SentencePieceGoldenTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Models, SentencePieceGoldenTest,
                         ::testing::Values("unigram", "unigram_bytes", "bpe"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(SentencePieceGoldenTest, EveryInputGivesTheLibrarysIds) {
  const auto file = GgufFile::Load(kFolder + GetParam() + ".gguf");
  ASSERT_TRUE(file.ok()) << file.status();
  const auto tokenizer = ReadTokenizer(**file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  const std::vector<std::string> inputs = Lines(kFolder + "inputs.txt");
  const std::vector<std::string> expected = Lines(kFolder + GetParam() + ".out");
  ASSERT_GT(inputs.size(), 30u);
  ASSERT_EQ(inputs.size(), expected.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::istringstream numbers(expected[i]);
    const std::vector<TokenId> want((std::istream_iterator<TokenId>(numbers)), {});
    EXPECT_EQ(testing::Encode(**tokenizer, Unescape(inputs[i])), want) << inputs[i];
  }
}

TEST(SentencePieceRoundTripTest, TextComesBackWhereNothingIsNormalised) {
  for (const char* name : {"unigram_bytes", "bpe"}) {
    const auto file = GgufFile::Load(kFolder + name + ".gguf");
    ASSERT_TRUE(file.ok()) << file.status();
    const auto tokenizer = ReadTokenizer(**file);
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    for (const std::string& line : Lines(kFolder + "inputs.txt")) {
      const std::string text = Unescape(line);
      if (text.find("\xe2\x96\x81") != std::string::npos)
        continue;  // not distinguished from a blank
      EXPECT_EQ((*tokenizer)->Decode(testing::Encode(**tokenizer, text)), text) << name;
    }
  }
}

}  // namespace
}  // namespace emptor::engine
