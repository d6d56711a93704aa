// The gateway's process in front of stand-in replicas, over real sockets.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>

#include "services/gateway/gateway_server.h"
#include "tests/services/gateway/stand_in_replica.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::services {

inline const std::string kBody = R"({"messages":[{"role":"user","content":"count"}]})";
inline const std::string kStream =
    R"({"messages":[{"role":"user","content":"count"}],"stream":true})";

int PortOf(const std::string& url);

/// One answer of a stream, taken apart.
struct StreamReply {
  testing::HttpReply http;
  std::string text, error;
  bool done = false, finished = false;
};

/// Waits until the condition holds. False: it does not in time.
template <typename Condition>
bool Eventually(Condition condition,
                std::chrono::milliseconds patience = std::chrono::milliseconds(20000)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return condition();
}

class GatewayFixture : public ::testing::Test {
 protected:
  using Mode = testing::StandInReplica::Mode;
  using milliseconds = std::chrono::milliseconds;

  /// Replicas r0, r1, ... and a gateway that has seen all of them. Those that are there already
  /// are the first.
  void Start(size_t replicas);
  /// The same without waiting for the replicas.
  void Launch(size_t replicas);
  testing::HttpReply Ask(const std::string& body = kBody) const;
  StreamReply AskStream(const std::string& body = kStream) const;
  static StreamReply AskStreamAt(int port, const std::string& body);
  static bool IsWhole(const StreamReply& reply, int words = 5);
  /// GET /metrics of the admin port.
  std::string MetricsText() const;
  /// The first value of the metric, with its labels or without; -1: there is no such metric.
  double Metric(const std::string& name) const;

  const testing::TemporaryDirectory data_;
  std::deque<testing::StandInReplica> replicas_;
  GatewayConfig config_;
  ReplicaConfig of_each_;  // but for name and url
  HostResolver resolve_ = ResolveHost;
  std::unique_ptr<GatewayServer> server_;
  int port_ = 0;
};

}  // namespace emptor::services
