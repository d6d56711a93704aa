// `emptor serve` whose answers are phrased by a model behind an endpoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/integration/service_process.h"
#include "tests/support/script_server.h"

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPriceQuestion = "How much is the Torvane Ember Electric Kettle K80?";
constexpr const char* kGeneratorKey = "sk-integration-secret";

std::string TextEvents(const std::string& text) {
  return HttpAnswer(
      200, "text/event-stream",
      "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\ndata: [DONE]\n\n");
}

class EndpointModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    IngestSampleShop(directory_.path());
    setenv("EMPTOR_TEST_GENERATOR_KEY", kGeneratorKey, 1);
  }
  /// A service with these members of `generator`.
  ServiceProcess Serve(const std::string& members) const {
    const std::string path = directory_.path() + "/emptor.yaml";
    std::ofstream(path) << "generator: {" << members << "}\nmodel: none\ntrace_megabytes: 1\n"
                        << "answer_cache_megabytes: 0\n";  // each answer is that of the endpoint
    return ServiceProcess(directory_.path(), {"--config", path});
  }
  static std::string StepOf(const Answer& answer) {
    const catalog::JsonValue* step = answer.done.Find("answer_step");
    return step == nullptr ? "no done event" : step->as_string();
  }

  const TemporaryDirectory directory_;
};

TEST_F(EndpointModelTest, TheModelOfAnEngineServerAnswersOverItsOpenAiInterface) {
  ChildProcess engine({EmptorPath(), "engine", "serve", "--listen", "none", "--http", "127.0.0.1:0",
                       "--admin-listen", "127.0.0.1:0", "--embedder", "none", "--data-dir",
                       directory_.path() + "/engine"});
  const auto output = engine.ReadUntil("ready\n", milliseconds(60000));
  ASSERT_TRUE(output) << engine.output();
  const size_t at = output->find("http://");
  const std::string url = output->substr(at, output->find('\n', at) - at);
  const ServiceProcess service = Serve("url: \"" + url + "\", prompt: references, languages: [en]");
  const Answer answer = service.Ask(kPriceQuestion);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(StepOf(answer), "model") << answer.text;
  EXPECT_THAT(answer.text, HasSubstr("$"));
  EXPECT_EQ(service.Metric("emptor_generator_requests_total"), 1);
  EXPECT_EQ(service.Metric("emptor_model_answers_total"), 1);
  EXPECT_EQ(service.Metric("emptor_model_form_breaks_total"), 0);
  engine.Signal(SIGKILL);
  engine.Wait(milliseconds(60000));
  const Answer without = service.Ask(kPriceQuestion);
  EXPECT_EQ(StepOf(without), "code");
  EXPECT_THAT(without.text, HasSubstr("$"));
  EXPECT_EQ(service.Metric("emptor_generator_available"), 0);
}

TEST_F(EndpointModelTest, TheAnswerComesWhateverTheEndpointDoes) {
  ScriptServer server;
  const ServiceProcess service =
      Serve("url: \"" + server.url() +
            "\", model: m, key_env: EMPTOR_TEST_GENERATOR_KEY, attempts: 1, first_token_ms: 300, "
            "stall_ms: 300");
  const struct {
    const char* name;
    ScriptServer::Script script;
    const char* step;
  } cases[] = {
      {"stalls", [](const ScriptConnection& client) { (void)client.WaitForClose(); }, "code"},
      {"another language",
       [](const ScriptConnection& client) {
         client.Send(TextEvents("Der Wasserkocher kostet nur zehn Euro und ist ein Wunderwerk."));
       },
       "code"},
      {"unauthorised",
       [](const ScriptConnection& client) { client.Send(HttpAnswer(401, "text/plain", "")); },
       "code"},
      {"facts of its own",  // the price of the record takes their place
       [](const ScriptConnection& client) {
         client.Send(TextEvents("It costs $1.00 and has won 17 awards."));
       },
       "model"},
      {"a page",
       [](const ScriptConnection& client) { client.Send(HttpAnswer(200, "text/html", "<html>")); },
       "code"},
      {"good",
       [](const ScriptConnection& client) {
         client.Send(TextEvents("The [1:title] costs [1:price] [1]."));
       },
       "model"},
      {"stalls within the text",
       [](const ScriptConnection& client) {
         client.Send(HttpAnswer(200, "text/event-stream",
                                "data: {\"choices\":[{\"delta\":{\"content\":\"The [1:title] "
                                "costs [1:price] [1]. And it\"}}]}\n\n"));
         (void)client.WaitForClose();
       },
       "model"}};
  for (const auto& each : cases) {
    server.Push(each.script);
    const size_t before = server.requests().size();
    Answer answer;
    while (server.requests().size() == before) {  // not within the pause after a failure
      std::this_thread::sleep_for(milliseconds(200));
      answer = service.Ask(kPriceQuestion);
    }
    EXPECT_EQ(answer.status, 200) << each.name;
    EXPECT_EQ(StepOf(answer), each.step) << each.name;
    EXPECT_EQ(answer.CountOf("error"), 0) << each.name;
    EXPECT_THAT(answer.text, HasSubstr("$")) << each.name;
    EXPECT_THAT(answer.text, Not(HasSubstr("$1.00"))) << each.name;
    EXPECT_THAT(answer.text, Not(HasSubstr("Wunderwerk"))) << each.name;
  }
  EXPECT_GE(service.Metric("emptor_generator_failures_total"), 4);
  EXPECT_GE(service.Metric("emptor_model_form_breaks_total"), 2);
}

TEST_F(EndpointModelTest, TheKeyIsInNoLogNoTraceAndNoStatus) {
  ScriptServer server;
  ServiceProcess service = Serve("url: \"" + server.url() +
                                 "\", model: m, key_env: EMPTOR_TEST_GENERATOR_KEY, attempts: 1");
  server.Push(
      HttpAnswer(401, "application/json",
                 std::string("{\"error\":{\"message\":\"no such key: ") + kGeneratorKey + "\"}}"));
  service.Ask(kPriceQuestion);
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_THAT(server.requests()[0],
              HasSubstr(std::string("Authorization: Bearer ") + kGeneratorKey));
  const std::string status =
      FetchWithKey(service.admin_port(), service.key(), "GET", "/admin/generator").body;
  EXPECT_THAT(status, HasSubstr("\"last_error\":\"generator: "));
  EXPECT_THAT(status, Not(HasSubstr(kGeneratorKey)));
  service.process().Signal(SIGTERM);
  service.process().Wait(milliseconds(60000));
  EXPECT_THAT(service.process().output(), HasSubstr("no such key: ***"));
  EXPECT_THAT(service.process().output(), Not(HasSubstr(kGeneratorKey)));
  int files = 0;  // traces, with the error of the model
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_.path())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(bytes.find(kGeneratorKey), std::string::npos) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST_F(EndpointModelTest, AKeyThatIsNotThereIsNamed) {
  const std::string path = directory_.path() + "/emptor.yaml";
  std::ofstream(path) << "generator: {url: \"http://127.0.0.1:1\", key_env: EMPTOR_NO_SUCH_KEY}\n";
  std::string output;
  EXPECT_EQ(RunEmptor({"ask", "--config", path, "--data-dir", directory_.path(), "x"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("generator: key_env: EMPTOR_NO_SUCH_KEY: holds no key"));
}

}  // namespace
}  // namespace emptor::testing
