// Limits of a port in virtual time: who is counted, what the answer says, what is given back.
#include "services/api/rate_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/http/forwarding_exchange.h"
#include "services/http/in_memory_exchange.h"

namespace emptor::services {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

std::string HeaderIn(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

class RateGateTest : public ::testing::Test {
 protected:
  void Make(const CallerLimits& per_address, const CallerLimits& per_key = {}) {
    RateGateOptions options;
    options.per_address = per_address;
    options.per_key = per_key;
    options.trusted_proxies = {"10.0.0.1"};
    gate_ = std::make_shared<RateGate>(options, [this] { return now_; });
  }
  static Grant GrantOf(std::optional<KeyKind> kind, const std::string& id = "k1") {
    Grant grant;
    grant.shop = "default";
    if (kind) grant.key_id = id;
    grant.key_kind = kind;
    return grant;
  }
  struct Sent {
    std::shared_ptr<InMemoryClient> client;
    std::shared_ptr<Exchange> exchange;  // null: refused
  };
  Sent Send(const std::string& remote, const Grant& grant = {}, bool generates = false,
            Access access = Access::kAsk, const std::string& forwarded_for = "") {
    Route route("POST", "/v1/assist", access, nullptr);
    route.generates = generates;
    Request request;
    request.method = "POST";
    request.remote = remote;
    request.id = "req-1";
    if (!forwarded_for.empty()) request.headers.emplace_back("x-forwarded-for", forwarded_for);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    std::shared_ptr<Exchange> exchange =
        std::make_shared<InMemoryExchange>(std::move(request), client);
    const bool passes = gate_->Admit(route, grant, exchange);
    return {client, passes ? exchange : nullptr};
  }
  /// The status of a request that is answered with 200 where it passes.
  Response Ask(const std::string& remote, const Grant& grant = {}, Access access = Access::kAsk,
               const std::string& forwarded_for = "") {
    const Sent sent = Send(remote, grant, false, access, forwarded_for);
    if (sent.exchange) sent.exchange->Respond({});
    return sent.client->response();
  }

  TokenBucket::TimePoint now_{seconds(1000)};
  std::shared_ptr<RateGate> gate_;
};

TEST_F(RateGateTest, AnAddressHasItsRequests) {
  Make({.requests = {.per_minute = 60, .burst = 2}});
  const Response first = Ask("192.0.2.1");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(HeaderIn(first, "RateLimit-Policy"), "\"requests-per-address\";q=60;w=60");
  EXPECT_EQ(HeaderIn(first, "RateLimit"), "\"requests-per-address\";r=1;t=1");
  EXPECT_EQ(Ask("192.0.2.1").status, 200);
  const Response refused = Ask("192.0.2.1");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(HeaderIn(refused, "Retry-After"), "1");
  EXPECT_EQ(HeaderIn(refused, "RateLimit"), "\"requests-per-address\";r=0;t=2");
  EXPECT_THAT(refused.body, HasSubstr(R"("code":"rate_limited")"));
  EXPECT_EQ(gate_->refused(Limit::kRequests, false), 1u);
  EXPECT_EQ(Ask("192.0.2.2").status, 200) << "another address";
  now_ += seconds(1);
  EXPECT_EQ(Ask("192.0.2.1").status, 200);
}

TEST_F(RateGateTest, WhoIsNotLimited) {
  Make({.requests = {.per_minute = 60, .burst = 1}}, {.requests = {.per_minute = 60, .burst = 1}});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Ask("127.0.0.1").status, 200) << "a program of this machine";
    EXPECT_EQ(Ask("192.0.2.1", GrantOf(KeyKind::kAdmin)).status, 200);
    EXPECT_EQ(Ask("192.0.2.1", {}, Access::kOpen).status, 200) << "pages, images, health";
    EXPECT_EQ(Ask("192.0.2.1", {}, Access::kMonitor).status, 200) << "metrics";
  }
  EXPECT_EQ(Ask("192.0.2.1").status, 200) << "and nothing of that was counted";
}

TEST_F(RateGateTest, AnOpenRouteCountsThoseWhoReadARecordThere) {
  class Reading final : public ForwardingExchange {
   public:
    using ForwardingExchange::ForwardingExchange;
    bool may_read() const override { return true; }
  };
  Make({.requests = {.per_minute = 60, .burst = 1}});
  const Route page = CountingReaders({"GET", "/p/{id}", Access::kOpen, nullptr});
  const Route open("GET", "/", Access::kOpen, nullptr);
  const auto passes = [&](const Route& route, bool may_read) {
    Request request;
    request.remote = "192.0.2.1";
    std::shared_ptr<Exchange> exchange = std::make_shared<InMemoryExchange>(
        std::move(request), std::make_shared<InMemoryClient>(InMemoryClient::Options{}));
    if (may_read) exchange = std::make_shared<Reading>(std::move(exchange));
    return gate_->Admit(route, {}, exchange);
  };
  EXPECT_TRUE(passes(page, true));
  EXPECT_FALSE(passes(page, true));
  EXPECT_TRUE(passes(page, false)) << "the page without the record";
  EXPECT_TRUE(passes(open, true));
}

TEST_F(RateGateTest, BehindAProxyEachClientIsCounted) {
  Make({.requests = {.per_minute = 60, .burst = 1}});
  for (const char* proxy : {"127.0.0.1", "10.0.0.1"}) {
    const std::string a = std::string(proxy) == "10.0.0.1" ? "203.0.113.1" : "198.51.100.1";
    EXPECT_EQ(Ask(proxy, {}, Access::kAsk, a).status, 200);
    EXPECT_EQ(Ask(proxy, {}, Access::kAsk, a).status, 429);
    EXPECT_EQ(Ask(proxy, {}, Access::kAsk, "forged, " + a).status, 429);
  }
  EXPECT_EQ(Ask("192.0.2.9", {}, Access::kAsk, "198.51.100.7").status, 200);
  EXPECT_EQ(Ask("192.0.2.9", {}, Access::kAsk, "198.51.100.8").status, 429)
      << "who is no proxy is counted itself";
}

TEST_F(RateGateTest, AKeyIsCountedAndInAPageItsClientToo) {
  Make({.requests = {.per_minute = 60, .burst = 2}}, {.requests = {.per_minute = 60, .burst = 3}});
  const Grant server = GrantOf(KeyKind::kServer, "server");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask("192.0.2.1", server).status, 200);
  EXPECT_EQ(Ask("192.0.2.2", server).status, 429) << "whatever the address";
  const Grant browser = GrantOf(KeyKind::kBrowser, "browser");
  EXPECT_THAT(HeaderIn(Ask("192.0.2.3", browser), "RateLimit"),
              HasSubstr("\"requests-per-key\";r=2;t=1, \"requests-per-address\";r=1"));
  EXPECT_EQ(Ask("192.0.2.3", browser).status, 200);
  EXPECT_EQ(Ask("192.0.2.3", browser).status, 429) << "the client";
  EXPECT_EQ(gate_->refused(Limit::kRequests, false), 1u);
}

TEST_F(RateGateTest, TokensAreReservedAndSettled) {
  Make({.tokens = {.per_minute = 3000, .burst = 3000}});
  Sent first = Send("192.0.2.1", {}, true);
  Sent second = Send("192.0.2.1", {}, true);
  ASSERT_TRUE(first.exchange && second.exchange);
  const Sent third = Send("192.0.2.1", {}, true);
  EXPECT_FALSE(third.exchange) << "both are still running";
  EXPECT_EQ(third.client->response().status, 429);
  EXPECT_EQ(HeaderIn(third.client->response(), "Retry-After"), "30");
  EXPECT_THAT(HeaderIn(third.client->response(), "RateLimit-Policy"),
              HasSubstr("\"tokens-per-address\";q=3000;qu=\"tokens\";w=60"));
  EXPECT_EQ(Ask("192.0.2.1").status, 200) << "what generates nothing passes";
  first.exchange->CountTokens(100);
  first.exchange->Respond({});
  first.exchange.reset();
  EXPECT_FALSE(Send("192.0.2.1", {}, true).exchange) << "1400 are there";
  second.exchange->Respond({.status = 503});
  second.exchange.reset();
  EXPECT_TRUE(Send("192.0.2.1", {}, true).exchange) << "an error costs nothing";
}

TEST_F(RateGateTest, WhoLeavesPaysTheReservation) {
  Make({.tokens = {.per_minute = 3000, .burst = 3000}});
  for (int i = 0; i < 2; ++i) {
    const Sent sent = Send("192.0.2.1", {}, true);
    ASSERT_TRUE(sent.exchange);
    EXPECT_TRUE(sent.exchange->StartSse({}));
    sent.client->Leave();
  }
  EXPECT_FALSE(Send("192.0.2.1", {}, true).exchange);
}

TEST_F(RateGateTest, OpenStreamsAreCappedAndGivenBack) {
  Make({.streams = 1}, {.streams = 2});
  const Grant key = GrantOf(KeyKind::kBrowser);
  const auto open = [&](const std::string& address) {
    Sent sent = Send(address, key);
    EXPECT_TRUE(sent.exchange);
    auto sink = sent.exchange->StartSse({});
    return std::pair(sink, sent.client);
  };
  auto [a, client_a] = open("192.0.2.1");
  EXPECT_TRUE(a);
  const auto [again, client_again] = open("192.0.2.1");
  EXPECT_FALSE(again) << "the address has one";
  EXPECT_EQ(client_again->response().status, 429);
  auto [b, client_b] = open("192.0.2.2");
  EXPECT_TRUE(b) << "the refused one gave the key's place back";
  EXPECT_FALSE(open("192.0.2.3").first) << "the key has two";
  EXPECT_EQ(gate_->refused(Limit::kStreams, true), 1u);
  client_a->Leave();
  EXPECT_TRUE(open("192.0.2.3").first);
}

}  // namespace
}  // namespace emptor::services
