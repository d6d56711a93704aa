// Settings: what is read, and what a mistake is told.
#include "services/app/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "services/app/service_file.h"
#include "services/cli/answer_printer.h"
#include "services/cli/command_line.h"
#include "services/http/sse_reader.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

absl::Status Load(const std::string& text, Config& config) {
  emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  std::ofstream(path) << text;
  return LoadConfig(path, config);
}

TEST(ConfigTest, LaysAFileOverTheDefaults) {
  Config config;
  ASSERT_TRUE(
      Load("listen: 0.0.0.0:80\nworkers: 7\nimage_hosts: [https://cdn.example]\n", config).ok());
  EXPECT_EQ(config.listen, "0.0.0.0:80");
  EXPECT_EQ(config.workers, 7);
  EXPECT_EQ(config.image_hosts.size(), 1u);
  EXPECT_EQ(config.admin_listen, Config().admin_listen);
}

TEST(ConfigTest, ReadsAListOfModels) {
  Config config;
  config.model = "/models/emptor-lm.gguf";
  config.embedder = "/models/emptor-embed.gguf";
  ASSERT_TRUE(Load("models:\n"
                   "  - {name: qwen, path: /m/q.gguf, kind: llm, load: false}\n"
                   "  - {name: bge, path: /m/bge, kind: encoder}\n",
                   config)
                  .ok());
  auto models = LanguageModelsOf(config);
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].name, "emptor-lm");
  EXPECT_TRUE(models[0].load);
  EXPECT_EQ(models[1].name, "qwen");
  EXPECT_FALSE(models[1].load);
  EXPECT_EQ(EncodersOf(config).size(), 1u);
  EXPECT_EQ(EmbedderSpecOf(config).name, "emptor-embed");
  config.model = "qwen";
  models = LanguageModelsOf(config);
  ASSERT_EQ(models.size(), 1u);
  EXPECT_TRUE(models[0].load);  // the first one is the one to serve
}

TEST(ConfigTest, ModelsInFilesOfOneNameGetNamesOfTheirOwn) {
  Config config;
  config.model = "/models/chat/model.gguf";
  config.embedder = "/models/embed/model.gguf";
  EXPECT_EQ(LanguageModelsOf(config).front().name, "model");
  EXPECT_EQ(EmbedderSpecOf(config).name, "model-1");
  config.models = {{"model-1", "/m/other.gguf", ModelKind::kLanguageModel, false}};
  EXPECT_EQ(EmbedderSpecOf(config).name, "model-1-1");
}

TEST(ConfigTest, TellsWhatIsWrongWithAModel) {
  const std::pair<const char*, const char*> cases[] = {
      {"models: x\n", "expected a list"},
      {"models: [x]\n", "expected a list of {name, path, kind, load}"},
      {"models: [{name: a}]\n", "path: missing"},
      {"models: [{name: ../a, path: b}]\n", "name: expected"},
      {"models: [{name: emptor-assistant, path: b}]\n", "not emptor-assistant"},
      {"models: [{name: a, path: b, kind: tts}]\n", "expected llm or encoder, found \"tts\""},
      {"models: [{name: a, path: b, load: maybe}]\n", "expected true or false"},
      {"models: [{name: a, path: b, speed: 1}]\n", "speed: unknown setting"},
      {"models: [{name: a, path: b}, {name: a, path: c}]\n", "is there twice"}};
  for (const auto& [text, message] : cases) {
    Config config;
    EXPECT_THAT(std::string(Load(text, config).message()), HasSubstr(message)) << text;
  }
}

TEST(ConfigTest, NamesAModelAfterItsFile) {
  EXPECT_EQ(ModelNameOfPath("/models/emptor-lm.gguf"), "emptor-lm");
  EXPECT_EQ(ModelNameOfPath("Qwen 2 (small)"), "Qwen-2--small-");
  EXPECT_EQ(ModelNameOfPath("/models/"), "model-");
}

TEST(ConfigTest, TakesAnEmptyFile) {
  Config config;
  EXPECT_TRUE(Load("", config).ok());
}

TEST(ConfigTest, NamesLineAndSettingOfAMistake) {
  for (const auto& [text, message] :
       {std::pair("workers: 7\nlisen: x\n", "yaml:2: lisen: unknown setting"),
        std::pair("workers: many\n", "yaml:1: workers: expected a whole number"),
        std::pair("workers: 0\n", "workers: expected a whole number from 1"),
        std::pair("workers: [1]\n", "workers: expected one value"),
        std::pair("[1, 2]\n", "expected a map"), std::pair("a: [\n", "yaml:"),
        std::pair("image_hosts: [\"https://a; script-src *\"]\n", "image_hosts: expected")}) {
    Config config;
    const absl::Status status = Load(text, config);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
  Config config;
  EXPECT_EQ(LoadConfig("/nowhere/x.yaml", config).code(), absl::StatusCode::kNotFound);
}

TEST(ConfigTest, ReadsListenAddresses) {
  EXPECT_EQ(ParseListenAddress("127.0.0.1:0")->port, 0);
  EXPECT_EQ(ParseListenAddress("[::1]:8080")->host, "[::1]");
  for (const char* bad : {"", "8080", ":80", "host:", "host:99999", "host:-1", "host:8x"}) {
    EXPECT_FALSE(ParseListenAddress(bad).ok()) << bad;
  }
}

std::variant<CommandLine, int> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "emptor");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

TEST(CommandLineTest, ReadsBenchEngine) {
  const auto line = Parse({"bench", "engine", "m.gguf", "--threads", "2", "--prompt", "64",
                           "--tokens", "8", "--isa", "avx2", "--cpu-time", "--json"});
  ASSERT_TRUE(std::holds_alternative<CommandLine>(line));
  const auto& bench = std::get<BenchEngineCommand>(std::get<CommandLine>(line).command);
  EXPECT_EQ(bench.model, "m.gguf");
  EXPECT_EQ(bench.isa, "avx2");
  EXPECT_EQ(bench.threads, 2);
  EXPECT_EQ(bench.prompts, std::vector<int>{64});
  EXPECT_EQ(bench.tokens, 8);
  EXPECT_TRUE(bench.processor_time);
  EXPECT_TRUE(bench.json);
}

TEST(ConfigTest, VectorIndexIsAutoOrAFactoryString) {
  EXPECT_EQ(VectorIndexOf(Config{}).factory, "RaBitQ1,Refine8");
  Config config;
  ASSERT_TRUE(Load("vector_index: IVF64,SQ8\n", config).ok());
  EXPECT_EQ(VectorIndexOf(config).factory, "IVF64,SQ8");
  ASSERT_TRUE(Load("vector_index: auto\n", config).ok());
  EXPECT_EQ(VectorIndexOf(config).factory, "RaBitQ1,Refine8");
  const absl::Status refused = Load("\nvector_index: PQ16\n", config);
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(std::string(refused.message()),
              ::testing::AllOf(HasSubstr(".yaml:2: vector_index: expected auto"),
                               HasSubstr("\"HNSW32,SQ8\""), HasSubstr("found \"PQ16\"")));
}

TEST(ConfigTest, ReplacedSettingsNameTheirSuccessor) {
  for (const std::string name : {"faiss_from", "graph_from"}) {
    Config config;
    EXPECT_THAT(std::string(Load(name + ": 100000\n", config).message()),
                HasSubstr(".yaml:1: " + name + ": replaced by vector_index: auto"));
  }
}

TEST(CommandLineTest, BenchesOfAShopReadItsSettings) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string file = directory.path() + "/bench.yaml";
  std::ofstream(file) << "vector_index: HNSW32,SQ8\n";
  for (const char* bench : {"retrieval", "ingest"}) {
    const auto line = Parse({"bench", bench, "--config", file, "--embedder", "e.gguf"});
    ASSERT_TRUE(std::holds_alternative<CommandLine>(line)) << bench;
    const Config& config = std::get<CommandLine>(line).config;
    EXPECT_EQ(config.embedder, "e.gguf");
    EXPECT_EQ(VectorIndexOf(config).factory, "HNSW32,SQ8");
  }
}

TEST(CommandLineTest, RefusesABenchOfNothing) {
  ::testing::internal::CaptureStderr();
  EXPECT_NE(std::get<int>(Parse({"bench"})), 0);
  EXPECT_NE(std::get<int>(Parse({"bench", "engine", "--threads", "-1"})), 0);
  ::testing::internal::GetCapturedStderr();
}

TEST(ServiceFileTest, TellsOnlyOfALivingService) {
  emptor::testing::TemporaryDirectory directory;
  EXPECT_EQ(FindService(directory.path()), std::nullopt);
  ASSERT_TRUE(WriteServiceFile(directory.path(), "http://127.0.0.1:1", "http://127.0.0.1:2").ok());
  EXPECT_EQ(FindService(directory.path()), "http://127.0.0.1:1");
  std::ofstream(directory.path() + "/service.json") << R"({"url":"http://x","pid":2147483646})";
  EXPECT_EQ(FindService(directory.path()), std::nullopt);
  std::ofstream(directory.path() + "/service.json") << "broken";
  EXPECT_EQ(FindService(directory.path()), std::nullopt);
  RemoveServiceFile(directory.path());
}

TEST(SseReaderTest, ReadsEventsHoweverTheyAreCut) {
  const std::string stream =
      "id: 1\nevent: start\ndata: {}\n\n: ping\n\nevent: delta\r\ndata: a\r\n\r\n";
  for (size_t cut = 1; cut < stream.size(); ++cut) {
    std::string seen;
    SseReader reader([&](std::string_view name, std::string_view data) {
      seen += std::string(name) + "=" + std::string(data) + ";";
    });
    reader.Push(std::string_view(stream).substr(0, cut));
    reader.Push(std::string_view(stream).substr(cut));
    EXPECT_EQ(seen, "start={};delta=a;") << cut;
  }
}

TEST(AnswerPrinterTest, ShowsLinksAsAddresses) {
  EXPECT_EQ(PlainMarkdown("The [Kettle](/p/k1) is **good** [1].", "http://h"),
            "The Kettle (http://h/p/k1) is good [1].");
  EXPECT_EQ(PlainMarkdown("[1] [2](x", "http://h"), "[1] [2](x");
}

}  // namespace
}  // namespace emptor::services
