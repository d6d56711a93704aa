// Replicas that fail in every way, at any moment.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "tests/services/gateway/gateway_fixture.h"

namespace emptor::services {
namespace {

using testing::HttpReply;
using testing::StandInReplica;

using GatewayFaultsTest = GatewayFixture;

const std::string kChunkedHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string Chunk(const std::string& bytes) {
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}

TEST_F(GatewayFaultsTest, WhatFailsBeforeTheFirstTextIsAnsweredByAnotherReplica) {
  config_.first_token_time = config_.token_gap_time = milliseconds(150);
  config_.request_time = milliseconds(2000);
  Start(2);
  const struct {
    const char* name;
    Mode mode;
    bool also_whole;  // without a stream, a silent replica is distinguished by probes alone
  } cases[] = {
      {"silent", Mode::kSilent, false},
      {"silent after the head", Mode::kHeadThenSilent, false},
      {"silent after the role", Mode::kRoleThenSilent, false},
      {"reset after the role", Mode::kRoleThenReset, true},
      {"500", Mode::kError500, true},
      {"busy", Mode::kBusy, true},
      {"an error as the answer", Mode::kErrorBody, true},
      {"garbage", Mode::kGarbage, true},
      {"reset within the body", Mode::kTokensThenReset, true},
      {"end within the body", Mode::kTokensThenClose, true},
  };
  for (const auto& each : cases) {
    const bool is_first_text =
        each.mode != Mode::kTokensThenReset && each.mode != Mode::kTokensThenClose;
    replicas_[0].Set(each.mode);
    const int before = replicas_[0].requests();
    for (int i = 0; i < 40 && replicas_[0].requests() == before; ++i) {
      const std::string user = ",\"user\":\"" + std::string(each.name) + std::to_string(i) + "\"}";
      if (is_first_text) {
        EXPECT_TRUE(IsWhole(AskStream(kStream.substr(0, kStream.size() - 1) + user))) << each.name;
      }
      if (each.also_whole) {
        const HttpReply reply = Ask(kBody.substr(0, kBody.size() - 1) + user);
        EXPECT_EQ(reply.status, 200) << each.name << reply.body;
      }
    }
    EXPECT_GT(replicas_[0].requests(), before) << each.name << ": was not tried";
    // Well again, and let in again.
    replicas_[0].Set(Mode::kWell);
    const int then = replicas_[0].requests();
    EXPECT_TRUE(Eventually([&] {
      EXPECT_TRUE(IsWhole(AskStream())) << each.name;
      return replicas_[0].requests() > then;
    })) << each.name
        << ": does not come back";
  }
}

TEST_F(GatewayFaultsTest, WhatFailsAfterTheFirstTextEndsWithAnErrorEvent) {
  config_.first_token_time = config_.token_gap_time = milliseconds(150);
  Start(1);
  const Mode modes[] = {Mode::kTokensThenSilent, Mode::kTokensThenReset, Mode::kTokensThenClose,
                        Mode::kTokensThenEnd,    Mode::kTokensThenDone,  Mode::kTokensThenError,
                        Mode::kTokensThenGarbage};
  for (const Mode mode : modes) {
    replicas_[0].Set(mode);
    const StreamReply reply = AskStream();
    EXPECT_EQ(reply.http.status, 200) << static_cast<int>(mode);
    EXPECT_EQ(reply.text, StandInReplica::TextOf(2)) << static_cast<int>(mode);
    EXPECT_NE(reply.error.find("replica_lost"), std::string::npos) << static_cast<int>(mode);
    if (mode == Mode::kTokensThenError) {  // what the replica says reaches the client
      EXPECT_NE(reply.error.find("out of memory"), std::string::npos) << reply.error;
    }
    EXPECT_FALSE(reply.done) << static_cast<int>(mode);
    EXPECT_TRUE(reply.http.complete) << static_cast<int>(mode);
  }
  EXPECT_TRUE(
      Eventually([&] { return Metric("emptor_gateway_requests_total{end=\"broken\"}") == 7; }));
}

TEST_F(GatewayFaultsTest, AnErrorOfTheClientAfterTheFirstTextIsAnErrorEventToo) {
  Start(1);
  const std::string text =
      "data: "
      "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n";
  int broken = 0;
  for (const char* mistake :
       {R"({"error":{"message":"context is full","code":400}})",
        R"({"error":{"message":"context is full","type":"BadRequestError"}})",
        R"({"error":{"message":"context is full","type":"invalid_request_error"}})"}) {
    replicas_[0].SetRaw(kChunkedHead +
                        Chunk(text + text + "data: " + std::string(mistake) + "\n\n"));
    const StreamReply reply = AskStream();
    EXPECT_EQ(reply.text, "aa") << mistake;
    EXPECT_NE(reply.error.find("context is full"), std::string::npos) << mistake << reply.error;
    EXPECT_FALSE(reply.done) << mistake;
    EXPECT_TRUE(reply.http.complete) << mistake;
    ++broken;
    EXPECT_TRUE(Eventually([&] {
      return Metric("emptor_gateway_requests_total{end=\"broken\"}") == broken;
    })) << mistake;
  }
  EXPECT_EQ(Metric("emptor_gateway_requests_total{end=\"answered\"}"), 0);
}

TEST_F(GatewayFaultsTest, AHedgeAnswersForASilentReplica) {
  config_.dispatch.hedge_after = milliseconds(50);
  config_.first_token_time = milliseconds(90000);  // longer than a client here waits
  Start(2);
  replicas_[0].Set(Mode::kSilent);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(IsWhole(AskStream()));
  }
  EXPECT_GT(replicas_[0].requests(), 0);
  EXPECT_TRUE(Eventually([&] { return replicas_[0].cut_off() == replicas_[0].requests(); }));
  EXPECT_GT(Metric("emptor_gateway_hedges_total"), 0);
  EXPECT_EQ(Metric("emptor_gateway_retries_total"), 0);
}

TEST_F(GatewayFaultsTest, AWholeAnswerThatTakesTooLongIsNotItsReplicasFault) {
  config_.first_token_time = milliseconds(50);
  config_.request_time = milliseconds(400);
  Start(1);
  replicas_[0].SetTokens(1, milliseconds(5000));
  const HttpReply reply = Ask();
  EXPECT_EQ(reply.status, 504);
  EXPECT_NE(reply.body.find("deadline_exceeded"), std::string::npos) << reply.body;
  EXPECT_EQ(Metric("emptor_gateway_replica_failures_total{kind=\"late\""), 1) << MetricsText();
}

TEST_F(GatewayFaultsTest, WithAllReplicasDownItSaysSoAtOnce) {
  Start(2);
  for (StandInReplica& one : replicas_) one.Die();
  ASSERT_TRUE(Eventually([&] { return Fetch(port_, "GET", "/health").status == 503; }));
  for (int i = 0; i < 20; ++i) {
    const HttpReply reply = Ask();
    EXPECT_EQ(reply.status, 503);  // 429: it has waited
    EXPECT_NE(reply.head.find("Retry-After: 1"), std::string::npos);
  }
  for (StandInReplica& one : replicas_) one.Revive();
  EXPECT_TRUE(Eventually([&] { return Ask().status == 200; }));
}

TEST_F(GatewayFaultsTest, AReplicaThatDiesAtAnyMomentCutsNoAnswerShortInSilence) {
  config_.dispatch.probe_interval = milliseconds(20);
  Start(3);
  for (StandInReplica& one : replicas_) one.SetTokens(8, milliseconds(3));
  std::mt19937 random(7);  // NOLINT: the same moments each time
  const char* text = std::getenv("EMPTOR_KILLS");
  const int kills = text == nullptr ? 40 : std::atoi(text);
  int whole = 0, marked = 0, wrong = 0, whole_plain = 0;
  for (int kill = 0; kill < kills; ++kill) {
    std::vector<StreamReply> streams(3);
    std::vector<HttpReply> plain(3);
    std::vector<std::thread> clients;
    for (size_t i = 0; i < 3; ++i) {
      const std::string user = ",\"user\":\"" + std::to_string(kill * 3 + int(i)) + "\"}";
      clients.emplace_back(
          [&, i, user] { streams[i] = AskStream(kStream.substr(0, kStream.size() - 1) + user); });
      clients.emplace_back(
          [&, i, user] { plain[i] = Ask(kBody.substr(0, kBody.size() - 1) + user); });
    }
    const auto victim = static_cast<size_t>(random() % 3);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 35000));
    replicas_[victim].Die();
    for (std::thread& client : clients) client.join();
    for (const StreamReply& reply : streams) {
      const bool is_marked = !reply.error.empty() && !reply.done &&
                             StandInReplica::TextOf(8).rfind(reply.text, 0) == 0;
      whole += IsWhole(reply, 8) ? 1 : 0;
      marked += is_marked ? 1 : 0;
      wrong += IsWhole(reply, 8) || is_marked ? 0 : 1;
    }
    for (const HttpReply& reply : plain) whole_plain += reply.status == 200 ? 1 : 0;
    replicas_[victim].Revive();
    ASSERT_TRUE(Eventually([&] {
      return Metric("emptor_gateway_replica_state{replica=\"r" + std::to_string(victim) +
                    "\",state=\"up\"}") == 1 ||
             Ask().status != 200;
    }));
  }
  std::printf(
      "%d kills: streams %d whole, %d ended by an error event, %d wrong; plain answers %d "
      "of %d\n",
      kills, whole, marked, wrong, whole_plain, 3 * kills);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(whole_plain, 3 * kills);
  EXPECT_GT(marked, 0);  // else the kills came too late to matter
}

TEST_F(GatewayFaultsTest, AHeadThatIsCutGoesToAnotherReplica) {
  Start(2);
  int tried = 0;
  for (const char* head : {"HTTP/1.1 200 OK\r\nContent-Ty", "HTTP/1.1 400 Bad\r\nContent-Le", "HT",
                           "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
                           "SSH-2.0-OpenSSH_9.2\r\n"}) {
    replicas_[0].SetRaw(head);
    const int before = replicas_[0].requests();
    for (int i = 0; i < 40 && replicas_[0].requests() == before; ++i) {
      const std::string user = ",\"user\":\"" + std::to_string(++tried) + "\"}";
      EXPECT_TRUE(IsWhole(AskStream(kStream.substr(0, kStream.size() - 1) + user))) << head;
      EXPECT_EQ(Ask(kBody.substr(0, kBody.size() - 1) + user).status, 200) << head;
    }
    EXPECT_GT(replicas_[0].requests(), before) << head;
    replicas_[0].Set(Mode::kWell);
    const int then = replicas_[0].requests();
    EXPECT_TRUE(Eventually([&] {
      EXPECT_TRUE(IsWhole(AskStream()));
      return replicas_[0].requests() > then;
    }));
  }
}

TEST_F(GatewayFaultsTest, AnAnswerThatLacksOnlyItsMarkAndIsCutGetsNoMarkOfTheEnd) {
  Start(1);
  const std::string events =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  replicas_[0].SetRaw(kChunkedHead + Chunk(events));  // no last chunk
  const StreamReply cut = AskStream();
  EXPECT_NE(cut.error.find("replica_lost"), std::string::npos);
  EXPECT_FALSE(cut.done);
  replicas_[0].SetRaw(kChunkedHead + Chunk(events) + "0\r\n\r\n");
  const StreamReply whole = AskStream();
  EXPECT_EQ(whole.error, "");
  EXPECT_TRUE(whole.done);
}

TEST_F(GatewayFaultsTest, WhatIsTooLargeIsRefusedAndItsReplicaIsNotBlamed) {
  config_.dispatch.breaker.failures_in_row = 1;
  Start(2);
  for (StandInReplica& one : replicas_) {
    one.SetRaw(kChunkedHead + Chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" +
                                    std::string(2 << 20, 'x') + "\"}}]}\n\n"));
  }
  for (int i = 0; i < 4; ++i) {
    const HttpReply reply = Ask(kStream);
    EXPECT_EQ(reply.status, 502);
    EXPECT_NE(reply.body.find("answer_too_large"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(replicas_[0].requests() + replicas_[1].requests(), 4);  // no other replica is asked
  for (const char* name : {"r0", "r1"}) {
    EXPECT_EQ(
        Metric("emptor_gateway_replica_ejections_total{replica=\"" + std::string(name) + "\"}"), 0);
  }
}

TEST_F(GatewayFaultsTest, AnEjectedReplicaReturnsThoughNothingMayBeRetried) {
  config_.dispatch.retries = {.per_success = 0, .at_start = 0, .most = 0};
  config_.dispatch.breaker.failures_in_row = 1;
  config_.dispatch.breaker.first_pause = config_.dispatch.breaker.longest_pause = milliseconds(50);
  Start(2);
  replicas_[0].Set(Mode::kError500);
  ASSERT_TRUE(Eventually([&] { return Ask().status == 502; }));
  replicas_[0].Set(Mode::kWell);
  const int then = replicas_[0].requests();
  EXPECT_TRUE(Eventually([&] {
    EXPECT_EQ(Ask().status, 200);
    return replicas_[0].requests() > then;
  }));
}

}  // namespace
}  // namespace emptor::services
