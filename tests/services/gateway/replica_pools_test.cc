// Replicas that are found by name: who gets which place, and a fleet that changes under load.
#include "services/gateway/replica_pools.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "services/gateway/model_table.h"
#include "services/observability/log.h"
#include "tests/services/gateway/gateway_fixture.h"

namespace emptor::services {
namespace {

using testing::HttpReply;
using testing::StandInReplica;

using Seats = std::vector<std::pair<size_t, std::string>>;

TEST(PlanPoolTest, KeepsPlacesFreesThoseOfTheGoneAndSeatsTheNew) {
  // Nobody there yet; an address that is named twice gets one place.
  const PoolPlace free{"", true};
  PoolPlan plan = PlanPool(std::vector{free, free, free}, {"10.0.0.2", "10.0.0.1", "10.0.0.2"});
  EXPECT_EQ(plan.joining, (Seats{{0, "10.0.0.1"}, {1, "10.0.0.2"}}));
  EXPECT_TRUE(plan.leaving.empty());
  // One is gone; its place is not free before its requests have ended.
  plan = PlanPool(std::vector{PoolPlace{"10.0.0.1"}, PoolPlace{"10.0.0.2"}, PoolPlace{"", false}},
                  {"10.0.0.2", "10.0.0.3"});
  EXPECT_EQ(plan.leaving, (std::vector<size_t>{0}));
  EXPECT_TRUE(plan.joining.empty());
  EXPECT_EQ(plan.without_place, 1u);
  plan = PlanPool(std::vector{free, PoolPlace{"10.0.0.2"}, PoolPlace{"", false}},
                  {"10.0.0.2", "10.0.0.3"});
  EXPECT_EQ(plan.joining, (Seats{{0, "10.0.0.3"}}));
  EXPECT_EQ(plan.without_place, 0u);
}

TEST(ResolveHostTest, GivesAddressesOrSaysWhatIsWrong) {
  const auto own = ResolveHost("127.0.0.1");
  ASSERT_TRUE(own.ok()) << own.status();
  EXPECT_EQ(*own, (std::vector<std::string>{"127.0.0.1"}));
  const auto six = ResolveHost("::1");
  ASSERT_TRUE(six.ok()) << six.status();
  EXPECT_EQ(*six, (std::vector<std::string>{"[::1]"}));
  const auto none = ResolveHost("no name");
  EXPECT_EQ(none.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(none.status().message().find("no name: "), std::string::npos);
}

TEST(PoolWatcherTest, ANameWithoutAnAnswerDelaysNoOther) {
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  std::atomic<int> found{0};
  PoolWatcher watcher(
      {{.name = "slow", .host = "slow"}, {.name = "fast", .host = "fast"}}, milliseconds(1),
      [&](const std::string& host) -> absl::StatusOr<std::vector<std::string>> {
        if (host == "slow") released.wait();
        return std::vector<std::string>{"127.0.0.1"};
      },
      [&](size_t pool, const auto& addresses) {
        if (pool == 1 && addresses.ok()) ++found;
      });
  EXPECT_TRUE(Eventually([&] { return found >= 3; }));
  release.set_value();
  watcher.Stop();
  const int then = found;
  watcher.Stop();
  EXPECT_EQ(found, then);
}

TEST(ModelTableTest, WhoIsKnownToServeAModelIsAskedBeforeThoseWhoseListsHaveNotCome) {
  GatewayConfig config;
  config.replicas = {{.name = "a"}, {.name = "b"}, {.name = "c", .models = {"large"}}};
  ModelTable table(config);
  EXPECT_EQ(table.Serving("small"), 0b011u);
  EXPECT_EQ(table.Serving("large"), 0b100u);
  table.Set(0, {"small", "large"});
  EXPECT_EQ(table.Serving("small"), 0b001u);
  EXPECT_EQ(table.Serving("large"), 0b101u);
  EXPECT_EQ(table.Serving(""), 0b101u);
  table.Set(1, {});
  EXPECT_EQ(table.Serving("other"), 0u);
  table.Seat(0, true);
  EXPECT_EQ(table.Serving("other"), 0b001u);
  EXPECT_NE(table.ListJson(0b111).find("\"id\":\"large\""), std::string::npos);
  EXPECT_EQ(table.ListJson(0b011).find("large"), std::string::npos);
}

TEST(ModelTableTest, AFreePlaceOfAPoolMayServeAnythingOnlyUntilAListHasCome) {
  GatewayConfig config;
  config.replicas = {{.name = "p-0", .dns = "p"}, {.name = "p-1", .dns = "p"}};
  ModelTable table(config);
  EXPECT_EQ(table.Serving("other"), 0b11u);
  EXPECT_FALSE(table.Set(0, {"small"}));  // nobody is there
  table.Seat(0, true);
  EXPECT_EQ(table.Serving("other"), 0b11u);
  EXPECT_TRUE(table.Set(0, {"small"}));
  EXPECT_FALSE(table.Set(0, {"small"}));
  EXPECT_EQ(table.Serving("small"), 0b01u);
  EXPECT_EQ(table.Serving("other"), 0u);
  table.Seat(1, true);
  EXPECT_EQ(table.Serving("other"), 0b10u);  // its list may name it
  table.Seat(0, false);
  EXPECT_EQ(table.Serving("small"), 0b11u);
}

class PoolTest : public GatewayFixture {
 protected:
  /// A pool of all addresses of 127.0.0.0/8 that the test names, at one port.
  void StartPool() {
    replicas_.emplace_back("127.0.0.1", 0);
    replicas_.emplace_back("127.0.0.2", replicas_[0].port());
    replicas_.emplace_back("127.0.0.3", replicas_[0].port());
    auto config = ParseGatewayConfig(
        "replicas: [{name: p, dns: models.test, port: " + std::to_string(replicas_[0].port()) +
            ", most: 3}]\ndns: {interval_ms: 10}\nhealth: {interval_ms: 20}",
        "g.yaml");
    ASSERT_TRUE(config.ok()) << config.status();
    config_ = *std::move(config);
    Launch(0);
  }
  void Name(std::vector<std::string> addresses) {
    const std::lock_guard lock(mutex_);
    named_ = std::move(addresses);
  }
  absl::StatusOr<std::vector<std::string>> Resolve(const std::string& host) {
    const std::lock_guard lock(mutex_);
    if (host != "models.test" || named_.empty()) return absl::UnavailableError("no answer");
    return named_;
  }
  bool AreUp(int count) {
    return Eventually([&] {
      int up = 0;
      for (const char* place : {"p-0", "p-1", "p-2"}) {
        up += Metric("emptor_gateway_replica_state{replica=\"" + std::string(place) +
                     "\",state=\"up\"}") == 1;
      }
      return up == count;
    });
  }

  std::mutex mutex_;
  std::vector<std::string> named_;  // guarded by mutex_
};

TEST_F(PoolTest, ReplicasComeAndGoAndNoRequestIsLost) {
  resolve_ = [this](const std::string& host) { return Resolve(host); };
  StartPool();
  EXPECT_EQ(testing::Fetch(port_, "GET", "/health").status, 503);
  ASSERT_TRUE(Eventually([&] { return Metric("emptor_gateway_dns_failures_total") > 0; }));
  Name({"127.0.0.1"});
  ASSERT_TRUE(AreUp(1));
  // One replica is there and two places are free: none of them serves it.
  EXPECT_EQ(Ask(R"({"model":"other","messages":[]})").status, 404);
  for (StandInReplica& one : replicas_) one.SetTokens(6, milliseconds(3));
  std::atomic<bool> over{false};
  std::atomic<int> whole{0}, wrong{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&] {
      const std::string body = "{\"model\":\"counter\"," + kStream.substr(1);
      while (!over) ++(IsWhole(AskStream(body), 6) ? whole : wrong);
    });
  }
  // The third step leaves none of those that were there.
  const std::vector<std::vector<int>> steps = {{1, 2}, {1, 3}, {2}, {1, 2, 3}, {2}};
  for (const std::vector<int>& step : steps) {
    std::vector<std::string> addresses;
    for (const int last : step) addresses.push_back("127.0.0." + std::to_string(last));
    Name(addresses);
    for (const int last : step) {
      const StandInReplica& one = replicas_[static_cast<size_t>(last - 1)];
      const int then = one.requests();
      EXPECT_TRUE(Eventually([&] { return one.requests() > then; })) << last;
    }
  }
  EXPECT_TRUE(AreUp(1));
  // While the name has no answer, who is there stays.
  Name({});
  const double failures = Metric("emptor_gateway_dns_failures_total");
  EXPECT_TRUE(
      Eventually([&] { return Metric("emptor_gateway_dns_failures_total") >= failures + 3; }));
  EXPECT_TRUE(AreUp(1));
  over = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(whole, 0);
  // The host's name, and not the address, is what the replica is asked for.
  EXPECT_NE(replicas_[1].latest().find("Host: models.test:"), std::string::npos);
  // After it has left, a replica gets nothing.
  const int then = replicas_[0].requests();
  EXPECT_TRUE(IsWhole(AskStream(), 6));
  EXPECT_EQ(replicas_[0].requests(), then);
}

TEST_F(PoolTest, AWholeAnswerMovesFromAReplicaThatHasLeftAndIsNotWellAnyMore) {
  resolve_ = [this](const std::string& host) { return Resolve(host); };
  StartPool();
  Name({"127.0.0.1"});
  ASSERT_TRUE(AreUp(1));
  replicas_[0].Set(Mode::kSilent);
  HttpReply reply;
  std::thread client([&] { reply = Ask(); });
  EXPECT_TRUE(Eventually([&] { return replicas_[0].generating() == 1; }));
  Name({"127.0.0.2"});
  EXPECT_TRUE(AreUp(1));
  EXPECT_TRUE(Eventually(
      [&] { return Metric("emptor_gateway_replica_state{replica=\"p-1\",state=\"up\"}") == 1; }));
  EXPECT_EQ(replicas_[0].generating(), 1);  // while it is well there, it goes on
  const std::string state = "emptor_gateway_replica_state{replica=\"p-0\",state=";
  EXPECT_EQ(Metric(state + "\"left\""), 1);
  EXPECT_EQ(Metric(state + "\"up\""), 0);
  replicas_[0].SetPage("/v1/models", 500, "{}");
  client.join();
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(replicas_[1].requests(), 1);
  EXPECT_EQ(Metric("emptor_gateway_replica_outstanding{replica=\"p-0\""), -1);  // a free place
}

TEST_F(PoolTest, AddressesWithoutAPlaceAreLoggedWhenTheirNumberChanges) {
  std::atomic<int> resolved{0};
  resolve_ = [&](const std::string& host) {
    ++resolved;
    return Resolve(host);
  };
  StartPool();
  Name({"127.0.0.1", "127.0.0.2", "127.0.0.3"});
  ASSERT_TRUE(AreUp(3));
  ::testing::internal::CaptureStderr();
  SetLogLevel("warning");
  const auto resolve_twice = [&] {
    const int then = resolved;
    return Eventually([&] { return resolved > then + 2; });
  };
  EXPECT_TRUE(resolve_twice());
  Name({"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"});
  EXPECT_TRUE(resolve_twice());
  EXPECT_TRUE(AreUp(3));
  SetLogLevel("off");
  const std::string log = ::testing::internal::GetCapturedStderr();
  const size_t at = log.find("\"event\":\"dns_too_many\"");
  ASSERT_NE(at, std::string::npos) << log;
  EXPECT_NE(log.find("\"left_out\":1", at), std::string::npos) << log;
  EXPECT_EQ(log.find("dns_too_many", at + 20), std::string::npos) << log;
}

}  // namespace
}  // namespace emptor::services
