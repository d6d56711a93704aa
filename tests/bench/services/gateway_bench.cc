// What the gateway adds to a call, and what its balancing gains, over loopback to stand-in
// replicas.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "services/gateway/gateway_server.h"
#include "services/observability/log.h"
#include "tests/services/gateway/stand_in_replica.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HttpConnection;
using testing::SseEvent;
using testing::StandInReplica;

const std::string kStream = R"({"messages":[{"role":"user","content":"count"}],"stream":true})";
const std::string kRequest =
    "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: " +
    std::to_string(kStream.size()) + "\r\n\r\n" + kStream;

/// A gateway in front of so many replicas, which it has seen.
class Fleet {
 public:
  Fleet(size_t replicas, Balancing balancing) {
    SetLogLevel("off");
    GatewayConfig config;
    for (size_t i = 0; i < replicas; ++i) {
      config.replicas.push_back(
          {.name = "r" + std::to_string(i), .url = replicas_.emplace_back().url()});
    }
    config.groups = {{.name = "default"}};
    config.listen = config.admin_listen = "127.0.0.1:0";
    config.data_dir = data_.path();
    config.access_log = false;
    config.dispatch.pick.balancing = balancing;
    config.dispatch.pick.affinity = false;
    auto server = GatewayServer::Start(config);
    if (!server.ok()) std::abort();
    server_ = *std::move(server);
    const std::string& url = server_->url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
    const std::string all = "\"replicas\":" + std::to_string(replicas);
    while (testing::Fetch(port_, "GET", "/v1/models").body.find(all) == std::string::npos) {
      std::this_thread::sleep_for(milliseconds(2));
    }
  }

  int port() const { return port_; }
  StandInReplica& replica(size_t i) { return replicas_[i]; }

 private:
  const testing::TemporaryDirectory data_;
  std::deque<StandInReplica> replicas_;
  std::unique_ptr<GatewayServer> server_;
  int port_ = 0;
};

/// One stream over a connection that stays open. False: it is not whole.
bool ReadStream(HttpConnection& connection, int64_t words) {
  int64_t events = 0;
  if (!connection.Send(kRequest)) return false;
  connection.ReadReply(milliseconds(20000), [&](const SseEvent&) {
    ++events;
    return true;
  });
  return events == words + 3;  // the role, the end, [DONE]
}

/// Streams of some words: straight from the replica, or through the gateway.
void BM_Stream(benchmark::State& state, bool through_gateway) {
  Fleet fleet(1, Balancing::kLeastOutstanding);
  fleet.replica(0).SetTokens(static_cast<int>(state.range(0)), milliseconds(0));
  HttpConnection connection(through_gateway ? fleet.port() : fleet.replica(0).port());
  std::vector<double> times;
  for (auto _ : state) {
    const auto begun = steady_clock::now();
    if (!ReadStream(connection, state.range(0))) return state.SkipWithError("not whole");
    times.push_back(std::chrono::duration<double, std::micro>(steady_clock::now() - begun).count());
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = times[times.size() / 2];
  state.counters["p99_us"] = times[times.size() * 99 / 100];
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(BM_Stream, direct, false)->Arg(1)->Arg(800)->UseRealTime();
BENCHMARK_CAPTURE(BM_Stream, gateway, true)->Arg(1)->Arg(800)->UseRealTime();

/// Eight clients, three replicas, of which one is twenty times as slow: streams in a second.
void BM_UnequalReplicas(benchmark::State& state, Balancing balancing) {
  Fleet fleet(3, balancing);
  for (size_t i = 0; i < 3; ++i) fleet.replica(i).SetTokens(5, milliseconds(i == 0 ? 40 : 2));
  std::atomic<int64_t> answers{0};
  for (auto _ : state) {
    const auto end = steady_clock::now() + milliseconds(1000);
    std::vector<std::thread> clients;
    for (int c = 0; c < 8; ++c) {
      clients.emplace_back([&] {
        HttpConnection connection(fleet.port());
        while (steady_clock::now() < end) answers += ReadStream(connection, 5) ? 1 : 0;
      });
    }
    for (std::thread& client : clients) client.join();
  }
  state.SetItemsProcessed(answers);
}
BENCHMARK_CAPTURE(BM_UnequalReplicas, least_outstanding, Balancing::kLeastOutstanding)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_UnequalReplicas, round_robin, Balancing::kRoundRobin)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emptor::services
