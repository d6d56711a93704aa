// tokenizer.json: agreement with the reference library on the golden files of
// tests/golden/tokenizer_json, and what is refused.
#include "engine/tokenizer/tokenizer_json.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "engine/json/json_tree.h"
#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/tokenizer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

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

std::vector<TokenId> Ids(const std::string& line) {
  std::istringstream numbers(line);
  return {std::istream_iterator<TokenId>(numbers), {}};
}

std::string Unquote(const std::string& line) {
  const auto tree = JsonTree::Parse(line);
  return tree.ok() ? std::string(tree->root().as_string()) : "not a JSON string: " + line;
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> MakeTokenizer(const std::string& json) {
  absl::StatusOr<VocabularySpec> spec = ParseTokenizerJson(json, "tokenizer.json");
  if (!spec.ok()) return spec.status();
  return Tokenizer::Create(*std::move(spec));
}

class TokenizerJsonGoldenTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto tokenizer = MakeTokenizer(ReadText(kFolder + GetParam() + ".json"));
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    tokenizer_ = std::move(*tokenizer);
    for (const std::string& line : Lines(kFolder + "inputs.jsonl")) {
      inputs_.push_back(Unquote(line));
    }
  }
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::vector<std::string> inputs_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerJsonGoldenTest,
                         ::testing::Values("gpt2", "roberta", "llama3", "qwen2", "smollm", "falcon",
                                           "deepseek_coder", "byte_gaps", "byte_gaps_unknown",
                                           "byte_gaps_fused", "llama2", "mistral",
                                           "metaspace_split", "xlmr", "precompiled", "t5",
                                           "bert_uncased", "bert_cased", "word_piece_plain"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(TokenizerJsonGoldenTest, EveryInputGivesTheLibrarysIds) {
  const std::vector<std::string> expected = Lines(kFolder + GetParam() + ".out");
  ASSERT_GT(expected.size(), 45u);
  ASSERT_LE(expected.size(), inputs_.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(testing::Encode(*tokenizer_, inputs_[i]), Ids(expected[i])) << inputs_[i];
  }
}

TEST_P(TokenizerJsonGoldenTest, SpecialTokensInTextArePlainText) {
  for (TokenId id = 0; id < tokenizer_->vocabulary().size(); ++id) {
    const TokenType type = tokenizer_->vocabulary().type(id);
    if (type != TokenType::kControl || id == tokenizer_->vocabulary().spec().unknown) continue;
    const std::string text = tokenizer_->vocabulary().spec().tokens[static_cast<size_t>(id)];
    const std::vector<TokenId> tokens = testing::Encode(*tokenizer_, "a " + text + " b" + text);
    EXPECT_EQ(std::count(tokens.begin(), tokens.end(), id), 0) << text;
  }
}

TEST_P(TokenizerJsonGoldenTest, TheTemplateFramesAText) {
  for (const std::string& line : Lines(kFolder + "framed.txt")) {
    const size_t blank = line.find(' ');
    if (line.substr(0, blank) != GetParam()) continue;
    const VocabularySpec& spec = tokenizer_->vocabulary().spec();
    std::vector<TokenId> tokens = tokenizer_->EncodePrompt("Which camera?");
    if (spec.add_eos) tokens.push_back(*spec.eos);
    EXPECT_EQ(tokens, Ids(line.substr(blank)));
    return;
  }
  FAIL() << "no line in framed.txt";
}

TEST_P(TokenizerJsonGoldenTest, StreamedTextIsWholeCharacters) {
  for (const std::string& input : inputs_) {
    const std::vector<TokenId> tokens = testing::Encode(*tokenizer_, input);
    Detokenizer detokenizer(tokenizer_->vocabulary());
    for (const TokenId token : tokens) {
      std::string_view text;
      const std::string piece = detokenizer.Append(token);
      for (text = piece; !text.empty();) {
        const int length = Utf8Prefix(text);
        ASSERT_GT(length, 0) << input;
        text.remove_prefix(static_cast<size_t>(length));
      }
    }
  }
}

TEST(TokenizerJsonTest, TextComesBack) {
  for (const char* name : {"gpt2", "llama3", "smollm", "falcon", "llama2", "mistral"}) {
    const auto tokenizer = MakeTokenizer(ReadText(kFolder + name + ".json"));
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    for (const char* text :
         {"Which camera with tripod under 500 EUR?", "Größe 中文 👍🏽\n\n x"}) {
      EXPECT_EQ((*tokenizer)->Decode(testing::Encode(**tokenizer, text)), text) << name;
    }
  }
}

TEST(TokenizerJsonTest, WordPieceDecodesToWords) {
  const auto tokenizer = MakeTokenizer(ReadText(kFolder + "bert_uncased.json"));
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_EQ((*tokenizer)->Decode(testing::Encode(**tokenizer, "Wireless cameras")),
            "wireless cameras");
}

TEST(TokenizerJsonTest, GapsBetweenIdsAreUnused) {
  const auto tokenizer = MakeTokenizer(R"({"model": {"type": "WordPiece", "unk_token": "[UNK]",
      "vocab": {"[UNK]": 0, "a": 7}}, "pre_tokenizer": {"type": "BertPreTokenizer"}})");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_EQ((*tokenizer)->vocabulary().size(), 8);
  EXPECT_EQ(testing::Encode(**tokenizer, "a b"), (std::vector<TokenId>{7, 0}));
  EXPECT_EQ((*tokenizer)->Decode({3, 7, 4}), "a");
}

/// A file that is taken, and what to put in place of a part of it.
struct Refusal {
  const char* name;
  const char *part, *instead;
  const char* message;
};

constexpr char kSmallBpe[] = R"({"added_tokens": [{"id": 3, "content": "<x>", "special": true}],
  "normalizer": {"type": "NFC"},
  "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
  "post_processor": {"type": "TemplateProcessing", "single": [
      {"SpecialToken": {"id": "<x>"}}, {"Sequence": {"id": "A"}}],
      "special_tokens": {"<x>": {"ids": [3]}}},
  "decoder": {"type": "Metaspace"},
  "model": {"type": "BPE", "unk_token": "<u>", "vocab": {"a": 0, "b": 1, "ab": 2, "<u>": 4},
      "merges": [["a", "b"]]}})";

class TokenizerJsonRefusalTest : public ::testing::TestWithParam<Refusal> {};

INSTANTIATE_TEST_SUITE_P(
    Files, TokenizerJsonRefusalTest,
    ::testing::Values(
        Refusal{"NotJson", R"("decoder":)", "decoder:", "tokenizer.json: byte "},
        Refusal{"ModelType", R"("BPE")", R"("WordLevel")", "model.type: expected BPE"},
        Refusal{"NoVocabulary", R"("vocab":)", R"("words":)", "model.vocab: missing"},
        Refusal{"IdNotANumber", R"("b": 1)", R"("b": "1")", "model.vocab.b: expected an integer"},
        Refusal{"IdNegative", R"("b": 1)", R"("b": -1)", "model.vocab.b: expected 0 to 2097151"},
        Refusal{"IdHuge", R"("b": 1)", R"("b": 9000000000000000000)", "model.vocab.b: expected 0"},
        Refusal{"IdTwice", R"("b": 1)", R"("b": 0)", "id 0 twice"},
        Refusal{"TokenTwice", R"("b": 1)", R"("a": 1)", "tokenizer.json: byte "},
        Refusal{"MergeOfNoTokens", R"(["a", "b"])", R"(["a", "c"])", "model.merges[0]: expected"},
        Refusal{"MergeOfThree", R"(["a", "b"])", R"(["a", "b", "a"])", "model.merges[0]: expected"},
        Refusal{"MergeWithABlank", R"(["a", "b"])", R"(["a ", "b"])", "model.merges[0]: a token"},
        Refusal{"UnknownTokenAbsent", R"("unk_token": "<u>")", R"("unk_token": "u")",
                "model.unk_token: not in model.vocab"},
        Refusal{"Dropout", R"("unk_token": "<u>")", R"("dropout": 0.1)", "model.dropout"},
        Refusal{"WordSuffix", R"("unk_token": "<u>")", R"("end_of_word_suffix": "</w>")",
                "model.end_of_word_suffix"},
        Refusal{"AddedTokenElsewhere", R"("id": 3)", R"("id": 1)", "added_tokens[0]: id 1 is"},
        Refusal{"AddedTokenEmpty", R"("<x>", "special": true)", R"("", "special": true)",
                "added_tokens[0]: expected an id and a content"},
        Refusal{"SingleWord", R"("special": true)", R"("special": false, "single_word": true)",
                "added_tokens[0].single_word"},
        Refusal{"Normalizer", R"("NFC")", R"("Nmt")", "normalizer.type: unknown normalizer"},
        Refusal{"ReplaceRegex", R"("NFC")",
                R"("Replace", "pattern": {"Regex": "\\s"}, "content": "")",
                "normalizer.pattern.Regex"},
        Refusal{"ReplaceNothing", R"("NFC")",
                R"("Replace", "pattern": {"String": ""}, "content": "x")", "normalizer"},
        Refusal{"GrowthWithoutEnd", R"({"type": "NFC"})",
                R"({"type": "Sequence", "normalizers": [
                    {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaa"},
                    {"type": "Prepend", "prepend": "aaaaaaaa"},
                    {"type": "Replace", "pattern": {"String": "aa"}, "content": "aaaaaaaaaaaa"},
                    {"type": "Replace", "pattern": {"String": "a"}, "content": "bbb"}]})",
                "normalizer: its steps may make a text more than 1000 times as long"},
        Refusal{"Charsmap", R"("NFC")", R"("Precompiled", "precompiled_charsmap": "AAAA")",
                "precompiled_charsmap"},
        Refusal{"CharsmapNotBase64", R"("NFC")", R"("Precompiled", "precompiled_charsmap": "A*==")",
                "normalizer.precompiled_charsmap: expected base64"},
        Refusal{"PreTokenizer", R"("Metaspace", "replacement")",
                R"("CharDelimiterSplit", "replacement")", "pre_tokenizer: unknown pre-tokenizer"},
        Refusal{"SplitRegex",
                R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"})",
                R"({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex":
                   "\\w"}, "behavior": "Isolated", "invert": false}, {"type": "ByteLevel"}]})",
                "pre_tokenizer.pretokenizers[0].pattern: unknown splitting rule"},
        Refusal{"PrependScheme", R"("first")", R"("last")", "pre_tokenizer.prepend_scheme"},
        Refusal{"DecoderOfAnotherKind", R"("Metaspace", "replacement")",
                R"("ByteLevel", "replacement")", "decoder: unknown decoder"},
        Refusal{"TemplateId", R"("ids": [3])", R"("ids": [5])", "ids[0]: expected 0 to 4"},
        Refusal{"TemplateOfTwo", R"({"Sequence": {"id": "A"}})",
                R"({"SpecialToken": {"id": "<x>"}}, {"Sequence": {"id": "A"}})",
                "post_processor.single[1]: expected one special token"},
        Refusal{"Decoder", R"("decoder": {"type": "Metaspace"})", R"("decoder": {"type": "CTC"})",
                "decoder: unknown decoder"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(TokenizerJsonRefusalTest, NamesTheField) {
  std::string json = kSmallBpe;
  ASSERT_TRUE(MakeTokenizer(json).ok()) << MakeTokenizer(json).status();
  const std::string part = GetParam().part;
  const size_t at = json.find(part);
  ASSERT_NE(at, std::string::npos);
  json.replace(at, part.size(), GetParam().instead);
  const absl::Status status = MakeTokenizer(json).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
}

TEST(TokenizerJsonTest, MergesReachAcrossADroppedByte) {
  const auto tokenizer = MakeTokenizer(R"({"pre_tokenizer": {"type": "ByteLevel"},
      "model": {"type": "BPE", "vocab": {"a": 0, "!": 1, "!!": 2}, "merges": [["!", "!"]]}})");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_EQ(testing::Encode(**tokenizer, "a!\x04!"), (std::vector<TokenId>{0, 2}));
}

TEST(TokenizerJsonTest, EveryPrefixOfAFileIsRefused) {
  const std::string json = kSmallBpe;
  for (size_t length = 0; length < json.size(); ++length) {
    EXPECT_FALSE(MakeTokenizer(json.substr(0, length)).ok()) << length;
  }
}

TEST(WordPieceVocabularyTest, ReadsVocabTxt) {
  const auto spec =
      ParseWordPieceVocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\r\nwire\n##less\nca\n", {}, "vocab.txt");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->bos, 2);
  EXPECT_EQ(spec->eos, 3);
  const auto tokenizer = Tokenizer::Create(*spec);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_EQ(testing::Encode(**tokenizer, "WireLess [CLS] ca"),
            (std::vector<TokenId>{4, 5, 1, 1, 1, 6}));
}

TEST(WordPieceVocabularyTest, RefusesAListWithoutItsSpecialTokens) {
  EXPECT_FALSE(ParseWordPieceVocabulary("a\nb\n", {}, "vocab.txt").ok());
  EXPECT_FALSE(ParseWordPieceVocabulary("", {}, "vocab.txt").ok());
  const auto twice = ParseWordPieceVocabulary("[UNK]\n[CLS]\n[SEP]\na\na\n", {}, "vocab.txt");
  ASSERT_TRUE(twice.ok());
  EXPECT_FALSE(Tokenizer::Create(*twice).ok());
}

}  // namespace
}  // namespace emptor::engine
