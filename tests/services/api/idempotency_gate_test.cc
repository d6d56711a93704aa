// The header Idempotency-Key in front of a route: who shares a key, what is answered again.
#include "services/api/idempotency_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "services/http/in_memory_exchange.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

class IdempotencyGateTest : public ::testing::Test {
 protected:
  struct Sent {
    std::shared_ptr<InMemoryClient> client;
    std::shared_ptr<Exchange> exchange;  // null: answered
  };
  using Headers = std::map<std::string, std::string>;

  static Grant GrantOf(std::optional<KeyKind> kind, const std::string& id = "k1") {
    Grant grant;
    grant.shop = "default";
    if (kind) grant.key_id = id;
    grant.key_kind = kind;
    return grant;
  }
  Sent Send(const std::string& body, const Headers& headers, const Grant& grant = {},
            const std::string& remote = "192.0.2.1", const std::string& path = "/v1/events") {
    Request request;
    request.method = "POST";
    request.path = path;
    request.body = body;
    request.remote = remote;
    request.id = "req-1";
    for (const auto& [name, value] : headers) request.headers.emplace_back(name, value);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    std::shared_ptr<Exchange> exchange =
        std::make_shared<InMemoryExchange>(std::move(request), client);
    const Route route = Replayed({"POST", path, Access::kAsk, nullptr});
    const bool passes = gate_->Admit(route, grant, exchange);
    return {client, passes ? exchange : nullptr};
  }
  /// The answer to a request that is done by counting it.
  Response Do(const std::string& body, const Headers& headers, const Grant& grant = {},
              const std::string& remote = "192.0.2.1", const std::string& path = "/v1/events") {
    Sent sent = Send(body, headers, grant, remote, path);
    if (sent.exchange) {
      Response response;
      response.status = 202;
      response.body = std::to_string(++done_);
      response.headers.emplace_back("Cache-Control", "no-store");
      sent.exchange->Respond(std::move(response));
    }
    return sent.client->response();
  }
  static std::string HeaderIn(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return {};
  }

  int done_ = 0;
  std::chrono::steady_clock::time_point now_{std::chrono::seconds(1000)};
  const std::shared_ptr<IdempotencyGate> gate_ = std::make_shared<IdempotencyGate>(
      IdempotencyLimits{}, [this] { return now_; }, std::vector<std::string>{"10.0.0.1"});
};

TEST_F(IdempotencyGateTest, TheSameRequestIsDoneOnce) {
  const Response first = Do("{}", {{"idempotency-key", "abc"}});
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(HeaderIn(first, "Idempotency-Replayed"), "");
  const Response again = Do("{}", {{"idempotency-key", "\"abc\""}});  // the draft's form
  EXPECT_EQ(again.status, 202);
  EXPECT_EQ(again.body, "1");
  EXPECT_EQ(HeaderIn(again, "Idempotency-Replayed"), "true");
  EXPECT_EQ(HeaderIn(again, "Cache-Control"), "no-store");
  EXPECT_EQ(done_, 1);
  EXPECT_EQ(Do("{}", {{"idempotency-key", "def"}}).body, "2");
  // Without a key all are done.
  EXPECT_EQ(Do("{}", {}).body, "3");
  EXPECT_EQ(Do("{}", {}).body, "4");
  now_ += kReplayTime;
  EXPECT_EQ(Do("{}", {{"idempotency-key", "abc"}}).body, "5");
  EXPECT_EQ(gate_->answered(IdempotencyStore::Outcome::kDone), 1u);
}

TEST_F(IdempotencyGateTest, AnotherRequestUnderTheKeyIsRefused) {
  const Headers key = {{"idempotency-key", "abc"}};
  EXPECT_EQ(Do("{}", key).status, 202);
  const Response body = Do("{ }", key);
  EXPECT_EQ(body.status, 422);
  EXPECT_THAT(body.body, HasSubstr(R"("code":"idempotency_key_reused")"));
  EXPECT_THAT(body.body, HasSubstr(R"("param":"idempotency-key")"));
  EXPECT_EQ(Do("{}", key, {}, "192.0.2.1", "/v1/feedback").status, 422);
  EXPECT_EQ(Do("{}", {{"idempotency-key", "abc"}, {"content-type", "text/csv"}}).status, 422);
  EXPECT_EQ(done_, 1);
}

TEST_F(IdempotencyGateTest, ARequestThatRunsIsNotDoneNextToItself) {
  const Headers key = {{"idempotency-key", "abc"}};
  Sent first = Send("{}", key);
  ASSERT_NE(first.exchange, nullptr);
  const Response second = Do("{}", key);
  EXPECT_EQ(second.status, 409);
  EXPECT_THAT(second.body, HasSubstr("idempotency_in_progress"));
  EXPECT_EQ(HeaderIn(second, "Retry-After"), "1");
  first.exchange.reset();  // dies unanswered: it was not done
  EXPECT_EQ(Do("{}", key).body, "1");
}

TEST_F(IdempotencyGateTest, ErrorsAndEventStreamsAreNotKept) {
  const Headers key = {{"idempotency-key", "abc"}};
  for (const int status : {400, 429, 500, 507}) {
    Sent failed = Send("{}", key);
    ASSERT_NE(failed.exchange, nullptr) << status;
    Response response;
    response.status = status;
    failed.exchange->Respond(std::move(response));
  }
  Sent streamed = Send("{}", key);
  ASSERT_NE(streamed.exchange, nullptr);
  streamed.exchange->StartSse({})->Finish();
  EXPECT_EQ(Do("{}", key).body, "1");
  // Results of an import that are streamed were given, and are not there any more.
  Sent lines = Send("{}", {{"idempotency-key", "lines"}});
  StreamOptions options;
  options.content_type = "application/x-ndjson";
  lines.exchange->StartSse(std::move(options))->Finish();
  const Response gone = Do("{}", {{"idempotency-key", "lines"}});
  EXPECT_EQ(gone.status, 409);
  EXPECT_THAT(gone.body, HasSubstr("idempotency_answer_gone"));
}

TEST_F(IdempotencyGateTest, KeysAreOfTheirCaller) {
  const Headers key = {{"idempotency-key", "abc"}};
  const auto shopper = [](char c) {
    return Headers{{"idempotency-key", "abc"}, {"x-emptor-shopper", std::string(32, c)}};
  };
  EXPECT_EQ(Do("{}", key).body, "1");
  EXPECT_EQ(Do("{}", key, {}, "192.0.2.2").body, "2");  // another address
  EXPECT_EQ(Do("{}", shopper('a')).body, "3");
  EXPECT_EQ(Do("{}", shopper('a'), {}, "192.0.2.9").body, "3");  // the shopper has moved
  EXPECT_EQ(Do("{}", shopper('b')).body, "4");
  const Grant browser = GrantOf(KeyKind::kBrowser, "b1");
  EXPECT_EQ(Do("{}", shopper('a'), browser).body, "5");
  EXPECT_EQ(Do("{}", shopper('b'), browser).body, "6");  // a browser key is public
  const Grant server = GrantOf(KeyKind::kServer, "s1");
  EXPECT_EQ(Do("{}", key, server).body, "7");
  EXPECT_EQ(Do("{}", key, server, "192.0.2.2").body, "7");  // another machine of the shop
  EXPECT_EQ(Do("{}", key, GrantOf(KeyKind::kServer, "s2")).body, "8");
  Grant other = server;
  other.shop = "other";
  EXPECT_EQ(Do("{}", key, other).body, "9");
  // Behind a proxy the address is the client's.
  const Headers forwarded = {{"idempotency-key", "abc"}, {"x-forwarded-for", "192.0.2.1"}};
  EXPECT_EQ(Do("{}", forwarded, {}, "10.0.0.1").body, "1");
}

TEST_F(IdempotencyGateTest, AKeyThatIsNoneIsRefused) {
  for (const std::string& key : {std::string(), std::string("\"\""), std::string("a b"),
                                 std::string("\"a"), std::string(300, 'x'), std::string("ü")}) {
    const Response response = Do("{}", {{"idempotency-key", key}});
    EXPECT_EQ(response.status, 400) << key;
    EXPECT_THAT(response.body, HasSubstr("idempotency-key: expected one key")) << key;
  }
  EXPECT_EQ(done_, 0);
}

TEST_F(IdempotencyGateTest, OfRoutesThatTakeNoneTheKeyHasNoEffect) {
  const Route route("POST", "/v1/search", Access::kAsk, nullptr);
  Request request;
  request.headers = {{"idempotency-key", ""}};
  auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
  std::shared_ptr<Exchange> exchange =
      std::make_shared<InMemoryExchange>(std::move(request), client);
  const Exchange* const before = exchange.get();
  EXPECT_TRUE(gate_->Admit(route, {}, exchange));
  EXPECT_EQ(exchange.get(), before);
  exchange->Respond({});
}

}  // namespace
}  // namespace emptor::services
