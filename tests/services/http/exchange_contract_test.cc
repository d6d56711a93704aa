// What every implementation of the HTTP port promises a handler: one suite, run over a socket and
// in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "services/http/exchange.h"
#include "services/http/http_server.h"
#include "services/http/in_memory_exchange.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using testing::kPatience;

constexpr size_t kQueueBytes = 4096;

/// What the client sees in the end.
struct Seen {
  int status = 0;
  std::string body;
  std::string content_type;
};

/// An exchange over a socket and the client at its other end.
class SocketWorld {
 public:
  explicit SocketWorld(bool streams_refused = false, std::string method = "GET")
      : method_(std::move(method)) {
    HttpServerOptions options;
    options.max_streams = streams_refused ? 0 : 10;
    options.max_stream_queue_bytes = kQueueBytes;
    server_ = std::make_unique<testing::TestServer>(options);
    client_ = std::make_unique<testing::RawClient>(server_->port(), 4096);
    client_->Send(method_ + " /hold?q=kettle HTTP/1.1\r\nHost: shop\r\nX-One: 1\r\n\r\n");
  }
  std::shared_ptr<Exchange> exchange() { return server_->TakeExchange(); }
  void Leave() { client_->Reset(); }
  Seen Read() {
    const testing::RawReply reply = client_->ReadReply(method_ != "HEAD");
    return {reply.status, reply.body, reply.Header("Content-Type")};
  }

 private:
  const std::string method_;
  std::unique_ptr<testing::TestServer> server_;
  std::unique_ptr<testing::RawClient> client_;
};

/// The same in memory.
class MemoryWorld {
 public:
  explicit MemoryWorld(bool streams_refused = false, std::string method = "GET")
      : method_(std::move(method)),
        client_(std::make_shared<InMemoryClient>(
            InMemoryClient::Options{.streams_refused = streams_refused,
                                    .reads = false,
                                    .max_stream_queue_bytes = kQueueBytes})) {}
  std::shared_ptr<Exchange> exchange() {
    Request request;
    request.method = method_;
    request.path = "/hold";
    request.query = {{"q", "kettle"}};
    request.headers = {{"host", "shop"}, {"x-one", "1"}};
    request.remote = "127.0.0.1";
    request.id = "0123456789abcdef";
    return std::make_shared<InMemoryExchange>(std::move(request), client_);
  }
  void Leave() { client_->Leave(); }
  Seen Read() {
    std::string body;
    const bool ended = testing::Eventually([&] {
      const bool has_ended = client_->WaitForEnd(std::chrono::milliseconds(1));
      body += client_->Read();
      return has_ended;
    });
    EXPECT_TRUE(ended);
    const Response response = client_->response();
    return {response.status, body, response.content_type};
  }

 private:
  const std::string method_;
  std::shared_ptr<InMemoryClient> client_;
};

/// Counts how often and why a stream ended.
struct Ending {
  std::atomic<int> count{0};
  std::atomic<StreamEnd> end{StreamEnd::kFinished};

  StreamOptions Options() {
    StreamOptions options;
    options.last_words = "data: last\n\n";
    options.on_end = [this](StreamEnd why) {
      end = why;
      ++count;
    };
    return options;
  }
  bool Wait() {
    return testing::Eventually([this] { return count > 0; });
  }
};

template <typename World>
class ExchangeContractTest : public ::testing::Test {};

using Worlds = ::testing::Types<SocketWorld, MemoryWorld>;
TYPED_TEST_SUITE(ExchangeContractTest, Worlds);

TYPED_TEST(ExchangeContractTest, ShowsTheRequest) {
  TypeParam world;
  const auto exchange = world.exchange();
  const Request& request = exchange->request();
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/hold");
  EXPECT_EQ(request.Query("q"), "kettle");
  EXPECT_EQ(request.Header("x-one"), "1");
  EXPECT_EQ(request.remote, "127.0.0.1");
  EXPECT_EQ(request.id.size(), 16u);
  exchange->Respond({});
}

TYPED_TEST(ExchangeContractTest, AnswersOnce) {
  TypeParam world;
  const auto exchange = world.exchange();
  exchange->Respond({.status = 404, .content_type = "text/plain", .body = "first"});
  exchange->Respond({.body = "second"});
  EXPECT_EQ(exchange->StartSse({}), nullptr);
  const Seen seen = world.Read();
  EXPECT_EQ(seen.status, 404);
  EXPECT_EQ(seen.body, "first");
  EXPECT_EQ(seen.content_type, "text/plain");
}

TYPED_TEST(ExchangeContractTest, HeadGetsNoBody) {
  TypeParam plain(false, "HEAD");
  plain.exchange()->Respond({.content_type = "text/plain", .body = "body"});
  const Seen answer = plain.Read();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "text/plain");
  EXPECT_EQ(answer.body, "");
  TypeParam stream(false, "HEAD");
  EXPECT_EQ(stream.exchange()->StartSse({}), nullptr);
  const Seen head = stream.Read();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.content_type, "text/event-stream");
  EXPECT_EQ(head.body, "");
}

TYPED_TEST(ExchangeContractTest, DeathUnansweredSendsFiveHundred) {
  TypeParam world;
  world.exchange().reset();
  const Seen seen = world.Read();
  EXPECT_EQ(seen.status, 500);
  EXPECT_NE(seen.body.find("\"code\":\"internal\""), std::string::npos);
}

TYPED_TEST(ExchangeContractTest, ReportsOnceThatThePeerHasGone) {
  TypeParam world;
  const auto exchange = world.exchange();
  std::atomic<int> calls{0};
  exchange->OnPeerGone([&] { ++calls; });
  EXPECT_EQ(calls, 0);
  world.Leave();
  EXPECT_TRUE(testing::Eventually([&] { return calls == 1; }));
  exchange->OnPeerGone([&] { calls += 10; });  // at once: it has happened
  EXPECT_EQ(calls, 11);
  exchange->Respond({});
}

TYPED_TEST(ExchangeContractTest, DoesNotReportAPeerThatGoesAfterItsAnswer) {
  TypeParam world;
  const auto exchange = world.exchange();
  std::atomic<int> calls{0};
  const auto witness = std::make_shared<int>(0);
  exchange->OnPeerGone([&, witness] { ++calls; });
  exchange->Respond({});
  world.Read();
  EXPECT_TRUE(testing::Eventually([&] { return witness.use_count() == 1; }));  // is let go of
  world.Leave();
  exchange->OnPeerGone([&] { ++calls; });
  EXPECT_EQ(calls, 0);
}

TYPED_TEST(ExchangeContractTest, StreamGivesEventsInOrderAndEndsOnce) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  EXPECT_TRUE(sink->Push("data: 1\n\n"));
  EXPECT_TRUE(sink->Push(""));
  EXPECT_TRUE(sink->Push("data: 2\n\n"));
  sink->Finish();
  sink->Finish();
  EXPECT_FALSE(sink->Push("data: 3\n\n"));
  sink = nullptr;
  const Seen seen = world.Read();
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(seen.body, "data: 1\n\ndata: 2\n\n");
  EXPECT_EQ(seen.content_type, "text/event-stream");
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.end, StreamEnd::kFinished);
  EXPECT_EQ(ending.count, 1);
}

TYPED_TEST(ExchangeContractTest, StreamOutlivesItsExchange) {
  Ending ending;
  TypeParam world;
  auto exchange = world.exchange();
  auto sink = exchange->StartSse(ending.Options());
  exchange = nullptr;
  EXPECT_TRUE(sink->Push("data: 1\n\n"));
  sink->Finish();
  EXPECT_EQ(world.Read().body, "data: 1\n\n");
}

TYPED_TEST(ExchangeContractTest, ADroppedSinkSendsItsLastWords) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  EXPECT_TRUE(sink->Push("data: 1\n\n"));
  sink = nullptr;
  EXPECT_EQ(world.Read().body, "data: 1\n\ndata: last\n\n");
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.count, 1);
}

TYPED_TEST(ExchangeContractTest, LeavingEndsTheStream) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  world.Leave();
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.end, StreamEnd::kPeerGone);
  EXPECT_FALSE(sink->Push("data: 1\n\n"));
  sink->Finish();
  sink = nullptr;
  EXPECT_EQ(ending.count, 1);
}

TYPED_TEST(ExchangeContractTest, OverflowEndsTheStream) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  const std::string event = testing::DataEvent(1000);
  ASSERT_TRUE(testing::Eventually([&] { return !sink->Push(event); }));
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.end, StreamEnd::kOverflow);
  EXPECT_FALSE(sink->Push("x"));
}

TYPED_TEST(ExchangeContractTest, AWaitingPushDoesNotOverflow) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  std::string all;
  for (int i = 0; i < 2000; ++i) all += testing::DataEvent(1000 + static_cast<size_t>(i % 7));
  std::jthread producer([&] {
    constexpr size_t kPiece = 3000;
    for (size_t at = 0; at < all.size(); at += kPiece) {
      EXPECT_TRUE(sink->PushWhenRoom(std::string_view(all).substr(at, kPiece), kPatience));
    }
    sink->Finish();
  });
  EXPECT_EQ(world.Read().body, all);
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.end, StreamEnd::kFinished);
}

TYPED_TEST(ExchangeContractTest, AWaitingPushThatTimesOutEndsTheStream) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  const std::string event = testing::DataEvent(1000);
  ASSERT_TRUE(testing::Eventually(
      [&] { return !sink->PushWhenRoom(event, std::chrono::milliseconds(20)); }));
  ASSERT_TRUE(ending.Wait());
  EXPECT_EQ(ending.end, StreamEnd::kStalled);
  EXPECT_FALSE(sink->Push("x"));
}

TYPED_TEST(ExchangeContractTest, AWaitingPushReturnsWhenThePeerLeaves) {
  Ending ending;
  TypeParam world;
  auto sink = world.exchange()->StartSse(ending.Options());
  ASSERT_NE(sink, nullptr);
  std::atomic<bool> is_dead = false;
  std::jthread producer([&] {
    const std::string event = testing::DataEvent(1000);
    while (sink->PushWhenRoom(event, kPatience)) {
    }
    is_dead = true;
  });
  world.Leave();
  EXPECT_TRUE(testing::Eventually([&] { return is_dead.load(); }));
}

TYPED_TEST(ExchangeContractTest, StreamLimitIsAFiveHundredAndThree) {
  Ending ending;
  TypeParam world(true);
  EXPECT_EQ(world.exchange()->StartSse(ending.Options()), nullptr);
  const Seen seen = world.Read();
  EXPECT_EQ(seen.status, 503);
  EXPECT_NE(seen.body.find("\"code\":\"busy\""), std::string::npos);
  EXPECT_EQ(ending.count, 0) << "no stream began, so none ended";
}

}  // namespace
}  // namespace emptor::services
