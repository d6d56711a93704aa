// Reading settings, and the message of each mistake.
#include "services/app/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "services/app/service_file.h"
#include "services/models/grpc_model_url.h"
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

TEST(ConfigTest, ModelsInFilesOfEqualNamesGetDistinctNames) {
  Config config;
  config.model = "/models/chat/model.gguf";
  config.embedder = "/models/embed/model.gguf";
  EXPECT_EQ(LanguageModelsOf(config).front().name, "model");
  EXPECT_EQ(EmbedderSpecOf(config).name, "model-1");
  config.models = {{"model-1", "/m/other.gguf", ModelKind::kLanguageModel, false}};
  EXPECT_EQ(EmbedderSpecOf(config).name, "model-1-1");
}

TEST(ConfigTest, ReportsWhatIsWrongWithAModel) {
  const std::pair<const char*, const char*> cases[] = {
      {"models: x\n", "expected a list"},
      {"models: [x]\n",
       "expected a list of {name, path, kind, load, references, languages, adapter, draft_model, "
       "adapters}"},
      {"models: [{name: a}]\n", "path: missing"},
      {"models: [{name: ../a, path: b}]\n", "name: expected"},
      {"models: [{name: emptor-assistant, path: b}]\n", "not emptor-assistant"},
      {"models: [{name: a, path: b, kind: tts}]\n", "expected llm or encoder, found \"tts\""},
      {"models: [{name: a, path: b, load: maybe}]\n", "expected true or false"},
      {"models: [{name: a, path: b, references: 1}]\n", "references: expected true or false"},
      {"models: [{name: a, path: b, languages: en}]\n", "languages: expected a list"},
      {"models: [{name: a, path: b, languages: [English]}]\n",
       "languages: expected two-letter codes, found \"English\""},
      {"models: [{name: a, path: b, speed: 1}]\n", "speed: unknown setting"},
      {"models: [{name: a, path: b, adapters: x}]\n", "adapters: expected a list"},
      {"models: [{name: a, path: b, adapters: [x]}]\n",
       "adapters: expected a list of {name, path, references, languages}"},
      {"models: [{name: a, path: b, adapters: [{name: c}]}]\n", "adapters: path: missing"},
      {"models: [{name: a, path: b, adapters: [{name: 'c:d', path: e}]}]\n",
       "adapters: name: expected 1 to 96 of"},
      {"models: [{name: a, path: b, adapters: [{name: c, path: d}, {name: c, path: e}]}]\n",
       "adapters: name: \"c\" is used twice"},
      {"models: [{name: a, path: b, kind: encoder, adapter: c}]\n",
       "kind: an encoder takes no adapters"},
      {"models: [{name: a, path: b}, {name: a, path: c}]\n", "name: \"a\" is used twice"}};
  for (const auto& [text, message] : cases) {
    Config config;
    EXPECT_THAT(std::string(Load(text, config).message()), HasSubstr(message)) << text;
  }
}

TEST(ConfigTest, AnEntryOfModelsMayStateItsCapabilities) {
  Config config;
  ASSERT_TRUE(Load("models: [{name: a, path: b}, {name: c, path: d, references: true, "
                   "languages: [en, de]}]\n",
                   config)
                  .ok());
  EXPECT_EQ(config.models[0].references, std::nullopt);
  EXPECT_EQ(config.models[0].languages, std::nullopt);
  EXPECT_EQ(config.models[1].references, true);
  EXPECT_EQ(config.models[1].languages, (std::vector<std::string>{"en", "de"}));
}

TEST(ConfigTest, AdaptersAreAddedToAModelOrChosenByName) {
  Config config;
  ASSERT_TRUE(
      Load("model: a:c\nadapter: /m/merged\n"
           "models: [{name: a, path: b, adapters: [{name: c, path: d, languages: [en]}]}]\n",
           config)
          .ok());
  const ModelSpec spec = LanguageModelsOf(config).front();
  EXPECT_EQ(spec.name, "a");
  EXPECT_EQ(spec.adapter, "/m/merged");
  EXPECT_EQ(spec.adapters.front().languages, std::vector<std::string>{"en"});
  EXPECT_EQ(*ActiveModelOf(config), "a:c");
  config.model = "a:x";
  EXPECT_THAT(std::string(ActiveModelOf(config).status().message()),
              HasSubstr("\"a\" has no adapter \"x\""));
  config.model = "/m/big.gguf";
  EXPECT_EQ(*ActiveModelOf(config), "big");
  EXPECT_EQ(LanguageModelsOf(config).front().adapter, "/m/merged");
  config.model = "none";
  EXPECT_THAT(std::string(ActiveModelOf(config).status().message()),
              HasSubstr("adapter: expected a model of this process"));
}

TEST(ConfigTest, AModelOfAnEngineServerIsNoneOfThisProcess) {
  Config config;
  ASSERT_TRUE(Load("model: grpc://engine:8090/big\nmodels: [{name: a, path: b}]\n", config).ok());
  EXPECT_EQ(config.model, "grpc://engine:8090/big");
  ASSERT_EQ(LanguageModelsOf(config).size(), 1u);
  EXPECT_EQ(LanguageModelsOf(config)[0].name, "a");
  const absl::Status status = Load("model: grpc://engine\n", config);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("yaml:1: model: expected grpc://HOST:PORT"));
}

TEST(GrpcModelUrlTest, HasAnAddressAndPerhapsAName) {
  EXPECT_FALSE(IsGrpcModelUrl("/models/grpc.gguf"));
  const auto plain = ParseGrpcModelUrl("grpc://127.0.0.1:8090");
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->address, "127.0.0.1:8090");
  EXPECT_EQ(plain->model, "");
  const auto named = ParseGrpcModelUrl("grpc://[::1]:1/qwen-2.5");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->address, "[::1]:1");
  EXPECT_EQ(named->model, "qwen-2.5");
  for (const char* wrong : {"grpc://", "grpc://a", "grpc://:1", "grpc://a:0", "grpc://a:65536",
                            "grpc://a:1x", "grpc://a:1/", "grpc://a:1/b/c", "http://a:1"}) {
    EXPECT_EQ(ParseGrpcModelUrl(wrong).status().code(), absl::StatusCode::kInvalidArgument)
        << wrong;
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

TEST(ConfigTest, ProposesTheNameThatWasProbablyMeant) {
  for (const auto& [text, message] :
       {std::pair("lisen: x\n", "lisen: unknown setting (did you mean listen?)"),
        std::pair("shop_megabyte: 16\n", "(did you mean shop_megabytes?)"),
        std::pair("embedder: {timeout: 5}\n", "(did you mean timeout_ms?)"),
        std::pair("models: [{nam: a}]\n", "(did you mean name?)")}) {
    Config config;
    EXPECT_THAT(std::string(Load(text, config).message()), HasSubstr(message));
  }
  Config config;
  EXPECT_THAT(std::string(Load("colour: red\n", config).message()),
              ::testing::EndsWith("colour: unknown setting"));
}

TEST(ConfigTest, NamesEveryMistakeOfAFile) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  std::ofstream(path) << "workers: 0\nmax_queued: 5\nlisten: here\nlog_level: loud\nkv_bits: 9\n";
  Config config;
  ConfigSources sources;
  const auto mistakes = ReadConfigFile(path, config, sources);
  const char* expected[] = {":1: workers: expected a whole number from 1 to 256, found \"0\"",
                            ":3: listen: expected HOST:PORT, found \"here\"",
                            ":4: log_level: expected info, warning, error or off, found \"loud\"",
                            ":5: kv_bits: expected 16 or 8, found \"9\""};
  ASSERT_EQ(mistakes.size(), std::size(expected));
  for (size_t i = 0; i < mistakes.size(); ++i) {
    EXPECT_EQ(std::string(mistakes[i].message()), path + expected[i]);
  }
  EXPECT_EQ(config.max_queued, 5);
  EXPECT_EQ(sources.at("max_queued"), path + ":2");
}

TEST(ConfigTest, ReadsListenAddresses) {
  EXPECT_EQ(ParseListenAddress("127.0.0.1:0")->port, 0);
  EXPECT_EQ(ParseListenAddress("[::1]:8080")->host, "[::1]");
  for (const char* bad : {"", "8080", ":80", "host:", "host:99999", "host:-1", "host:8x"}) {
    EXPECT_FALSE(ParseListenAddress(bad).ok()) << bad;
  }
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

TEST(ServiceFileTest, NamesALivingServiceOnly) {
  emptor::testing::TemporaryDirectory directory;
  EXPECT_FALSE(FindService(directory.path()));
  ASSERT_TRUE(WriteServiceFile(directory.path(), "http://127.0.0.1:1", "http://127.0.0.1:2").ok());
  const auto service = FindService(directory.path());
  ASSERT_TRUE(service);
  EXPECT_EQ(service->url, "http://127.0.0.1:1");
  EXPECT_EQ(service->admin_url, "http://127.0.0.1:2");
  EXPECT_EQ(service->pid, ::getpid());
  std::ofstream(directory.path() + "/service.json") << R"({"url":"http://x","pid":2147483646})";
  EXPECT_FALSE(FindService(directory.path()));
  std::ofstream(directory.path() + "/service.json") << "broken";
  EXPECT_FALSE(FindService(directory.path()));
  RemoveServiceFile(directory.path());
}

}  // namespace
}  // namespace emptor::services
