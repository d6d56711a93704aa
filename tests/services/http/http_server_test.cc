// The HTTP server over real sockets: one test for each defect of the library that was measured.
#include "services/http/http_server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/services/http/http_cases.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using testing::Eventually;
using testing::GetRequest;
using testing::Post;
using testing::RawClient;
using testing::RawReply;
using testing::TestServer;

TEST(HttpServerTest, RefusesEveryBadRequestAndCloses) {
  TestServer server;
  for (const testing::RefusedCase& one : testing::RefusedCases()) {
    RawClient client(server.port());
    client.Send(one.bytes);
    const RawReply reply = client.ReadReply();
    EXPECT_EQ(reply.status, one.status) << one.name;
    EXPECT_EQ(reply.Header("Connection"), "close") << one.name;
    EXPECT_EQ(reply.Header("Content-Type"), "application/json") << one.name;
    const std::string id = reply.Header("X-Request-Id");
    EXPECT_EQ(id.size(), 16u) << one.name;
    EXPECT_EQ(reply.body.rfind("{\"error\":{\"code\":\"", 0), 0u) << reply.body;
    EXPECT_NE(reply.body.find("\"param\":null,\"request_id\":\"" + id + "\"}}"), std::string::npos);
    EXPECT_EQ(reply.body.find("evil"), std::string::npos) << "nothing sent is echoed";
    for (const char* internal : {"std::", "basic_string", "stoul", "what()", ".cc", "istache"}) {
      EXPECT_EQ(reply.body.find(internal), std::string::npos) << one.name << ": " << reply.body;
    }
    EXPECT_TRUE(client.WaitForClose()) << one.name;
  }
  EXPECT_EQ(server.handled(), 0u);
  EXPECT_EQ(server.stats().refused, testing::RefusedCases().size());
}

TEST(HttpServerTest, ItsOwnErrorsHaveTheFormThatItIsGiven) {
  TestServer server(
      {.error_body = [](int status, std::string_view code, std::string_view, std::string_view id) {
        return "{\"mine\":\"" + std::to_string(status) + " " + std::string(code) + " " +
               std::to_string(id.size()) + "\"}";
      }});
  RawClient bad(server.port());
  bad.Send("GET\r\n\r\n");
  EXPECT_EQ(bad.ReadReply().body.rfind("{\"mine\":\"400 ", 0), 0u);
  RawClient dropped(server.port());
  dropped.Send(GetRequest("/drop"));
  EXPECT_EQ(dropped.ReadReply().body, "{\"mine\":\"500 internal 16\"}");
  server.server().RefuseNew();
  RawClient late(server.port());
  late.Send(GetRequest("/hello"));
  EXPECT_EQ(late.ReadReply().body, "{\"mine\":\"503 unavailable 16\"}");
}

TEST(HttpServerTest, TakesAnIpv6AddressInBrackets) {
  HttpServer server({.address = "[::1]"});
  const absl::Status status = server.Start([](const std::shared_ptr<Exchange>&) {});
  // Where the machine has no IPv6 the address is one all the same.
  EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kUnavailable) << status;
}

TEST(HttpServerTest, AnswersEveryOddButGoodRequest) {
  TestServer server;
  for (const testing::AcceptedCase& one : testing::AcceptedCases()) {
    RawClient client(server.port());
    client.Send(one.bytes);
    const RawReply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 200) << one.name;
    EXPECT_EQ(reply.body, one.path == "/echo" ? one.body : "hello " + one.path) << one.name;
  }
  EXPECT_EQ(server.stats().refused, 0u);
}

// Plain 0.0.5: the worker spins for ever.
TEST(HttpServerTest, TakesChunkSplitBetweenItsCrAndLf) {
  TestServer server;
  const std::string body = "5\r\nhello\r\n0\r\n\r\n";
  for (size_t cut = 0; cut <= body.size(); ++cut) {
    RawClient client(server.port());
    // The interim answer shows that the server has read what came so far.
    client.Send(Post("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n", ""));
    ASSERT_EQ(client.ReadReply().status, 100);
    client.Send(body.substr(0, cut));
    RawClient other(server.port());  // lets the server take the first part before the second
    other.Send(GetRequest("/hello"));
    EXPECT_EQ(other.ReadReply().status, 200);
    client.Send(body.substr(cut));
    EXPECT_EQ(client.ReadReply().body, "hello") << cut;
  }
}

// Plain 0.0.5: no interim answer.
TEST(HttpServerTest, SaysContinueOnlyWhenItWillTakeTheBody) {
  TestServer server;
  RawClient client(server.port());
  client.Send(Post("Content-Length: 2\r\nExpect: 100-continue\r\n", ""));
  EXPECT_EQ(client.ReadReply().status, 100);
  client.Send("hi");
  EXPECT_EQ(client.ReadReply().body, "hi");

  RawClient large(server.port());
  large.Send(Post("Content-Length: 99999999\r\nExpect: 100-continue\r\n", ""));
  EXPECT_EQ(large.ReadReply().status, 413);
}

// Plain 0.0.5: the second request is dropped without a word.
TEST(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/1") + GetRequest("/late") + GetRequest("/sse?n=3&tag=a") +
              Post("Content-Length: 2\r\n", "hi") + GetRequest("/5"));
  EXPECT_EQ(client.ReadReply().body, "hello /1");
  EXPECT_EQ(client.ReadReply().body, "late");
  EXPECT_EQ(client.ReadReply().body, testing::Events("a", 3));
  EXPECT_EQ(client.ReadReply().body, "hi");
  EXPECT_EQ(client.ReadReply().body, "hello /5");
}

// Plain 0.0.5: the answer to the second lands inside the stream of the first.
TEST(HttpServerTest, HoldsRequestBackWhileStreamRuns) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  ASSERT_TRUE(sink->Push("data: 1\n\n"));
  ASSERT_TRUE(client.ReadUntil("data: 1"));
  client.Send(GetRequest("/second"));
  RawClient other(server.port());
  other.Send(GetRequest("/hello"));
  EXPECT_EQ(other.ReadReply().status, 200);
  EXPECT_TRUE(sink->Push("data: 2\n\n"));
  sink->Finish();
  EXPECT_EQ(client.ReadReply().body, "data: 1\n\ndata: 2\n\n");
  EXPECT_EQ(client.ReadReply().body, "hello /second");
}

// Plain 0.0.5: a body is sent, though there must be none.
TEST(HttpServerTest, SendsHeadWithoutBody) {
  TestServer server;
  RawClient client(server.port());
  client.Send("HEAD /hello HTTP/1.1\r\nHost: shop\r\n\r\n");
  const RawReply head = client.ReadReply(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Length"), "12");
  client.Send("HEAD /sse?n=3 HTTP/1.1\r\nHost: shop\r\n\r\n");
  EXPECT_EQ(client.ReadReply(false).Header("Content-Type"), "text/event-stream");
  client.Send(GetRequest("/next"));
  EXPECT_EQ(client.ReadReply().body, "hello /next") << "nothing was sent in between";
}

TEST(HttpServerTest, SendsTheStandardHeaders) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hello"));
  const RawReply reply = client.ReadReply();
  EXPECT_EQ(reply.Header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(reply.Header("X-Request-Id").size(), 16u);
  EXPECT_EQ(reply.Header("Connection"), "");
  tm date{};
  EXPECT_NE(strptime(reply.Header("Date").c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date), nullptr);
  client.Send(GetRequest("/hello"));
  EXPECT_NE(client.ReadReply().Header("X-Request-Id"), reply.Header("X-Request-Id"));
}

// Plain 0.0.5: says "Connection: Close" and leaves the connection open for 300 s.
TEST(HttpServerTest, ClosesWhenTheClientAsks) {
  TestServer server;
  for (const std::string request :
       {"GET /hello HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n",
        "GET /hello HTTP/1.0\r\n\r\n"}) {
    RawClient client(server.port());
    client.Send(request);
    const RawReply reply = client.ReadReply();
    EXPECT_EQ(reply.body, "hello /hello");
    EXPECT_EQ(reply.Header("Connection"), "close");
    EXPECT_TRUE(client.WaitForClose());
  }
  RawClient old(server.port());
  for (int i = 0; i < 2; ++i) {
    old.Send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(old.ReadReply().Header("Connection"), "keep-alive");
  }
}

TEST(HttpServerTest, KeepsConnectionsAlive) {
  TestServer server;
  RawClient client(server.port());
  for (int i = 0; i < 100; ++i) {
    client.Send(GetRequest(testing::Numbered("/", i)));
    ASSERT_EQ(client.ReadReply().body, testing::Numbered("hello /", i));
  }
  EXPECT_EQ(server.stats().connections, 1u);
  EXPECT_EQ(server.handled(), 100u);
}

// Plain 0.0.5: the text of the exception is the body.
TEST(HttpServerTest, AnswersFiveHundredWithoutTheReason) {
  TestServer server;
  RawClient client(server.port());
  for (const std::string path : {"/throw", "/drop"}) {
    client.Send(GetRequest(path));
    const RawReply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.body.find("secret"), std::string::npos);
    EXPECT_NE(reply.body.find("\"code\":\"internal\""), std::string::npos);
  }
  client.Send(GetRequest("/hello"));
  EXPECT_EQ(client.ReadReply().status, 200);
}

TEST(HttpServerTest, AnswersOnceAndFromAnyThread) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  exchange->Respond({.status = 201, .body = "first"});
  exchange->Respond({.body = "second"});
  EXPECT_EQ(exchange->StartSse({}), nullptr);
  exchange = nullptr;
  EXPECT_EQ(client.ReadReply().body, "first");
  client.Send(GetRequest("/next"));
  EXPECT_EQ(client.ReadReply().body, "hello /next");
}

TEST(HttpServerTest, LeavesOutHeadersThatWouldSplitTheAnswer) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  exchange->Respond({.body = "x",
                     .headers = {{"X-Good", "1"},
                                 {"X-Bad", "a\r\nSet-Cookie: evil=1"},
                                 {"X Bad", "a"},
                                 {"Content-Length", "99"}}});
  const RawReply reply = client.ReadReply();
  EXPECT_EQ(reply.Header("X-Good"), "1");
  EXPECT_EQ(reply.body, "x");
  EXPECT_EQ(reply.head.find("evil"), std::string::npos);
  EXPECT_EQ(reply.head.find("X Bad"), std::string::npos);
}

// A peer whose descriptor number has been given to another client never gets the other's answer.
TEST(HttpServerTest, LateAnswerNeverReachesAnotherClient) {
  TestServer server;
  for (int round = 0; round < 50; ++round) {
    RawClient first(server.port());
    first.Send(GetRequest("/hold"));
    auto exchange = server.TakeExchange();
    ASSERT_NE(exchange, nullptr);
    first.Reset();
    ASSERT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
    RawClient second(server.port());
    second.Send(GetRequest("/second"));
    ASSERT_EQ(second.ReadReply().body, "hello /second");
    exchange->Respond({.body = "private"});
    second.Send(GetRequest("/third"));
    ASSERT_EQ(second.ReadReply().body, "hello /third");
  }
}

TEST(HttpServerTest, AnswersAClientThatHasClosedItsSendingHalf) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  client.HalfClose();
  auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  ASSERT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
  exchange->Respond({.body = std::string(3000000, 'x')});
  EXPECT_EQ(client.ReadReply().body.size(), 3000000u);
}

// Plain 0.0.5: four clients that do not read stop the whole server.
TEST(HttpServerTest, ClientsThatDoNotReadDelayNoOther) {
  HttpServerOptions options;
  options.stall_timeout = milliseconds(1500);
  TestServer server(options);
  std::vector<std::unique_ptr<RawClient>> sleepers;
  for (int i = 0; i < 8; ++i) {
    sleepers.push_back(std::make_unique<RawClient>(server.port(), 4096));
    sleepers.back()->Send(GetRequest("/big?n=20000000"));
  }
  ASSERT_TRUE(Eventually([&] { return server.handled() == 8; }));
  for (int i = 0; i < 20; ++i) {
    RawClient client(server.port());
    client.Send(GetRequest("/hello"));
    EXPECT_EQ(client.ReadReply().status, 200);
  }
  RawClient reader(server.port());
  reader.Send(GetRequest("/big?n=20000000") + GetRequest("/next"));
  EXPECT_EQ(reader.ReadReply().body.size(), 20000000u);
  EXPECT_EQ(reader.ReadReply().body, "hello /next");
  reader.Close();
  EXPECT_TRUE(Eventually([&] { return server.stats().connections == 0; })) << "stalled, so cut";
}

TEST(HttpServerTest, AnswersRequestThatNeverEndsWithTimeout) {
  HttpServerOptions options;
  options.header_timeout = milliseconds(100);
  TestServer server(options);
  for (const std::string& bytes :
       {std::string("GET / HT"), std::string("GET / HTTP/1.1\r\nHost: shop\r\n"),
        Post("Content-Length: 10\r\n", "short"),
        Post("Transfer-Encoding: chunked\r\n", "5\r\nhe")}) {
    RawClient client(server.port());
    client.Send(GetRequest("/hello"));  // the second request of a connection has a deadline, too
    EXPECT_EQ(client.ReadReply().status, 200);
    client.Send(bytes);
    EXPECT_EQ(client.ReadReply().status, 408);
    EXPECT_TRUE(client.WaitForClose());
  }
}

TEST(HttpServerTest, SingleBytesExtendNoDeadline) {
  HttpServerOptions options;
  options.header_timeout = milliseconds(150);
  TestServer server(options);
  for (const std::string& start : {std::string("GET / HTTP/1.1\r\nHost: shop\r\nX-A: "),
                                   Post("Content-Length: 100000\r\n", "")}) {
    RawClient client(server.port());
    client.Send(start);
    // Every answer of the other connection is a moment in which one more byte drips.
    RawClient clock(server.port());
    const auto refused = server.stats().refused;
    ASSERT_TRUE(Eventually([&] {
      client.Send("x");
      clock.Send(GetRequest("/hello"));
      clock.ReadReply();
      return server.stats().refused > refused;
    }));
    EXPECT_EQ(client.ReadReply().status, 408);
  }
}

TEST(HttpServerTest, ClosesIdleConnectionsWithoutAnAnswer) {
  HttpServerOptions options;
  options.idle_timeout = milliseconds(500);
  TestServer server(options);
  RawClient fresh(server.port()), used(server.port());
  used.Send(GetRequest("/hello"));
  EXPECT_EQ(used.ReadReply().status, 200);
  EXPECT_EQ(fresh.ReadToEnd(), "");
  EXPECT_EQ(used.ReadToEnd(), "");
}

// Plain 0.0.5: writes a 408 into the middle of a stream that outlives the header timeout.
TEST(HttpServerTest, LongAnswersOutliveTheTimeouts) {
  HttpServerOptions options;
  options.header_timeout = milliseconds(300);
  options.idle_timeout = milliseconds(300);
  options.ping_interval = milliseconds(250);
  TestServer server(options);
  RawClient streaming(server.port()), waiting(server.port());
  streaming.Send(GetRequest("/hold-sse"));
  waiting.Send(GetRequest("/hold"));
  auto sink = server.TakeSink();
  auto exchange = server.TakeExchange();
  ASSERT_TRUE(streaming.ReadUntil(": ping\n\n\r\n8\r\n: ping"))
      << "two pings: both timeouts passed";
  sink->Finish();
  exchange->Respond({.body = "done"});
  EXPECT_EQ(streaming.ReadReply().body.find("408"), std::string::npos);
  EXPECT_EQ(waiting.ReadReply().body, "done");
}

TEST(HttpServerTest, TakesABurstOfConnects) {
  TestServer server;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(std::make_unique<RawClient>(server.port()));
  for (const auto& client : clients) {
    ASSERT_TRUE(client->connected());
    client->Send(GetRequest("/hello"));
  }
  for (const auto& client : clients) EXPECT_EQ(client->ReadReply().status, 200);
}

TEST(HttpServerTest, RefusesConnectionsOverTheLimitAndRecovers) {
  HttpServerOptions options;
  options.max_connections = 5;
  TestServer server(options);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->Send(GetRequest("/hello"));
    EXPECT_EQ(clients.back()->ReadReply().status, 200);
  }
  RawClient sixth(server.port());
  const RawReply reply = sixth.ReadReply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.Header("Retry-After"), "1");
  EXPECT_TRUE(sixth.WaitForClose());
  clients.clear();
  ASSERT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
  RawClient seventh(server.port());
  seventh.Send(GetRequest("/hello"));
  EXPECT_EQ(seventh.ReadReply().status, 200);
}

// Plain 0.0.5: the accept loop spins, and no client gets an answer.
TEST(HttpServerTest, ServesOpenConnectionsWhenDescriptorsRunOut) {
  TestServer server;
  RawClient held(server.port());
  held.Send(GetRequest("/hello"));
  EXPECT_EQ(held.ReadReply().status, 200);
  RawClient late(0);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest_free = dup(0);
  close(lowest_free);
  const rlimit full{.rlim_cur = static_cast<rlim_t>(lowest_free), .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &full), 0);
  EXPECT_TRUE(late.Connect(server.port()));
  EXPECT_TRUE(late.WaitForClose()) << "refused at once and not left in the backlog";
  held.Send(GetRequest("/hello"));
  EXPECT_EQ(held.ReadReply().status, 200);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  RawClient next(server.port());
  next.Send(GetRequest("/hello"));
  EXPECT_EQ(next.ReadReply().status, 200);
}

TEST(HttpServerTest, ReportsWhyItCannotStart) {
  TestServer server;
  HttpServerOptions options;
  options.port = server.port();
  EXPECT_EQ(std::make_unique<HttpServer>(options)->Start([](auto) {}).code(),
            absl::StatusCode::kUnavailable);
  options.port = 70000;
  EXPECT_EQ(std::make_unique<HttpServer>(options)->Start([](auto) {}).code(),
            absl::StatusCode::kInvalidArgument);
  options.port = 0;
  options.address = "not an address";
  EXPECT_EQ(std::make_unique<HttpServer>(options)->Start([](auto) {}).code(),
            absl::StatusCode::kInvalidArgument);
  options.address = "127.0.0.1";
  options.threads = 0;
  EXPECT_EQ(std::make_unique<HttpServer>(options)->Start([](auto) {}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(HttpServerTest, StopsWithOpenConnectionsAndLetsGoOfEveryDescriptor) {
  std::shared_ptr<Exchange> exchange;
  std::shared_ptr<StreamSink> sink;
  {
    TestServer server;
    RawClient idle(server.port()), waiting(server.port()), streaming(server.port());
    idle.Send(GetRequest("/hello"));
    EXPECT_EQ(idle.ReadReply().status, 200);
    waiting.Send(GetRequest("/hold"));
    streaming.Send(GetRequest("/hold-sse"));
    exchange = server.TakeExchange();
    sink = server.TakeSink();
    server.server().Stop();
    EXPECT_TRUE(idle.WaitForClose());
    EXPECT_TRUE(streaming.WaitForClose());
    EXPECT_EQ(server.Ends(StreamEnd::kShutdown), 1);
    EXPECT_EQ(server.stats().connections, 0u);
    exchange->Respond({.body = "after the end"});
    EXPECT_EQ(waiting.ReadReply().body, "after the end") << "a late answer still goes out";
  }
  EXPECT_FALSE(sink->Push("data: 1\n\n"));
  sink->Finish();
}

}  // namespace
}  // namespace emptor::services
