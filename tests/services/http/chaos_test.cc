// Clients that do everything wrong at once: a client that behaves gets all of its bytes and none of
// another's, and nothing is left behind.
#include <dirent.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/services/http/http_cases.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/http/test_server.h"

namespace emptor::services {
namespace {

using testing::Events;
using testing::GetRequest;
using testing::RawClient;
using testing::RawReply;
using testing::TestServer;

/// EMPTOR_SOAK=n makes the run n times as long.
int SoakFactor() {
  const char* factor = std::getenv("EMPTOR_SOAK");
  return factor == nullptr ? 1 : std::max(1, std::atoi(factor));
}

int OpenDescriptors() {
  DIR* folder = opendir("/proc/self/fd");
  int count = 0;
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// One badly behaved client after the other, from one seed.
class Vandal {
 public:
  Vandal(int port, unsigned seed) : port_(port), random_(seed), seed_(seed) {}

  void Run(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      tag_ = testing::Numbered("t", seed_) + testing::Numbered("r", i);
      static constexpr void (Vandal::*kActs[])() = {
          &Vandal::ReadWhole, &Vandal::ReadWhole,   &Vandal::LeaveMidStream, &Vandal::HalfClose,
          &Vandal::Pipeline,  &Vandal::SendPartial, &Vandal::SendBad,        &Vandal::ReadSlowly};
      (this->*kActs[random_() % std::size(kActs)])();
    }
  }
  int whole() const { return whole_; }

 private:
  std::string StreamRequest(int events) const {
    return GetRequest(testing::Numbered("/sse?n=", events) + "&tag=" + tag_);
  }
  int Count(int limit) { return 1 + static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  void ReadWhole() {
    const int events = Count(60);
    RawClient client(port_);
    for (int round = 0; round < 2; ++round) {
      client.Send(StreamRequest(events));
      EXPECT_EQ(client.ReadReply().body, Events(tag_, events)) << "seed " << seed_;
      ++whole_;
    }
  }
  /// What came before leaving must be the beginning of the own stream.
  void LeaveMidStream() {
    RawClient client(port_);
    client.Send(StreamRequest(200));
    client.ReadUntil(testing::Numbered(tag_ + "-", Count(10)));
    ExpectOnlyOwn(client.pending());
    if (random_() % 2 == 0) client.Reset();
  }
  void HalfClose() {
    RawClient client(port_);
    client.Send(StreamRequest(100));
    client.HalfClose();
    ExpectOnlyOwn(client.ReadToEnd());
  }
  void Pipeline() {
    const int events = Count(30);
    RawClient client(port_);
    client.Send(GetRequest("/" + tag_) + StreamRequest(events) + GetRequest("/late"));
    EXPECT_EQ(client.ReadReply().body, "hello /" + tag_);
    if (random_() % 3 == 0) return;
    EXPECT_EQ(client.ReadReply().body, Events(tag_, events));
    EXPECT_EQ(client.ReadReply().body, "late");
    ++whole_;
  }
  void SendPartial() {
    const std::string request =
        "POST /echo HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: "
        "chunked\r\n\r\n5\r\nhello\r\n0\r\n";
    RawClient client(port_);
    client.Send(request.substr(0, random_() % request.size()));
    if (random_() % 2 == 0) client.Reset();
  }
  void SendBad() {
    static const auto cases = testing::RefusedCases();
    const testing::RefusedCase& one = cases[random_() % cases.size()];
    RawClient client(port_);
    client.Send(one.bytes);
    EXPECT_EQ(client.ReadReply().status, one.status) << one.name;
  }
  void ReadSlowly() {
    RawClient client(port_, 4096);
    client.Send(GetRequest("/big?n=3000000"));
    if (random_() % 2 == 0) return;
    EXPECT_EQ(client.ReadReply().body, std::string(3000000, 'b'));
    ++whole_;
  }

  void ExpectOnlyOwn(const std::string& bytes) {
    for (size_t at = 0; (at = bytes.find("data: ", at)) != std::string::npos; ++at) {
      if (bytes.size() - at < 6 + tag_.size()) break;
      EXPECT_EQ(bytes.compare(at + 6, tag_.size(), tag_), 0) << "another client's bytes";
    }
  }

  const int port_;
  std::mt19937 random_;
  const unsigned seed_;
  std::string tag_;
  int whole_ = 0;
};

TEST(ChaosTest, NoClientGetsAnothersBytesAndNothingIsLeft) {
  constexpr int kClients = 6;
  const int rounds = 40 * SoakFactor();
  TestServer server;
  const int descriptors = OpenDescriptors();
  std::atomic<int> whole{0};
  std::vector<std::thread> clients;
  for (unsigned seed = 1; seed <= kClients; ++seed) {
    clients.emplace_back([&, seed] {
      Vandal vandal(server.port(), seed);
      vandal.Run(rounds);
      whole += vandal.whole();
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_GT(whole, rounds);
  EXPECT_TRUE(testing::Eventually([&] {
    const HttpServerStats stats = server.stats();
    return stats.connections == 0 && stats.active_streams == 0;
  })) << "every connection and every stream ends";
  EXPECT_EQ(server.server().Drain(testing::kPatience).cut, 0u) << "so every on_end has been called";
  const HttpServerStats stats = server.stats();
  EXPECT_EQ(server.Ends(StreamEnd::kFinished), static_cast<int>(stats.streams_finished));
  EXPECT_EQ(server.Ends(StreamEnd::kPeerGone), static_cast<int>(stats.streams_peer_gone));
  EXPECT_GT(stats.streams_peer_gone, 0u);
  EXPECT_TRUE(testing::Eventually([&] { return OpenDescriptors() == descriptors; }));
}

}  // namespace
}  // namespace emptor::services
