// Many at once: streams, idle connections, slow senders, sleeping readers, and no descriptor left.
// Delays and latencies are printed, not asserted: machines are shared. EMPTOR_SOAK=n lengthens.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/services/http/raw_client.h"
#include "tests/services/http/sse_fleet.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::Eventually;
using testing::GetRequest;
using testing::RawClient;
using testing::ResidentKib;
using testing::TestServer;

int SoakFactor() {
  const char* factor = std::getenv("EMPTOR_SOAK");
  return factor == nullptr ? 1 : std::max(1, std::atoi(factor));
}

/// That many MiB in KiB. What a sanitizer keeps of each byte is resident, too, and no cost of ours.
int64_t Mebibytes(int64_t count) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr int64_t kShadow = 8;
#else
  constexpr int64_t kShadow = 1;
#endif
  return count * 1024 * kShadow;
}

/// How many connections of this process's own, each of `descriptors`, the limit leaves room for.
int Fitting(int wanted, int descriptors) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  const auto room = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1000000));
  return std::min(wanted, (room - 200) / descriptors);
}

using Clients = std::vector<std::unique_ptr<RawClient>>;

Clients ConnectMany(int count, int port, int receive_buffer = 0) {
  Clients clients;
  for (int i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<RawClient>(port, receive_buffer));
  }
  return clients;
}

/// Sends `count` good requests one after the other. Gives how many were answered; prints how fast.
int AskInBetween(int port, int count, const char* load) {
  testing::DelayHistogram latency;
  int answered = 0;
  RawClient client(port);
  for (int i = 0; i < count; ++i) {
    const auto begun = steady_clock::now();
    client.Send(GetRequest("/hello"));
    answered += client.ReadReply().status == 200 ? 1 : 0;
    latency.Add((steady_clock::now() - begun).count());
  }
  std::printf("%d requests with %s: p50 %.1f ms, p99 %.1f ms\n", count, load, latency.Quantile(0.5),
              latency.Quantile(0.99));
  return answered;
}

/// Pushes an event to every sink at each tick; gives the KiB that memory grew after the first
/// tenth.
int64_t PushAll(const std::vector<std::shared_ptr<StreamSink>>& sinks, int ticks) {
  constexpr milliseconds kTick(50);
  const auto begun = steady_clock::now();
  int64_t settled = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    std::this_thread::sleep_until(begun + tick * kTick);  // the rate is the load
    if (tick == ticks / 10) settled = ResidentKib();
    for (const auto& sink : sinks) EXPECT_TRUE(sink->Push(testing::TimedEvent(tick)));
  }
  return ResidentKib() - settled;
}

// 500 streams at 20 events a second: for 3 s, or for half a minute times EMPTOR_SOAK.
TEST(LoadTest, FiveHundredStreamsGetEveryEventOnceAndInOrder) {
  constexpr int kStreams = 500, kEventsPerSecond = 20;
  const int ticks = (SoakFactor() == 1 ? 3 : 30 * SoakFactor()) * kEventsPerSecond;
  TestServer server;
  testing::SseFleet fleet(server.port(), kStreams, "/hold-sse");
  std::vector<std::shared_ptr<StreamSink>> sinks;
  for (int i = 0; i < kStreams; ++i) {
    sinks.push_back(server.TakeSink());
    ASSERT_NE(sinks.back(), nullptr) << i;
  }
  std::thread reader([&] { fleet.ReadToEnd(); });
  const int64_t grown = PushAll(sinks, ticks);
  for (const auto& sink : sinks) sink->Finish();
  reader.join();
  std::printf("%d streams x %d events: delay p50 %.1f ms, p99 %.1f ms; memory grew %lld KiB\n",
              kStreams, ticks, fleet.delays().Quantile(0.5), fleet.delays().Quantile(0.99),
              static_cast<long long>(grown));
  EXPECT_EQ(fleet.Whole(ticks), kStreams);
  EXPECT_EQ(fleet.delays().count(), static_cast<uint64_t>(kStreams) * static_cast<uint64_t>(ticks));
  EXPECT_LT(grown, Mebibytes(16)) << "what is queued for a stream is bounded";
}

TEST(LoadTest, FiveThousandIdleConnectionsCostLittleAndDelayNoOther) {
  HttpServerOptions options;
  options.idle_timeout = std::chrono::minutes(10);
  options.header_timeout = std::chrono::minutes(10);
  TestServer server(options);
  const int count = Fitting(5000, 3);
  const int64_t before = ResidentKib();
  Clients idle = ConnectMany(count, server.port());
  ASSERT_TRUE(Eventually([&] { return server.stats().connections == static_cast<size_t>(count); }));
  std::printf("%d idle connections: %lld KiB\n", count,
              static_cast<long long>(ResidentKib() - before));
  EXPECT_LT(ResidentKib() - before, Mebibytes(64));
  EXPECT_EQ(AskInBetween(server.port(), 200, "idle connections"), 200);
  for (size_t i = 0; i < idle.size(); i += 500) {
    idle[i]->Send(GetRequest("/hello"));
    EXPECT_EQ(idle[i]->ReadReply().status, 200) << "an idle connection is still good";
  }
  idle.clear();
  EXPECT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
}

// Half of them never end a head, half never a body: each is answered 408, others are not delayed.
TEST(LoadTest, SlowSendersDelayNoOtherAndAreAllAnswered) {
  HttpServerOptions options;
  options.header_timeout = milliseconds(1000);
  TestServer server(options);
  const int count = Fitting(200 * std::min(SoakFactor(), 10), 3);
  Clients slow = ConnectMany(count, server.port());
  for (size_t i = 0; i < slow.size(); ++i) {
    slow[i]->Send(i % 2 == 0 ? "GET /hello HTTP/1.1\r\nHost: sh"
                             : "POST /echo HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\nx");
  }
  EXPECT_EQ(AskInBetween(server.port(), 200, "slow senders"), 200);
  for (const auto& client : slow) {
    EXPECT_EQ(client->ReadReply().status, 408);
    EXPECT_TRUE(client->WaitForClose());
  }
  EXPECT_EQ(server.stats().refused, static_cast<uint64_t>(count));
}

TEST(LoadTest, SleepingReadersCostABoundedQueueEach) {
  HttpServerOptions options;
  options.max_stream_queue_bytes = 256 * 1024;
  TestServer server(options);
  const int count = 20 * std::min(SoakFactor(), 10);
  const int64_t before = ResidentKib();
  Clients sleepers = ConnectMany(count, server.port(), 4096);
  for (const auto& client : sleepers) client->Send(GetRequest("/sse?n=2000000&tag=sleeper"));
  EXPECT_TRUE(server.WaitForEnds(StreamEnd::kOverflow, count)) << "each is cut, none is waited for";
  EXPECT_EQ(AskInBetween(server.port(), 100, "sleeping readers"), 100);
  // A queue each and as much again for the rest of a stream, in addition to what any server takes.
  EXPECT_LT(ResidentKib() - before, Mebibytes(20 + count / 2));
}

// Lowers the limit so that some dozens of connections find a descriptor and hundreds do not.
TEST(LoadTest, FourHundredClientsWithoutDescriptorsAreAllRefusedAndServiceRecovers) {
  constexpr int kClients = 400, kDescriptorsLeft = 100;
  TestServer server;
  Clients clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(std::make_unique<RawClient>(0));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest_free = dup(0);
  close(lowest_free);
  const rlimit full{.rlim_cur = static_cast<rlim_t>(lowest_free + kDescriptorsLeft),
                    .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &full), 0);
  int answered = 0, closed = 0;
  for (const auto& client : clients) {
    if (!client->Connect(server.port()) || !client->Send(GetRequest("/hello"))) continue;
  }
  for (const auto& client : clients) {
    if (!client->connected()) {
      ++closed;
    } else if (client->ReadReply().status == 200) {
      ++answered;
    } else {
      closed += client->WaitForClose() ? 1 : 0;
    }
  }
  std::printf("%d descriptors: %d of %d answered, %d closed at once\n", kDescriptorsLeft, answered,
              kClients, closed);
  EXPECT_EQ(answered + closed, kClients) << "no client is left waiting";
  EXPECT_GE(answered, kDescriptorsLeft / 2 - 10);
  clients.clear();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(AskInBetween(server.port(), 20, "no load"), 20);
  EXPECT_TRUE(Eventually([&] { return server.stats().connections == 0; }));
}

}  // namespace
}  // namespace emptor::services
