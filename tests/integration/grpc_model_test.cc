// `emptor serve` whose language model runs in an `emptor engine serve`.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;

/// `emptor engine serve` with the shipped model, on free ports.
class EngineProcess {
 public:
  EngineProcess()
      : process_({EmptorPath(), "engine", "serve", "--listen", "127.0.0.1:0", "--http",
                  "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--embedder", "none",
                  "--data-dir", data_.path()}) {
    const auto output = process_.ReadUntil("ready\n", milliseconds(60000));
    const std::string before = "grpc on port ";
    const size_t at = output ? output->find(before) : std::string::npos;
    EXPECT_NE(at, std::string::npos) << process_.output();
    if (at != std::string::npos) port_ = std::stoi(output->substr(at + before.size()));
  }
  std::string url() const { return "grpc://127.0.0.1:" + std::to_string(port_); }
  ChildProcess& process() { return process_; }

 private:
  const TemporaryDirectory data_;
  ChildProcess process_;
  int port_ = 0;
};

class GrpcModelTest : public ::testing::Test {
 protected:
  void SetUp() override { IngestSampleShop(directory_.path()); }
  /// Asks a service with this model, which ends before this returns.
  Answer AskWith(const std::vector<std::string>& model) const {
    const ServiceProcess service(directory_.path(), model);
    return service.Ask(kQuestion);
  }
  static std::string StepOf(const Answer& answer) {
    const catalog::JsonValue* step = answer.done.Find("answer_step");
    return step == nullptr ? "no done event" : step->as_string();
  }

  static constexpr const char* kQuestion = "How much is the Torvane Ember Electric Kettle K80?";
  const TemporaryDirectory directory_;
};

TEST_F(GrpcModelTest, AnswersAsWithTheModelInTheSameProcess) {
  EngineProcess engine;
  const Answer here = AskWith({});
  for (const char* name : {"", "/emptor-lm"}) {
    const Answer there = AskWith({"--model", engine.url() + name});
    EXPECT_EQ(there.status, 200);
    EXPECT_EQ(StepOf(there), "model");
    EXPECT_EQ(there.text, here.text);
    EXPECT_FALSE(there.text.empty());
    ASSERT_FALSE(there.events.empty());
    EXPECT_NE(there.events[0].data.find(R"("model":"Emptor LM")"), std::string::npos)
        << there.events[0].data;
  }
}

TEST_F(GrpcModelTest, AnswersFromTheRecordsWhileTheServerIsAway) {
  EngineProcess engine;
  const ServiceProcess service(directory_.path(), {"--model", engine.url()});
  EXPECT_EQ(StepOf(service.Ask(kQuestion)), "model");
  engine.process().Signal(SIGKILL);
  engine.process().Wait(milliseconds(60000));
  // The answer to the same question is cached.
  const Answer answer = service.Ask("What does the Torvane Ember Electric Kettle K80 cost?");
  EXPECT_EQ(StepOf(answer), "code");
  EXPECT_FALSE(answer.text.empty());
}

TEST_F(GrpcModelTest, RefusesAnUrlThatIsNone) {
  std::string output;
  EXPECT_EQ(RunEmptor({"ask", "--data-dir", directory_.path(), "--model", "grpc://nowhere", "x"},
                      &output),
            2);
  EXPECT_NE(output.find("expected grpc://HOST:PORT[/NAME], found "
                        "\"grpc://nowhere\""),
            std::string::npos)
      << output;
  EXPECT_EQ(RunEmptor({"engine", "serve", "--model", "grpc://127.0.0.1:1", "--listen", "none",
                       "--http", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir",
                       TemporaryDirectory().path()},
                      &output),
            2);
  EXPECT_NE(output.find("expected a model file or directory of this engine server"),
            std::string::npos)
      << output;
}

TEST_F(GrpcModelTest, NamesAModelThatTheServerDoesNotHave) {
  EngineProcess engine;
  std::string output;
  EXPECT_EQ(
      RunEmptor({"ask", "--data-dir", directory_.path(), "--model", engine.url() + "/nope", "x"},
                &output),
      2);
  EXPECT_NE(output.find("there is no language model \"nope\""), std::string::npos) << output;
}

}  // namespace
}  // namespace emptor::testing
