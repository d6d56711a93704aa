// How much of a request body the HTTP server takes, over real sockets.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/http/http_server.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using testing::Eventually;
using testing::GetRequest;
using testing::Post;
using testing::RawClient;
using testing::RawReply;
using testing::TestServer;

TEST(BodyLimitTest, ClosesWhenTooMuchIsSentAhead) {
  HttpServerOptions options;
  options.max_header_bytes = 1024;
  options.max_body_bytes = 1024;
  TestServer server(options);
  RawClient client(server.port());
  client.Send(GetRequest("/hold"));
  auto exchange = server.TakeExchange();
  ASSERT_NE(exchange, nullptr);
  for (int i = 0; i < 100; ++i) client.Send(GetRequest("/ahead"));
  RawClient other(server.port());  // both workers have read what was there
  other.Send(GetRequest("/hello"));
  EXPECT_EQ(other.ReadReply().status, 200);
  RawClient another(server.port());
  another.Send(GetRequest("/hello"));
  EXPECT_EQ(another.ReadReply().status, 200);
  exchange->Respond({.body = "first"});
  EXPECT_EQ(client.ReadReply().body, "first");
  EXPECT_TRUE(client.WaitForClose());
  EXPECT_EQ(server.handled(), 3u);
}

// Plain 0.0.5: the rest of an oversized body is parsed as a new request.
TEST(BodyLimitTest, NeverReadsTheRestOfARefusedBodyAsARequest) {
  HttpServerOptions options;
  options.max_body_bytes = 1000;
  TestServer server(options);
  RawClient client(server.port());
  client.Send(Post("Content-Length: 5000\r\n", std::string(4096, 'x') + GetRequest("/smuggled")));
  EXPECT_EQ(client.ReadReply().status, 413);
  EXPECT_TRUE(client.WaitForClose());
  EXPECT_EQ(server.handled(), 0u);
}

// Sanitizers keep freed memory, so that resident memory says nothing there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeepsFreedMemory = true;
#else
constexpr bool kKeepsFreedMemory = false;
#endif

/// Resident memory of this process.
size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(BodyLimitTest, TakesNoMoreOfABodyThanItsPathAllows) {
  HttpServerOptions options;
  options.max_body_bytes = 32u << 20;
  options.body_limit = [](std::string_view method, std::string_view path) {
    return method == "POST" && path == "/echo" ? size_t{64} << 10 : SIZE_MAX;
  };
  TestServer server(options);
  const std::string megabyte(1 << 20, 'x');
  const size_t before = ResidentBytes();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    RawClient& client = *clients.back();
    if (i % 2 == 0) {
      client.Send(Post("Content-Length: 33554432\r\n", megabyte));
    } else {
      client.Send(Post("Transfer-Encoding: chunked\r\n", "2000000\r\n" + megabyte));
    }
    const RawReply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 413);
    EXPECT_NE(reply.body.find("the body is larger than 65536 bytes"), std::string::npos);
  }
  if (!kKeepsFreedMemory) {
    EXPECT_LT(ResidentBytes(), before + (4u << 20));
  }
  RawClient whole(server.port());
  whole.Send("PUT /hello HTTP/1.1\r\nHost: shop\r\nContent-Length: 1048576\r\n\r\n" + megabyte);
  EXPECT_EQ(whole.ReadReply().status, 200) << "other requests have the limit of the server";
}

TEST(BodyLimitTest, UnfinishedBodiesShareABound) {
  HttpServerOptions options;
  options.max_body_bytes = 2u << 20;
  options.max_unfinished_bytes = 4u << 20;
  TestServer server(options);
  const std::string half(1 << 20, 'x');
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 16; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->Send(Post("Content-Length: 2097152\r\n", half));
  }
  ASSERT_TRUE(Eventually([&] { return server.stats().refused >= 8; }));
  EXPECT_LE(server.stats().unfinished_bytes, options.max_unfinished_bytes);
  int refused = 0, answered = 0;
  for (const auto& client : clients) {
    client->Send(half);
    const RawReply reply = client->ReadReply();
    answered += reply.status == 200;
    refused += reply.status == 503 && reply.Header("Retry-After") == "1";
  }
  // A client that goes on sending may be reset before it reads its refusal.
  EXPECT_GE(refused, 1);
  EXPECT_LE(answered, 8);
  EXPECT_GE(answered, 1) << "those within the bound";
  clients.clear();
  EXPECT_TRUE(Eventually([&] { return server.stats().unfinished_bytes == 0; }));
  RawClient late(server.port());
  late.Send(Post("Content-Length: 2097152\r\n", half + half));
  EXPECT_EQ(late.ReadReply().status, 200);
}

TEST(BodyLimitTest, UnfinishedHeadsShareTheBound) {
  HttpServerOptions options;
  options.max_unfinished_bytes = 256u << 10;
  TestServer server(options);
  std::string head = "POST /echo HTTP/1.1\r\nHost: shop\r\n";
  for (int i = 0; i < 50; ++i) {
    head += "X-Field-" + std::to_string(i) + ": " + std::string(200, 'v') + "\r\n";
  }
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 64; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->Send(head);
  }
  ASSERT_TRUE(Eventually([&] { return server.stats().refused >= 32; }));
  EXPECT_LE(server.stats().unfinished_bytes, options.max_unfinished_bytes);
  EXPECT_GT(server.stats().unfinished_bytes, 0u);
  // Small requests fit in what is left, or get a reason.
  clients.clear();
  EXPECT_TRUE(Eventually([&] { return server.stats().unfinished_bytes == 0; }));
  RawClient late(server.port());
  late.Send(head + "Content-Length: 2\r\n\r\nok");
  EXPECT_EQ(late.ReadReply().status, 200);
}

TEST(BodyLimitTest, ALargeBodyHasTimeAndATrickleHasNone) {
  HttpServerOptions options;
  options.max_body_bytes = 2u << 20;
  options.header_timeout = std::chrono::milliseconds(300);
  TestServer server(options);
  RawClient large(server.port()), trickle(server.port());
  const std::string half(1 << 20, 'x');  // 16 seconds at the slowest rate
  large.Send(Post("Content-Length: 2097152\r\n", half));
  trickle.Send(Post("Content-Length: 2097152\r\n", "x"));
  EXPECT_EQ(trickle.ReadReply().status, 408);
  large.Send(half);
  EXPECT_EQ(large.ReadReply().status, 200);
}

}  // namespace
}  // namespace emptor::services
