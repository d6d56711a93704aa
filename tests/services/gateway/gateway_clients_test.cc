// Clients that wait, read late, leave; and the end of the process.
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/gateway/gateway_fixture.h"

namespace emptor::services {
namespace {

using testing::Fetch;
using testing::HttpConnection;
using testing::HttpReply;
using testing::SseEvent;

using GatewayClientsTest = GatewayFixture;

TEST_F(GatewayClientsTest, AClientThatReadsLateGetsAllAndItsReplicaIsNotBlamed) {
  config_.first_token_time = config_.token_gap_time = milliseconds(150);
  Start(1);
  constexpr int kWords = 60000;  // more than all sockets hold
  replicas_[0].SetTokens(kWords, milliseconds(0));
  HttpConnection connection(port_);
  connection.SendRequest("POST", "/v1/chat/completions", kStream);
  std::this_thread::sleep_for(milliseconds(700));
  EXPECT_EQ(replicas_[0].generating(), 1);  // it waits as well
  int events = 0;
  const HttpReply reply = connection.ReadReply(milliseconds(20000), [&](const SseEvent&) {
    ++events;
    return true;
  });
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(events, kWords + 3);
}

TEST_F(GatewayClientsTest, AClientThatLeavesStopsItsReplica) {
  Start(1);
  replicas_[0].SetTokens(1000, milliseconds(20));
  for (const bool is_stream : {true, false}) {
    const int before = replicas_[0].cut_off();
    HttpConnection connection(port_);
    connection.SendRequest("POST", "/v1/chat/completions", is_stream ? kStream : kBody);
    ASSERT_TRUE(Eventually([&] { return replicas_[0].generating() == 1; }));
    if (is_stream) {
      int events = 0;
      connection.ReadReply(milliseconds(5000), [&](const SseEvent&) { return ++events < 3; });
    }
    connection.Reset();
    EXPECT_TRUE(Eventually([&] { return replicas_[0].cut_off() > before; }));
  }
  EXPECT_TRUE(Eventually([&] { return Metric("emptor_gateway_open_requests") <= 0; }));
}

TEST_F(GatewayClientsTest, ShedsWithRetryAfterAndServesWhoWaits) {
  config_.dispatch.max_waiting = 1;
  of_each_.max_outstanding = 1;
  Start(1);
  replicas_[0].SetTokens(10, milliseconds(50));
  std::thread first([&] { EXPECT_TRUE(IsWhole(AskStream(), 10)); });
  ASSERT_TRUE(Eventually([&] { return replicas_[0].generating() == 1; }));
  std::thread second([&] { EXPECT_TRUE(IsWhole(AskStream(), 10)); });
  ASSERT_TRUE(Eventually(
      [&] { return MetricsText().find("emptor_gateway_waiting 1") != std::string::npos; }));
  const HttpReply shed = Ask();
  EXPECT_EQ(shed.status, 429);
  EXPECT_NE(shed.head.find("Retry-After: 1"), std::string::npos) << shed.head;
  EXPECT_NE(shed.body.find("overloaded"), std::string::npos) << shed.body;
  first.join();
  second.join();
}

TEST_F(GatewayClientsTest, ADrainLetsStreamsEnd) {
  Start(1);
  replicas_[0].SetTokens(20, milliseconds(20));
  StreamReply reply;
  std::thread client([&] { reply = AskStream(); });
  ASSERT_TRUE(Eventually([&] { return replicas_[0].generating() == 1; }));
  std::thread stop([&] { server_->Stop(); });
  std::this_thread::sleep_for(milliseconds(50));
  const HttpReply late = Ask();
  EXPECT_TRUE(late.status == 503 || late.status == 0) << late.status;
  stop.join();
  client.join();
  EXPECT_TRUE(IsWhole(reply, 20)) << reply.text << reply.error;
}

}  // namespace
}  // namespace emptor::services
