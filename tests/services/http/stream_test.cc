// Event streams over real sockets: order, leaving, slow readers, limits, drain, reuse.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "services/http/exchange.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using testing::Events;
using testing::Eventually;
using testing::GetRequest;
using testing::RawClient;
using testing::RawReply;
using testing::TestServer;

TEST(StreamTest, OthersGetEveryEventWhenSomeLeaveAndOneNeverReads) {
  constexpr int kStreams = 50, kEvents = 400;
  HttpServerOptions options;
  options.max_stream_queue_bytes = 64 * 1024;
  TestServer server(options);
  RawClient sleeper(server.port(), 4096);
  sleeper.Send(GetRequest("/sse?n=100000&tag=sleeper"));
  std::vector<std::thread> clients;
  std::vector<int> complete(kStreams, 0);
  for (int i = 0; i < kStreams; ++i) {
    clients.emplace_back([&, i] {
      const std::string tag = testing::Numbered("stream", i);
      RawClient client(server.port());
      client.Send(GetRequest(testing::Numbered("/sse?n=", kEvents) + "&tag=" + tag));
      if (i % 5 == 0) {
        client.ReadUntil(tag + "-3");
        if (i % 10 == 0) client.Reset();
        return;
      }
      const RawReply reply = client.ReadReply();
      complete[static_cast<size_t>(i)] = reply.complete && reply.body == Events(tag, kEvents);
    });
  }
  for (std::thread& client : clients) client.join();
  for (int i = 0; i < kStreams; ++i)
    EXPECT_EQ(complete[static_cast<size_t>(i)], i % 5 != 0) << "stream " << i;
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kOverflow, 1)) << "the one that never reads is cut";
  EXPECT_TRUE(Eventually([&] { return server.stats().active_streams == 0; }));
}

TEST(StreamTest, LeavingIsDetectedAtOnceAndEndsTheProducer) {
  TestServer server;
  const std::vector<void (*)(RawClient&)> ways{[](RawClient& client) { client.Close(); },
                                               [](RawClient& client) { client.Reset(); },
                                               [](RawClient& client) { client.HalfClose(); }};
  int left = 0;
  for (const auto leave : ways) {
    RawClient client(server.port());
    client.Send(GetRequest("/hold-sse"));
    auto sink = server.TakeSink();
    ASSERT_NE(sink, nullptr);
    EXPECT_TRUE(sink->Push("data: 1\n\n"));
    ASSERT_TRUE(client.ReadUntil("data: 1"));
    leave(client);
    EXPECT_TRUE(server.WaitForEnds(StreamEnd::kPeerGone, ++left));
    EXPECT_FALSE(sink->Push("data: 2\n\n"));
    sink->Finish();
  }
  EXPECT_EQ(server.stats().streams_peer_gone, 3u);
  EXPECT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
}

TEST(StreamTest, ReaderThatFallsBehindIsCut) {
  HttpServerOptions options;
  options.max_stream_queue_bytes = 10000;
  TestServer server(options);
  RawClient client(server.port(), 4096);
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  const std::string event = testing::DataEvent(1000);
  ASSERT_TRUE(Eventually([&] { return !sink->Push(event); })) << "the kernel's buffers fill up";
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kOverflow, 1));
  EXPECT_FALSE(client.ReadReply().complete) << "a cut stream does not look like a finished one";
  EXPECT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
}

TEST(StreamTest, EventLargerThanTheQueueIsAnOverflow) {
  HttpServerOptions options;
  options.max_stream_queue_bytes = 1000;
  TestServer server(options);
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  EXPECT_FALSE(sink->Push(std::string(1001, 'x')));
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kOverflow, 1));
}

TEST(StreamTest, ReaderThatTakesNothingIsCut) {
  HttpServerOptions options;
  options.max_stream_queue_bytes = 64 << 20;
  options.stall_timeout = milliseconds(100);
  TestServer server(options);
  RawClient client(server.port(), 4096);
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  ASSERT_TRUE(sink->Push(testing::DataEvent(8 << 20)));
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kStalled, 1));
  EXPECT_FALSE(sink->Push("data: 2\n\n"));
  EXPECT_EQ(server.stats().streams_stalled, 1u);
}

TEST(StreamTest, ConnectionCarriesTheNextRequestAfterAStream) {
  TestServer server;
  RawClient client(server.port());
  for (int i = 0; i < 50; ++i) {
    const std::string tag = testing::Numbered("round", i);
    client.Send(GetRequest("/sse?n=20&tag=" + tag));
    const RawReply reply = client.ReadReply();
    ASSERT_EQ(reply.Header("Content-Type"), "text/event-stream");
    ASSERT_EQ(reply.Header("Cache-Control"), "no-store");
    ASSERT_EQ(reply.body, Events(tag, 20));
    client.Send(GetRequest("/hello"));
    ASSERT_EQ(client.ReadReply().body, "hello /hello");
  }
  EXPECT_EQ(server.stats().connections, 1u);
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kFinished, 50));
  EXPECT_TRUE(Eventually([&] { return server.stats().events_sent == 1000u; }));
}

TEST(StreamTest, OldClientGetsAStreamThatEndsWithItsConnection) {
  TestServer server;
  RawClient client(server.port());
  client.Send("GET /sse?n=5&tag=old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const RawReply reply = client.ReadReply();
  EXPECT_EQ(reply.Header("Transfer-Encoding"), "");
  EXPECT_EQ(reply.Header("Connection"), "close");
  EXPECT_EQ(reply.body, Events("old", 5));
  EXPECT_TRUE(client.WaitForClose());
}

TEST(StreamTest, StreamClosesItsConnectionOnRequest) {
  TestServer server;
  RawClient client(server.port());
  client.Send("GET /sse?n=5&tag=a HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.ReadReply().body, Events("a", 5));
  EXPECT_TRUE(client.WaitForClose());
}

TEST(StreamTest, StreamsOverTheLimitGet503WithRetryAfter) {
  HttpServerOptions options;
  options.max_streams = 2;
  TestServer server(options);
  RawClient first(server.port()), second(server.port()), third(server.port());
  first.Send(GetRequest("/hold-sse"));
  auto a = server.TakeSink();
  second.Send(GetRequest("/hold-sse"));
  auto b = server.TakeSink();
  third.Send(GetRequest("/hold-sse"));
  const RawReply busy = third.ReadReply();
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.Header("Retry-After"), "1");
  EXPECT_NE(busy.body.find("\"code\":\"busy\""), std::string::npos);
  a->Finish();
  EXPECT_EQ(first.ReadReply().status, 200);
  first.Send(GetRequest("/sse?n=1&tag=x"));
  EXPECT_EQ(first.ReadReply().body, Events("x", 1)) << "the place is free once the end is seen";
  b->Finish();
}

TEST(StreamTest, SilentStreamsArePinged) {
  HttpServerOptions options;
  options.ping_interval = milliseconds(30);
  TestServer server(options);
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_TRUE(client.ReadUntil("8\r\n: ping\n\n\r\n8\r\n: ping\n\n\r\n"));
  sink->Push("data: 1\n\n");
  sink->Finish();
  const RawReply reply = client.ReadReply();
  EXPECT_TRUE(reply.complete);
  EXPECT_NE(reply.body.find(": ping\n\ndata: 1\n\n"), std::string::npos);
  // The client may read before the hub has counted.
  EXPECT_TRUE(Eventually([&] { return server.stats().events_sent >= 1; }));
  EXPECT_EQ(server.stats().events_sent, 1u) << "pings are no events";
}

TEST(StreamTest, StreamOfAnotherTypeIsNotPinged) {
  HttpServerOptions options;
  options.ping_interval = milliseconds(10);
  TestServer server(options);
  RawClient client(server.port()), pinged(server.port());
  client.Send(GetRequest("/hold"));
  auto exchange = server.TakeExchange();
  auto sink = exchange->StartSse(
      {.content_type = "application/x-ndjson", .headers = {{"Cache-Control", "private"}}});
  ASSERT_NE(sink, nullptr);
  pinged.Send(GetRequest("/hold-sse"));
  ASSERT_TRUE(pinged.ReadUntil(": ping\n\n\r\n8\r\n: ping"));
  sink->Push("{}\n");
  sink->Finish();
  const RawReply reply = client.ReadReply();
  EXPECT_EQ(reply.body, "{}\n");
  EXPECT_EQ(reply.Header("Cache-Control"), "private");
}

TEST(StreamTest, StreamWhoseProducerDiesEndsWithItsLastWords) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  sink->Push("data: 1\n\n");
  sink = nullptr;
  const RawReply reply = client.ReadReply();
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.body, "data: 1\n\nevent: error\ndata: shutdown\n\n");
}

TEST(StreamTest, ManyProducersOfOneStreamDoNotMixTheirEvents) {
  HttpServerOptions options;
  options.max_stream_queue_bytes = 4 << 20;
  TestServer server(options);
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  std::vector<std::thread> producers;
  for (int p = 0; p < 4; ++p) {
    producers.emplace_back([sink, p] {
      for (int i = 0; i < 300; ++i)
        EXPECT_TRUE(sink->Push(testing::Event(testing::Numbered("p", p), i)));
    });
  }
  for (std::thread& producer : producers) producer.join();
  sink->Finish();
  const RawReply reply = client.ReadReply();
  EXPECT_TRUE(reply.complete);
  for (int p = 0; p < 4; ++p) {
    size_t at = 0;
    for (int i = 0; i < 300; ++i) {
      at = reply.body.find(testing::Event(testing::Numbered("p", p), i), at);
      ASSERT_NE(at, std::string::npos) << "producer " << p << " event " << i;
    }
  }
}

/// True when a server that drains refuses a new request.
bool IsRefused(int port) {
  RawClient client(port);
  client.Send(GetRequest("/hello"));
  const RawReply reply = client.ReadReply();
  if (reply.status != 503) return false;
  EXPECT_EQ(reply.Header("Retry-After"), "1");
  EXPECT_NE(reply.body.find("\"code\":\"unavailable\""), std::string::npos) << reply.body;
  return client.WaitForClose();
}

TEST(StreamTest, DrainEndsLateStreamsWithLastWords) {
  TestServer server;
  std::vector<std::unique_ptr<RawClient>> clients;
  std::vector<std::shared_ptr<StreamSink>> sinks;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->Send(GetRequest("/hold-sse"));
    sinks.push_back(server.TakeSink());
    ASSERT_NE(sinks.back(), nullptr);
    EXPECT_TRUE(sinks.back()->Push("data: 1\n\n"));
  }
  const DrainReport report = server.server().Drain(milliseconds(10));
  EXPECT_EQ(report.finished, 0u);
  EXPECT_EQ(report.cut, 20u);
  for (const auto& sink : sinks) EXPECT_FALSE(sink->Push("data: 2\n\n"));
  for (const auto& client : clients) {
    const RawReply reply = client->ReadReply();
    EXPECT_TRUE(reply.complete);
    EXPECT_EQ(reply.body, "data: 1\n\nevent: error\ndata: shutdown\n\n");
  }
  EXPECT_EQ(server.Ends(StreamEnd::kShutdown), 20);
  EXPECT_TRUE(IsRefused(server.port())) << "Drain alone refuses";
}

TEST(StreamTest, DrainLetsRunningStreamsFinishAndRefusesNewRequests) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold-sse"));
  const auto sink = server.TakeSink();
  ASSERT_NE(sink, nullptr);
  server.server().RefuseNew();  // what runs now is counted: the stream, and no request of the test
  DrainReport report;
  std::jthread drain([&] { report = server.server().Drain(testing::kPatience); });
  ASSERT_TRUE(IsRefused(server.port()));
  EXPECT_TRUE(sink->Push("data: 1\n\n"));
  sink->Finish();
  drain.join();
  EXPECT_EQ(client.ReadReply().body, "data: 1\n\n");
  EXPECT_EQ(report.finished, 1u);
  EXPECT_EQ(report.cut, 0u);
}

TEST(StreamTest, DrainTakesAStreamThatStartsAfterItsRequest) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  const auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  server.server().RefuseNew();
  const auto sink = exchange->StartSse({});
  ASSERT_NE(sink, nullptr);
  EXPECT_TRUE(sink->Push("data: 1\n\n"));
  sink->Finish();
  EXPECT_EQ(client.ReadReply().body, "data: 1\n\n");
  const DrainReport report = server.server().Drain(testing::kPatience);
  EXPECT_EQ(report.finished, 1u) << "counted from RefuseNew on";
  EXPECT_EQ(report.cut, 0u);
}

TEST(StreamTest, DrainAnswersLateRequestsAndCancelsTheirWork) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  const auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  bool is_cancelled = false;
  exchange->OnPeerGone([&] { is_cancelled = true; });
  const DrainReport report = server.server().Drain(milliseconds(10));
  EXPECT_EQ(report.finished, 0u);
  EXPECT_EQ(report.cut, 1u);
  EXPECT_TRUE(is_cancelled);
  exchange->Respond({.body = "late"});
  const RawReply reply = client.ReadReply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.Header("Retry-After"), "1");
}

TEST(StreamTest, DrainWaitsForAnswersThatAreStillDue) {
  TestServer server;
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  const auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  server.server().RefuseNew();  // what runs now is counted: the answer, and no request of the test
  DrainReport report;
  std::jthread drain([&] { report = server.server().Drain(testing::kPatience); });
  ASSERT_TRUE(IsRefused(server.port()));
  exchange->Respond({.body = "in time"});
  drain.join();
  EXPECT_EQ(report.finished, 1u);
  EXPECT_EQ(report.cut, 0u);
  EXPECT_EQ(client.ReadReply().body, "in time");
}

/// The records of the requests that a server has answered.
class AccessRecords {
 public:
  AccessObserver Observer() {
    return [this](const AccessRecord& record) {
      const std::lock_guard lock(mutex_);
      records_.push_back(record);
    };
  }
  /// Waits for the next one.
  AccessRecord Take() {
    AccessRecord record;
    EXPECT_TRUE(Eventually([&] {
      const std::lock_guard lock(mutex_);
      if (records_.empty()) return false;
      record = records_.front();
      records_.erase(records_.begin());
      return true;
    }));
    return record;
  }

 private:
  std::mutex mutex_;
  std::vector<AccessRecord> records_;  // guarded by mutex_
};

TEST(AccessRecordTest, ReportsPlainAnswersAndRefusals) {
  AccessRecords records;
  HttpServerOptions options;
  options.on_answered = records.Observer();
  TestServer server(options);
  RawClient client(server.port());
  client.Send(
      "GET /p/k%2020?q=private HTTP/1.1\r\nHost: shop\r\nX-Emptor-Shop: tools\r\n"
      "User-Agent: " +
      std::string(200, 'u') + "\r\n\r\n");
  const RawReply reply = client.ReadReply();
  const AccessRecord plain = records.Take();
  EXPECT_EQ(plain.method, "GET");
  EXPECT_EQ(plain.path, "/p/k 20");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.bytes, reply.head.size() + 2 + reply.body.size()) << "2: the empty line";
  EXPECT_EQ(plain.request_id, reply.Header("X-Request-Id"));
  EXPECT_EQ(plain.peer, "127.0.0.1");
  EXPECT_EQ(plain.shop, "tools");
  EXPECT_EQ(plain.user_agent, std::string(80, 'u'));
  EXPECT_FALSE(plain.is_stream);
  EXPECT_EQ(plain.end, StreamEnd::kFinished);
  client.Send(GetRequest("/big?n=3000000"));
  client.ReadReply();
  EXPECT_GT(records.Take().bytes, 3000000u) << "also what the hub has written";
  client.Send("POST /echo HTTP/1.1\r\nHost: shop\r\nContent-Length: 99999999\r\n\r\n");
  EXPECT_EQ(client.ReadReply().status, 413);
  const AccessRecord refused = records.Take();
  EXPECT_EQ(refused.method, "POST");
  EXPECT_EQ(refused.path, "/echo");
  EXPECT_EQ(refused.status, 413);
}

TEST(AccessRecordTest, ReportsWhenAndHowAStreamEnded) {
  AccessRecords records;
  HttpServerOptions options;
  options.on_answered = records.Observer();
  TestServer server(options);
  RawClient finished(server.port());
  finished.Send(GetRequest("/sse?n=3&tag=a"));
  finished.ReadReply();
  const AccessRecord whole = records.Take();
  EXPECT_TRUE(whole.is_stream);
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(whole.end, StreamEnd::kFinished);
  EXPECT_GT(whole.bytes, Events("a", 3).size());
  EXPECT_GT(whole.seconds, 0);

  RawClient leaving(server.port());
  leaving.Send(GetRequest("/hold-sse"));
  const auto left = server.TakeSink();
  leaving.Reset();
  EXPECT_EQ(records.Take().end, StreamEnd::kPeerGone);

  RawClient late(server.port());
  late.Send(GetRequest("/hold-sse"));
  const auto cut = server.TakeSink();
  server.server().Drain(milliseconds(1));
  EXPECT_EQ(records.Take().end, StreamEnd::kShutdown);
}

}  // namespace
}  // namespace emptor::services
