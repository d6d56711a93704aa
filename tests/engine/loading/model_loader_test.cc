// Models of every layout, from the path to the answer.
#include "engine/loading/model_loader.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "engine/engine.h"
#include "engine/loading/model_info.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/model_directory.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using testing::GoldenLogits;
using testing::ModelDirectory;

constexpr int kEnd = 257;

void WriteModel(const ModelDirectory& directory, const std::string& name, bool sharded = false) {
  testing::WriteGoldenModel(directory, name, sharded);
  directory.Write("tokenizer.json", testing::ByteTokenizerJson());
  directory.Write("generation_config.json",
                  fmt::format("{{\"bos_token_id\":256,\"eos_token_id\":[{},258]}}", kEnd));
}

TEST(ModelLoaderTest, ReadsADirectoryWhole) {
  const ModelDirectory directory;
  WriteModel(directory, "qwen2");
  const auto model = LoadModel(directory.path() + '/');
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->title, std::filesystem::path(directory.path()).filename());
  EXPECT_EQ(model->config.architecture, "qwen2");
  const Tokenizer& tokenizer = *model->tokenizer;
  EXPECT_EQ(tokenizer.vocabulary().size(), 320);  // those behind the tokenizer's are unused
  EXPECT_EQ(tokenizer.vocabulary().type(300), TokenType::kUnused);
  EXPECT_TRUE(tokenizer.IsEnd(kEnd));
  EXPECT_TRUE(tokenizer.IsEnd(258));
  EXPECT_FALSE(tokenizer.IsEnd(2));
  EXPECT_EQ(tokenizer.vocabulary().spec().bos, 256);
  const std::string text = "caf\xc3\xa9 <|im_end|> 1";
  const std::vector<TokenId> ids = testing::Encode(tokenizer, text);
  EXPECT_EQ(tokenizer.Decode(ids), text);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), kEnd), 0);
}

TEST(ModelLoaderTest, TakesTheOnlyGgufFileOfAFolder) {
  const ModelDirectory directory;
  EXPECT_EQ(LoadModel(directory.path()).status().message(),
            directory.path() + ": expected config.json or one .gguf file, found 0 of them");
  testing::MakeRandomLlama({}).WriteTo(directory.path() + "/one.gguf");
  const auto model = LoadModel(directory.path());
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->title, "one.gguf");
  testing::MakeRandomLlama({}).WriteTo(directory.path() + "/two.gguf");
  EXPECT_EQ(LoadModel(directory.path()).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(LoadModel(directory.path() + "/none").status().code(), absl::StatusCode::kNotFound);
}

TEST(ModelLoaderTest, RefusesADirectoryWhoseTokenizerDoesNotFit) {
  const ModelDirectory directory;
  WriteModel(directory, "qwen2");
  std::filesystem::remove(directory.path() + "/tokenizer.json");
  EXPECT_EQ(LoadModel(directory.path()).status().code(), absl::StatusCode::kNotFound);
  directory.Write("tokenizer.json", "{}");
  EXPECT_FALSE(LoadModel(directory.path()).ok());
  std::string more = testing::ByteTokenizerJson();
  const std::string last = "\"id\":257";
  more.replace(more.find(last), last.size(), "\"id\":320");
  directory.Write("tokenizer.json", more);
  const absl::Status status = LoadModel(directory.path()).status();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("tokenizer.json"), std::string::npos) << status;
}

/// The greedy tokens of an engine after those of the golden file.
std::vector<int32_t> GreedyTokens(Engine& engine, const GoldenLogits& golden) {
  GenerationRequest request;
  request.prompt_tokens = golden.prompt;
  request.max_tokens = static_cast<int>(golden.greedy.size());
  Answer answer = Ask(engine, std::move(request)).get();
  EXPECT_TRUE(answer.status.ok()) << answer.status;
  return std::move(answer.tokens);
}

TEST(ModelLoaderTest, TheEngineAnswersFromADirectoryAsTransformersDoes) {
  for (const char* name : {"qwen2", "qwen3", "mistral", "mixtral", "llama3"}) {
    const ModelDirectory directory;
    WriteModel(directory, name, /*sharded=*/true);
    const auto engine =
        Engine::Load(directory.path(), {.kv_bytes = 1u << 20, .max_step_tokens = 16, .threads = 1});
    ASSERT_TRUE(engine.ok()) << engine.status();
    EXPECT_EQ((*engine)->model().file_type, "F32");
    const GoldenLogits golden =
        GoldenLogits::Read(std::string("model_logits/") + name + "/golden.txt");
    std::vector<int32_t> want = golden.greedy;
    const auto end =
        std::find_if(want.begin(), want.end(), [](int id) { return id == kEnd || id == 258; });
    want.erase(end, want.end());
    EXPECT_EQ(GreedyTokens(**engine, golden), want) << name;
  }
}

TEST(ModelLoaderTest, InfoDescribesADirectory) {
  const ModelDirectory directory;
  WriteModel(directory, "mixtral");
  const auto source = LoadModelSource(directory.path());
  ASSERT_TRUE(source.ok()) << source.status();
  std::string all;
  for (const auto& [name, value] : DescribeModel(**source)) all += name + ": " + value + "\n";
  for (const char* part : {"architecture: mixtral", "5 experts, 2 for a token",
                           "byte-level BPE, 320 tokens (2 control", "F32: "}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in:\n" << all;
  }
}

TEST(ModelLoaderTest, ReadsWhatAFileDeclaresOfItself) {
  const ModelDirectory directory;
  const std::string path = directory.path() + "/model.gguf";
  const auto load = [&](const std::function<void(testing::GgufWriter&)>& declare) {
    testing::GgufWriter writer = testing::MakeRandomLlama({});
    declare(writer);
    writer.WriteTo(path);
    return LoadModel(path);
  };
  const auto silent = load([](auto& writer) { writer.AddString("general.name", "Emptor LM"); });
  ASSERT_TRUE(silent.ok()) << silent.status();
  EXPECT_FALSE(silent->capabilities.references) << "a name declares nothing";
  EXPECT_TRUE(silent->capabilities.languages.empty());
  const auto declared = load([](auto& writer) {
    writer.AddBool("emptor.references", true);
    writer.AddStrings("emptor.languages", {"en", "de"});
  });
  ASSERT_TRUE(declared.ok()) << declared.status();
  EXPECT_TRUE(declared->capabilities.references);
  EXPECT_EQ(declared->capabilities.languages, (std::vector<std::string>{"en", "de"}));
  const auto message = [&](const std::function<void(testing::GgufWriter&)>& declare) {
    return std::string(load(declare).status().message());
  };
  EXPECT_EQ(message([](auto& writer) { writer.AddString("emptor.references", "yes"); }),
            path + ": emptor.references: expected a bool, found another type");
  EXPECT_EQ(message([](auto& writer) { writer.AddString("emptor.languages", "en"); }),
            path + ": emptor.languages: expected an array of strings, found another type");
  EXPECT_EQ(message([](auto& writer) { writer.AddStrings("emptor.languages", {"English"}); }),
            path + ": emptor.languages: expected two-letter codes, found \"English\"");
}

}  // namespace
}  // namespace emptor::engine
