// Errors: their form, and that what a replica says reaches the client.
#include <gtest/gtest.h>

#include "catalog/encoding/json.h"
#include "tests/services/gateway/gateway_fixture.h"

namespace emptor::services {
namespace {

using testing::Fetch;
using testing::HttpConnection;
using testing::HttpReply;

class GatewayErrorFormTest : public GatewayFixture {
 protected:
  /// The member of the error; "": the body is no error of the OpenAI API.
  static std::string MemberOf(const HttpReply& reply, std::string_view name) {
    const auto json = catalog::ParseJson(reply.body);
    const catalog::JsonValue* error = json.ok() ? json->Find("error") : nullptr;
    const catalog::JsonValue* member = error != nullptr ? error->Find(name) : nullptr;
    return member != nullptr && member->is_string() ? member->as_string() : "";
  }
  static std::string MessageOf(const HttpReply& reply) { return MemberOf(reply, "message"); }
  static bool IsError(const HttpReply& reply) {
    return !MessageOf(reply).empty() && !MemberOf(reply, "type").empty() &&
           !MemberOf(reply, "code").empty() &&
           reply.head.find("Content-Type: application/json") != std::string::npos;
  }
  HttpReply Send(const std::string& bytes) const {
    HttpConnection connection(port_);
    connection.Send(bytes);
    return connection.ReadReply(milliseconds(10000));
  }
  void ReplyRaw(int status, const std::string& body, const std::string& headers = "") {
    replicas_[0].SetRaw("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
  }
};

TEST_F(GatewayErrorFormTest, IsThatOfTheOpenAiApiWhoeverAnswers) {
  Start(1);
  const std::string large =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Type: application/json\r\nContent-Length: 4194305\r\n\r\n";
  const struct {
    const char* name;
    HttpReply reply;
    int status;
    const char* code;
  } cases[] = {
      {"no route", Fetch(port_, "GET", "/v1/embeddings"), 404, "not_found"},
      {"another method", Fetch(port_, "GET", "/v1/chat/completions"), 405, "method_not_allowed"},
      {"no JSON", Ask("{"), 400, "invalid_value"},
      {"no such model", Ask(R"({"model":"x","messages":[]})"), 404, "model_not_found"},
      {"another name",
       Send("GET /v1/models HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n"), 421,
       "unknown_host"},
      {"too large", Send(large), 413, nullptr},
      {"no HTTP", Send("SSH-2.0-OpenSSH_9.2\r\n\r\n"), 400, nullptr},
      {"no JSON type",
       Send("POST /v1/completions HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Type: text/plain\r\nContent-Length: 2\r\n"
            "Connection: close\r\n\r\n{}"),
       415, nullptr},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(each.reply.status, each.status) << each.name;
    EXPECT_TRUE(IsError(each.reply)) << each.name << "\n" << each.reply.head << each.reply.body;
    if (each.code != nullptr) {
      EXPECT_EQ(MemberOf(each.reply, "code"), each.code) << each.name;
    }
  }
  EXPECT_NE(cases[1].reply.head.find("Allow: POST"), std::string::npos) << cases[1].reply.head;
  replicas_[0].Die();
  ASSERT_TRUE(Eventually([&] { return Fetch(port_, "GET", "/health").status == 503; }));
  EXPECT_TRUE(IsError(Fetch(port_, "GET", "/health")));
  EXPECT_EQ(MessageOf(Fetch(port_, "GET", "/health")), "no replica is up");
}

TEST_F(GatewayErrorFormTest, ARefusalOfTheRequestGoesToTheClientWithItsWords) {
  Start(1);
  const struct {
    int status;
    const char* body;
    const char* message;
    const char* code;
  } cases[] = {
      {400, R"({"error":{"message":"too hot","type":"invalid_request_error","code":"hot"}})",
       "too hot", "hot"},
      {422, R"({"detail":[{"loc":["body"],"msg":"field required"}]})", "field required",
       "replica_refused"},
      {404, R"({"detail":"Not Found"})", "Not Found", "replica_refused"},
      {400,
       R"({"object":"error","message":"4096 tokens at most","type":"BadRequestError",)"
       R"("code":400})",
       "4096 tokens at most", "replica_refused"},
      {422, R"({"error":"too many tokens","error_type":"validation"})", "too many tokens",
       "replica_refused"},
      {413, "the body is too large\n", "the body is too large", "replica_refused"},
      {400, "<html><body>Bad Request</body></html>", "the replica refuses the request",
       "replica_refused"},
      {501, R"({"error":{"message":"logprobs: not supported","type":"x","code":"unsupported"}})",
       "logprobs: not supported", "unsupported"},
  };
  int asked = 0;
  for (const auto& each : cases) {
    ReplyRaw(each.status, each.body);
    for (const std::string& body : {kBody, kStream}) {
      const HttpReply reply = Ask(body);
      ++asked;
      EXPECT_EQ(reply.status, each.status) << each.body;
      EXPECT_TRUE(IsError(reply)) << reply.body;
      EXPECT_NE(MessageOf(reply).find(each.message), std::string::npos) << reply.body;
      EXPECT_EQ(MemberOf(reply, "code"), each.code);
      EXPECT_NE(reply.head.find("X-Request-Id: "), std::string::npos) << reply.head;
    }
  }
  EXPECT_EQ(replicas_[0].requests(), asked);
  EXPECT_EQ(Metric("emptor_gateway_replica_ejections_total"), 0);
}

TEST_F(GatewayErrorFormTest, ARefusalInAStreamOf200IsOneToo) {
  Start(1);
  replicas_[0].SetRaw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      "data: {\"error\":{\"message\":\"4096 tokens at "
      "most\",\"type\":\"BadRequestError\",\"code\":400}}\n\n"
      "data: [DONE]\n\n");
  const HttpReply reply = Ask(kStream);
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(MessageOf(reply), "4096 tokens at most");
}

TEST_F(GatewayErrorFormTest, AFailureOfTheReplicaIsNamed) {
  config_.queue_time = milliseconds(0);
  of_each_.api_key_env = "EMPTOR_TEST_REPLICA_KEY";
  setenv("EMPTOR_TEST_REPLICA_KEY", "secret-of-the-replica", 1);
  Start(1);
  const struct {
    int status;
    const char* body;
    int want;
    const char* message;
  } cases[] = {
      {500, R"({"error":{"message":"CUDA out of memory","type":"x","code":null}})", 502,
       "CUDA out of memory"},
      {502, "<html>", 502, "HTTP 502"},
      {401, R"({"error":{"message":"wrong key secret-of-the-replica"}})", 502, "refuses the key"},
      {200, R"({"error":{"message":"bad key secret-of-the-replica"}})", 502, "bad key ***"},
      {504, R"({"error":{"message":"deadline exceeded"}})", 504, "deadline exceeded"},
  };
  for (const auto& each : cases) {
    ReplyRaw(each.status, each.body);
    const HttpReply reply = Ask();
    EXPECT_EQ(reply.status, each.want) << each.body << reply.body;
    EXPECT_TRUE(IsError(reply)) << reply.body;
    EXPECT_NE(MessageOf(reply).find(each.message), std::string::npos) << reply.body;
    EXPECT_EQ(reply.body.find("secret-of"), std::string::npos) << reply.body;
  }
}

TEST_F(GatewayErrorFormTest, NoPartOfTheReplicasKeyIsInAnError) {
  config_.queue_time = milliseconds(0);
  config_.dispatch.breaker = {.failures_in_row = 1000, .window = 1000};
  of_each_.api_key_env = "EMPTOR_TEST_REPLICA_KEY";
  setenv("EMPTOR_TEST_REPLICA_KEY", "secret-of/the-replica", 1);
  Start(1);
  const std::string long_text(290, 'x');  // the key crosses the place where messages are cut
  const std::string long_code(60, 'x');
  const struct {
    int status;
    std::string body;
  } cases[] = {
      {500, R"({"error":{"message":")" + long_text + R"( secret-of/the-replica"}})"},
      {500, long_text + " secret-of/the-replica"},
      {422, R"({"detail":")" + long_text + R"( secret-of\/the-replica"})"},
      {422, R"({"detail":[{"msg":")" + long_text + R"( secret-of/the-replica"}]})"},
      {200, R"({"error":{"message":")" + long_text + R"( secret-of/the-replica"}})"},
      {400, R"({"error":{"message":"key \u0073ecret-of\/the-replica","type":"x","code":"y"}})"},
      {400, R"({"error":{"message":"key","code":"secret-of/the-replica"}})"},
      {400, R"({"error":{"message":"key","code":")" + long_code + R"(secret-of/the-replica"}})"},
  };
  for (const auto& each : cases) {
    ReplyRaw(each.status, each.body);
    for (const std::string& body : {kBody, kStream}) {
      const HttpReply reply = Ask(body);
      EXPECT_TRUE(IsError(reply)) << reply.body;
      for (const char* part : {"secr", "ecret", "the-replica"}) {
        EXPECT_EQ(reply.body.find(part), std::string::npos) << each.body << reply.body;
      }
    }
  }
}

TEST_F(GatewayErrorFormTest, NoPartOfTheReplicasKeyIsInTheErrorOfAStream) {
  of_each_.api_key_env = "EMPTOR_TEST_REPLICA_KEY";
  setenv("EMPTOR_TEST_REPLICA_KEY", "secret-of/the-replica", 1);
  Start(1);
  const std::string long_text(290, 'x');
  replicas_[0].SetRaw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n"
      "data: {\"error\":{\"message\":\"" +
      long_text + " secret-of/the-replica\"}}\n\n");
  const StreamReply reply = AskStream();
  EXPECT_NE(reply.error.find(long_text + " ***"), std::string::npos) << reply.error;
  EXPECT_EQ(reply.error.find("secr"), std::string::npos) << reply.error;
}

}  // namespace
}  // namespace emptor::services
