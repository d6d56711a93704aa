// What the gateway answers where all is well, and what it sends to replicas.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "services/auth/key_store.h"
#include "tests/services/gateway/gateway_fixture.h"

namespace emptor::services {
namespace {

using testing::Fetch;
using testing::FetchWithKey;
using testing::HttpConnection;
using testing::HttpReply;
using testing::StandInReplica;

using GatewayServerTest = GatewayFixture;

TEST_F(GatewayServerTest, AnswersWholeAndAsAStream) {
  Start(2);
  const HttpReply reply = Ask();
  EXPECT_EQ(reply.status, 200);
  EXPECT_NE(reply.body.find(StandInReplica::TextOf(5)), std::string::npos) << reply.body;
  EXPECT_NE(reply.head.find("X-Emptor-Replica: r"), std::string::npos) << reply.head;
  EXPECT_TRUE(IsWhole(AskStream()));
  EXPECT_NE(Fetch(port_, "GET", "/v1/models").body.find("\"counter\""), std::string::npos);
  EXPECT_EQ(Ask(R"({"model":"counter","messages":[]})").status, 200);
  EXPECT_EQ(Ask(R"({"model":"other","messages":[]})").status, 404);
  EXPECT_EQ(Ask("{").status, 400);
  EXPECT_TRUE(
      Eventually([&] { return Metric("emptor_gateway_requests_total{end=\"answered\"}") == 3; }));
}

TEST_F(GatewayServerTest, AReplicaGetsItsOwnKeyAndModelAndNotTheClientsKey) {
  of_each_.api_key_file = data_.path() + "/replica.key";
  std::ofstream(of_each_.api_key_file) << "replica-secret\n";
  of_each_.send_model = "large";
  Start(1);
  const std::string key = ReadOwnKey(data_.path());
  EXPECT_EQ(FetchWithKey(port_, key, "POST", "/v1/chat/completions", kBody).status, 200);
  const std::string request = replicas_[0].latest();
  EXPECT_NE(request.find("Authorization: Bearer replica-secret"), std::string::npos) << request;
  EXPECT_EQ(request.find(key), std::string::npos);
  EXPECT_NE(request.find("{\"model\":\"large\",\"messages\":["), std::string::npos) << request;
}

TEST_F(GatewayServerTest, AnswersKeepWordsThatAreTheReplicasKeyAndErrorsDoNot) {
  of_each_.api_key_file = data_.path() + "/replica.key";
  std::ofstream(of_each_.api_key_file) << "content\n";  // a placeholder
  Start(1);
  const HttpReply whole = Ask();
  EXPECT_NE(whole.body.find("\"content\":\"w0 "), std::string::npos) << whole.body;
  EXPECT_EQ(whole.body.find("***"), std::string::npos) << whole.body;
  EXPECT_TRUE(IsWhole(AskStream()));
  const std::string error =
      R"({"error":{"message":"no content here","type":"t","param":null,"code":null}})";
  replicas_[0].SetRaw("HTTP/1.1 400 Bad\r\nContent-Length: " + std::to_string(error.size()) +
                      "\r\n\r\n" + error);
  EXPECT_NE(Ask().body.find("no *** here"), std::string::npos);
}

TEST_F(GatewayServerTest, AConversationStaysAtItsReplica) {
  Start(3);
  std::string said(1000, 'a');
  std::set<std::string> replicas;
  for (int turn = 0; turn < 6; ++turn) {
    said += "and then " + std::to_string(turn) + std::string(300, 'b');
    const HttpReply reply = Ask(R"({"messages":[{"role":"user","content":")" + said + "\"}]}");
    const size_t at = reply.head.find("X-Emptor-Replica: ");
    ASSERT_NE(at, std::string::npos);
    replicas.insert(reply.head.substr(at + 18, 2));
  }
  EXPECT_EQ(replicas.size(), 1u);
}

TEST_F(GatewayServerTest, AnAnswerThatComesAtOnceIsPassedOnWhole) {
  Start(1);
  replicas_[0].SetTokens(5000, milliseconds(0));
  for (int i = 0; i < 5; ++i) {
    const StreamReply reply = AskStream();
    EXPECT_TRUE(IsWhole(reply, 5000))
        << reply.text.size() << " " << reply.error << reply.http.complete;
  }
}

TEST_F(GatewayServerTest, ModelsAreListedAlsoWhereHealthIsAskedElsewhere) {
  of_each_.health_path = "/health";
  replicas_.emplace_back().SetPage("/health", 200, "ok");
  Start(1);  // waits for the list
  EXPECT_EQ(Ask(R"({"model":"other","messages":[]})").status, 404);
  replicas_[0].SetPage("/v1/models", 200, R"({"data":[{"id":"other"}]})");
  EXPECT_TRUE(Eventually([&] { return Ask(R"({"model":"other","messages":[]})").status == 200; }));
  // A list that cannot be read leaves what is known; health is another matter.
  replicas_[0].SetPage("/v1/models", 500, "{}");
  replicas_[0].SetPage("/health", 503, "loading");
  EXPECT_TRUE(Eventually([&] { return Fetch(port_, "GET", "/health").status == 503; }));
  replicas_[0].SetPage("/health", 200, "ok");
  EXPECT_TRUE(Eventually([&] { return Ask(R"({"model":"other","messages":[]})").status == 200; }));
}

TEST_F(GatewayServerTest, AModelIsAskedOfTheReplicasThatListIt) {
  replicas_.emplace_back().SetPage("/v1/models", 200, R"({"data":[{"id":"small"},{"id":"all"}]})");
  replicas_.emplace_back().SetPage("/v1/models", 200, R"({"data":[{"id":"large"},{"id":"all"}]})");
  replicas_.emplace_back().SetPage("/v1/models", 200, R"({"data":[]})");
  Launch(3);
  const std::string two =
      R"({"id":"all","object":"model","created":0,"owned_by":"emptor","replicas":2})";
  ASSERT_TRUE(Eventually([&] {
    return Fetch(port_, "GET", "/v1/models").body.find(two) != std::string::npos &&
           Metric("emptor_gateway_replica_state{replica=\"r2\",state=\"up\"}") == 1;
  }));
  // Until its list has come, the third one may serve anything.
  const std::string unknown = R"({"model":"medium","messages":[]})";
  ASSERT_TRUE(Eventually([&] { return Ask(unknown).status == 404; }));
  const int before = replicas_[2].requests();
  for (int i = 0; i < 6; ++i) {
    const std::string user = ",\"user\":\"" + std::to_string(i) + "\"}";
    EXPECT_EQ(Ask("{\"model\":\"small\",\"messages\":[]" + user).status, 200);
    EXPECT_EQ(Ask("{\"model\":\"large\",\"messages\":[]" + user).status, 200);
    EXPECT_EQ(Ask("{\"model\":\"all\",\"messages\":[]" + user).status, 200);
  }
  EXPECT_GE(replicas_[0].requests(), 6);
  EXPECT_GE(replicas_[1].requests(), 6);
  EXPECT_EQ(replicas_[2].requests(), before);  // lists none
  const HttpReply none = Ask(unknown);
  EXPECT_EQ(none.status, 404);
  EXPECT_NE(none.body.find("medium"), std::string::npos) << none.body;
}

TEST_F(GatewayServerTest, ALargeEventArrives) {
  Start(1);
  const std::string text(900 << 10, 'x');
  replicas_[0].SetRaw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" +
      text +
      "\"},\"finish_reason\":null}]}\n\ndata: "
      "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
      "data: [DONE]\n\n");
  const StreamReply reply = AskStream();
  EXPECT_EQ(reply.text.size(), text.size());
  EXPECT_TRUE(reply.done);
  EXPECT_EQ(reply.error, "");
}

TEST(CheckGatewayConfigTest, NamesTheLineOfAnEntryOnce) {
  GatewayConfig config;
  const auto mistakes = ReadGatewayConfig(R"(
replicas:
  - {name: p, dns: models.test, port: 80, most: 8, api_key_file: /nowhere/key}
  - {name: q, dns: models.test, port: 81, ca_file: /nowhere/ca}
  - {name: a, url: "http://a", api_key_env: EMPTOR_NO_SUCH_KEY}
)",
                                          "g.yaml", config);
  ASSERT_TRUE(mistakes.empty()) << mistakes.front();
  const auto found = CheckGatewayConfig(config, "g.yaml");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].message().find("g.yaml:3: replicas[0] (p): key_file: /nowhere/key"), 0u);
  EXPECT_EQ(found[1].message(), "g.yaml:4: replicas[1] (q): ca_file: /nowhere/ca: cannot be read");
  EXPECT_EQ(found[2].message().find("g.yaml:5: replicas[2] (a): api_key_env: "), 0u);
  config.listen = "nowhere";
  EXPECT_EQ(CheckGatewayConfig(config, "g.yaml")[0].message().find("g.yaml: listen: "), 0u);
}

TEST_F(GatewayServerTest, TakesTheNamesThatItIsGiven) {
  config_.allowed_hosts = {"models.example.com"};
  Start(1);
  const auto ask_as = [&](const std::string& host) {
    HttpConnection connection(port_);
    connection.Send("GET /v1/models HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    return connection.ReadReply(milliseconds(10000)).status;
  };
  EXPECT_EQ(ask_as("models.example.com"), 200);
  EXPECT_EQ(ask_as("elsewhere.example.com"), 421);
}

}  // namespace
}  // namespace emptor::services
