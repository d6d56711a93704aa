// The gateway over real sockets, in front of stand-in replicas that fail in every way.
#include "services/gateway/gateway_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "catalog/encoding/json.h"
#include "services/auth/key_store.h"
#include "services/observability/log.h"
#include "tests/services/gateway/stand_in_replica.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using emptor::testing::Fetch;
using emptor::testing::FetchWithKey;
using emptor::testing::HttpConnection;
using emptor::testing::HttpReply;
using emptor::testing::SseEvent;
using emptor::testing::StandInReplica;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Mode = StandInReplica::Mode;

const std::string kBody = R"({"messages":[{"role":"user","content":"count"}]})";
const std::string kStream = R"({"messages":[{"role":"user","content":"count"}],"stream":true})";

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

/// One answer of a stream, taken apart.
struct StreamReply {
  HttpReply http;
  std::string text, error;
  bool done = false, finished = false;
};

template <typename Condition>
bool Eventually(Condition condition, milliseconds patience = milliseconds(5000)) {
  const auto end = steady_clock::now() + patience;
  while (steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return condition();
}

class GatewayServerTest : public ::testing::Test {
 protected:
  void Start(size_t replicas) {
    for (size_t i = 0; i < replicas; ++i) {
      replicas_.emplace_back();
      ReplicaConfig replica{.name = "r" + std::to_string(i), .url = replicas_.back().url()};
      replica.max_outstanding = max_outstanding_;
      replica.api_key_file = api_key_file_;
      replica.send_model = send_model_;
      config_.replicas.push_back(replica);
    }
    config_.groups = {{.name = "default"}};
    config_.listen = config_.admin_listen = "127.0.0.1:0";
    config_.data_dir = data_.path();
    config_.access_log = false;
    if (config_.dispatch.probe_interval == milliseconds(1000)) {
      config_.dispatch.probe_interval = milliseconds(100);
    }
    config_.probe_time = milliseconds(300);
    SetLogLevel("off");
    auto server = GatewayServer::Start(config_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    port_ = PortOf(server_->url());
    const std::string all = "\"replicas\":" + std::to_string(replicas) + "}";
    ASSERT_TRUE(Eventually(
        [&] { return Fetch(port_, "GET", "/v1/models").body.find(all) != std::string::npos; }));
    EXPECT_EQ(Fetch(port_, "GET", "/health").status, 200);
  }
  HttpReply Ask(const std::string& body = kBody) const {
    return Fetch(port_, "POST", "/v1/chat/completions", body);
  }
  StreamReply AskStream(const std::string& body = kStream) const {
    return AskStreamAt(port_, body);
  }
  static StreamReply AskStreamAt(int port, const std::string& body) {
    StreamReply reply;
    reply.http = Fetch(port, "POST", "/v1/chat/completions", body, [&](const SseEvent& event) {
      if (event.data == "[DONE]") {
        reply.done = true;
        return true;
      }
      const auto json = catalog::ParseJson(event.data);
      if (!json.ok()) return true;
      if (json->Find("error") != nullptr) reply.error = event.data;
      const catalog::JsonValue* choices = json->Find("choices");
      if (choices == nullptr || choices->as_array().empty()) return true;
      const catalog::JsonValue& choice = choices->as_array()[0];
      const catalog::JsonValue* content = choice.Find("delta")->Find("content");
      if (content != nullptr) reply.text += content->as_string();
      reply.finished = reply.finished || choice.Find("finish_reason")->is_string();
      return true;
    });
    return reply;
  }
  static bool IsWhole(const StreamReply& reply, int words = 5) {
    return reply.http.status == 200 && reply.done && reply.finished && reply.error.empty() &&
           reply.text == StandInReplica::TextOf(words);
  }
  /// Sum over the labels; -1: there is no such metric.
  double Metric(const std::string& name) const {
    const std::string text = "\n" + FetchWithKey(PortOf(server_->admin_url()),
                                                 ReadOwnKey(data_.path()), "GET", "/metrics")
                                        .body;
    const size_t at = text.find("\n" + name);
    return at == std::string::npos ? -1 : std::stod(text.substr(text.find("} ", at) + 2));
  }

  const emptor::testing::TemporaryDirectory data_;
  std::deque<StandInReplica> replicas_;
  GatewayConfig config_;
  int max_outstanding_ = 64;
  std::string api_key_file_, send_model_;
  std::unique_ptr<GatewayServer> server_;
  int port_ = 0;
};

TEST_F(GatewayServerTest, AnswersWholeAndAsAStream) {
  Start(2);
  const HttpReply reply = Ask();
  EXPECT_EQ(reply.status, 200);
  EXPECT_NE(reply.body.find(StandInReplica::TextOf(5)), std::string::npos) << reply.body;
  EXPECT_NE(reply.head.find("X-Emptor-Replica: r"), std::string::npos) << reply.head;
  EXPECT_TRUE(IsWhole(AskStream()));
  EXPECT_NE(Fetch(port_, "GET", "/v1/models").body.find("\"counter\""), std::string::npos);
  EXPECT_EQ(Ask(R"({"model":"counter","messages":[]})").status, 200);
  EXPECT_EQ(Ask(R"({"model":"other","messages":[]})").status, 404);
  EXPECT_EQ(Ask("{").status, 400);
  EXPECT_TRUE(
      Eventually([&] { return Metric("emptor_gateway_requests_total{end=\"answered\"}") == 3; }));
}

TEST_F(GatewayServerTest, WhatFailsBeforeTheFirstTextIsAnsweredByAnotherReplica) {
  config_.first_token_time = config_.token_gap_time = milliseconds(150);
  config_.request_time = milliseconds(2000);
  Start(2);
  const struct {
    const char* name;
    Mode mode;
    bool also_whole;  // without a stream, a silent replica is told from a slow one by probes alone
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

TEST_F(GatewayServerTest, WhatFailsAfterTheFirstTextEndsWithAnErrorEvent) {
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
    EXPECT_FALSE(reply.done) << static_cast<int>(mode);
    EXPECT_TRUE(reply.http.complete) << static_cast<int>(mode);
  }
  EXPECT_TRUE(
      Eventually([&] { return Metric("emptor_gateway_requests_total{end=\"broken\"}") == 7; }));
}

TEST_F(GatewayServerTest, ARefusalOfTheRequestGoesToTheClientAsItIs) {
  Start(2);
  for (StandInReplica& one : replicas_) one.Set(Mode::kRefusesRequest);
  for (const std::string& body : {kBody, kStream}) {
    const HttpReply reply = Ask(body);
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("too hot"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(replicas_[0].requests() + replicas_[1].requests(), 2);
}

TEST_F(GatewayServerTest, AReplicaGetsItsOwnKeyAndModelAndNotTheClientsKey) {
  api_key_file_ = data_.path() + "/replica.key";
  std::ofstream(api_key_file_) << "replica-secret\n";
  send_model_ = "large";
  Start(1);
  const std::string key = ReadOwnKey(data_.path());
  EXPECT_EQ(FetchWithKey(port_, key, "POST", "/v1/chat/completions", kBody).status, 200);
  const std::string request = replicas_[0].latest();
  EXPECT_NE(request.find("Authorization: Bearer replica-secret"), std::string::npos) << request;
  EXPECT_EQ(request.find(key), std::string::npos);
  EXPECT_NE(request.find("{\"model\":\"large\",\"messages\":["), std::string::npos) << request;
}

TEST_F(GatewayServerTest, AHedgeAnswersForASilentReplica) {
  config_.dispatch.hedge_after = milliseconds(50);
  Start(2);
  replicas_[0].Set(Mode::kSilent);
  for (int i = 0; i < 4; ++i) {
    const auto begun = steady_clock::now();
    EXPECT_TRUE(IsWhole(AskStream()));
    EXPECT_LT(steady_clock::now() - begun, milliseconds(3000));
  }
  EXPECT_GT(replicas_[0].requests(), 0);
  EXPECT_TRUE(Eventually([&] { return replicas_[0].cut_off() == replicas_[0].requests(); }));
}

TEST_F(GatewayServerTest, AConversationStaysAtItsReplica) {
  Start(3);
  std::string said(1000, 'a');
  std::set<std::string> replicas;
  for (int turn = 0; turn < 6; ++turn) {
    said += "and then " + std::to_string(turn) + std::string(300, 'b');
    const HttpReply reply = Ask(R"({"messages":[{"role":"user","content":")" + said + "\"}]}");
    const size_t at = reply.head.find("X-Emptor-Replica: ");
    ASSERT_NE(at, std::string::npos);
    replicas.insert(reply.head.substr(at + 18, 2));
  }
  EXPECT_EQ(replicas.size(), 1u);
}

/// Requests that were answered in a second and a half, one replica of three being slow.
class BalancingTest : public GatewayServerTest {
 protected:
  int AnswersWith(Balancing balancing) {
    config_.dispatch.pick.balancing = balancing;
    config_.dispatch.pick.affinity = false;
    Start(3);
    for (StandInReplica& one : replicas_) one.SetTokens(5, milliseconds(2));
    replicas_[0].SetTokens(5, milliseconds(40));
    std::atomic<int> answers{0};
    const auto end = steady_clock::now() + milliseconds(1500);
    std::vector<std::thread> clients;
    for (int c = 0; c < 8; ++c) {
      clients.emplace_back([&] {
        while (steady_clock::now() < end) answers += IsWhole(AskStream()) ? 1 : 0;
      });
    }
    for (std::thread& client : clients) client.join();
    server_->Stop();
    config_.replicas.clear();
    replicas_.clear();
    return answers;
  }
};

TEST_F(BalancingTest, LeastOutstandingAnswersMoreThanRoundRobin) {
  const int turns = AnswersWith(Balancing::kRoundRobin);
  const int least = AnswersWith(Balancing::kLeastOutstanding);
  std::printf(
      "8 clients, 3 replicas of which one is 20 times as slow: %d answers by round robin, "
      "%d by least outstanding\n",
      turns, least);
  EXPECT_GT(least, turns * 3 / 2);
}

TEST_F(GatewayServerTest, AnAnswerThatComesAtOnceIsPassedOnWhole) {
  Start(1);
  replicas_[0].SetTokens(5000, milliseconds(0));
  for (int i = 0; i < 5; ++i) {
    const StreamReply reply = AskStream();
    EXPECT_TRUE(IsWhole(reply, 5000))
        << reply.text.size() << " " << reply.error << reply.http.complete;
  }
}

TEST_F(GatewayServerTest, AClientThatReadsLateGetsAllAndItsReplicaIsNotBlamed) {
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

TEST_F(GatewayServerTest, AClientThatLeavesStopsItsReplica) {
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
    const auto left = steady_clock::now();
    EXPECT_TRUE(Eventually([&] { return replicas_[0].cut_off() > before; }));
    EXPECT_LT(steady_clock::now() - left, milliseconds(1000));
  }
  EXPECT_TRUE(Eventually([&] { return Metric("emptor_gateway_open_requests") <= 0; }));
}

TEST_F(GatewayServerTest, ShedsWithRetryAfterAndServesWhoWaits) {
  config_.dispatch.max_waiting = 1;
  max_outstanding_ = 1;
  Start(1);
  replicas_[0].SetTokens(10, milliseconds(50));
  std::thread first([&] { EXPECT_TRUE(IsWhole(AskStream(), 10)); });
  ASSERT_TRUE(Eventually([&] { return replicas_[0].generating() == 1; }));
  std::thread second([&] { EXPECT_TRUE(IsWhole(AskStream(), 10)); });
  ASSERT_TRUE(Eventually([&] {
    return FetchWithKey(PortOf(server_->admin_url()), ReadOwnKey(data_.path()), "GET", "/metrics")
               .body.find("emptor_gateway_waiting 1") != std::string::npos;
  }));
  const HttpReply shed = Ask();
  EXPECT_EQ(shed.status, 429);
  EXPECT_NE(shed.head.find("Retry-After: 1"), std::string::npos) << shed.head;
  EXPECT_NE(shed.body.find("overloaded"), std::string::npos) << shed.body;
  first.join();
  second.join();
}

TEST_F(GatewayServerTest, WithAllReplicasDownItSaysSoAtOnce) {
  Start(2);
  for (StandInReplica& one : replicas_) one.Die();
  ASSERT_TRUE(Eventually([&] { return Fetch(port_, "GET", "/health").status == 503; }));
  for (int i = 0; i < 20; ++i) {
    const auto begun = steady_clock::now();
    const HttpReply reply = Ask();
    EXPECT_EQ(reply.status, 503);
    EXPECT_NE(reply.head.find("Retry-After: 1"), std::string::npos);
    EXPECT_LT(steady_clock::now() - begun, milliseconds(300));
  }
  for (StandInReplica& one : replicas_) one.Revive();
  EXPECT_TRUE(Eventually([&] { return Ask().status == 200; }));
}

TEST_F(GatewayServerTest, ADrainLetsStreamsEnd) {
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

TEST_F(GatewayServerTest, AReplicaThatDiesAtAnyMomentCutsNoAnswerShortInSilence) {
  config_.dispatch.probe_interval = milliseconds(20);
  Start(3);
  for (StandInReplica& one : replicas_) one.SetTokens(8, milliseconds(3));
  std::mt19937 random(7);  // NOLINT: the same moments each time
  const char* text = std::getenv("EMPTOR_KILLS");
  const int kills = text == nullptr ? 40 : std::atoi(text);
  int whole = 0, marked = 0, wrong = 0, whole_plain = 0;
  milliseconds slowest{0};
  for (int kill = 0; kill < kills; ++kill) {
    std::vector<StreamReply> streams(3);
    std::vector<HttpReply> plain(3);
    std::vector<std::thread> clients;
    for (size_t i = 0; i < 3; ++i) {
      const std::string user = ",\"user\":\"" + std::to_string(kill * 3 + int(i)) + "\"}";
      clients.emplace_back(
          [&, i, user] { streams[i] = AskStream(kStream.substr(0, kStream.size() - 1) + user); });
      clients.emplace_back([&, i, user] {
        const auto begun = steady_clock::now();
        plain[i] = Ask(kBody.substr(0, kBody.size() - 1) + user);
        const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun);
        if (i == 0) slowest = std::max(slowest, took);
      });
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
      "of %d, the slowest %ld ms\n",
      kills, whole, marked, wrong, whole_plain, 3 * kills, long(slowest.count()));
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(whole_plain, 3 * kills);
  EXPECT_GT(marked, 0);  // else the kills came too late to matter
}

/// Milliseconds of streams of `words` over one connection that stays open, sorted.
void TimeStreams(const std::vector<int>& ports, size_t calls, int words,
                 std::vector<std::vector<double>>& times) {
  const std::string request =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(kStream.size()) + "\r\n\r\n" + kStream;
  std::deque<HttpConnection> connections;
  for (const int port : ports) connections.emplace_back(port);
  times.assign(ports.size(), {});
  for (size_t i = 0; i < calls; ++i) {
    for (size_t p = 0; p < ports.size(); ++p) {
      int events = 0;
      const auto begun = steady_clock::now();
      EXPECT_TRUE(connections[p].Send(request));
      connections[p].ReadReply(milliseconds(10000), [&](const SseEvent&) {
        ++events;
        return true;
      });
      times[p].push_back(
          std::chrono::duration<double, std::milli>(steady_clock::now() - begun).count());
      EXPECT_EQ(events, words + 3);  // role, end, [DONE]
    }
  }
  for (auto& one : times) std::sort(one.begin(), one.end());
}

double At(const std::vector<double>& sorted, double quantile) {
  return sorted[static_cast<size_t>(quantile * double(sorted.size() - 1))];
}

TEST_F(GatewayServerTest, AddsLittleToADirectCall) {
  Start(1);
  const char* text = std::getenv("EMPTOR_CALLS");
  const auto calls = static_cast<size_t>(text == nullptr ? 200 : std::atoi(text));
  std::vector<std::vector<double>> times;
  replicas_[0].SetTokens(1, milliseconds(0));
  TimeStreams({replicas_[0].port(), port_}, calls, 1, times);
  const double added = At(times[1], 0.5) - At(times[0], 0.5);
  std::printf(
      "%zu streams of one word, ms: direct p50 %.3f p99 %.3f; through the gateway p50 %.3f "
      "p99 %.3f; added p50 %.3f p99 %.3f\n",
      calls, At(times[0], 0.5), At(times[0], 0.99), At(times[1], 0.5), At(times[1], 0.99), added,
      At(times[1], 0.99) - At(times[0], 0.99));
  EXPECT_LT(added, 5);
  replicas_[0].SetTokens(800, milliseconds(0));
  TimeStreams({replicas_[0].port(), port_}, calls / 10, 800, times);
  std::printf("streams of 800 words: added %.1f us a word at p50\n",
              (At(times[1], 0.5) - At(times[0], 0.5)) * 1000 / 800);
}

}  // namespace
}  // namespace emptor::services
