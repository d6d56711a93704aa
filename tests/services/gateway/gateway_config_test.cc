// The gateway's file: what it says, and what is said of its mistakes.
#include "services/gateway/gateway_config.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(GatewayConfigTest, ReadsAllThatItNames) {
  const auto config = ParseGatewayConfig(R"(
listen: 0.0.0.0:80
zone: eu-1
replicas:
  - {name: a, url: "http://127.0.0.1:8001/v1/", weight: 2, zone: eu-1}
  - name: b
    url: https://models.example.com/prefix
    group: canary
    zone: eu-2
    models: [small, large]
    send_model: large
    max_outstanding: 8
    api_key_env: KEY
groups: {default: 95, canary: 5}
balancing: {method: round_robin, choices: 2, affinity: false, balance_bound: 1.5}
breaker: {failures_in_row: 5, first_pause_ms: 200}
retries: {attempts: 2, hedge_after_ms: 300}
limits: {waiting: 10, queue_ms: 50, first_token_ms: 700}
health: {interval_ms: 100, failures: 3}
)",
                                         "g.yaml");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->replicas[0].url, "http://127.0.0.1:8001");
  EXPECT_EQ(config->replicas[1].url, "https://models.example.com/prefix");
  EXPECT_EQ(config->replicas[1].models, (std::vector<std::string>{"small", "large"}));
  EXPECT_EQ(config->dispatch.pick.balancing, Balancing::kRoundRobin);
  EXPECT_EQ(config->dispatch.pick.choices, 2);
  EXPECT_FALSE(config->dispatch.pick.affinity);
  EXPECT_EQ(config->dispatch.breaker.failures_in_row, 5);
  EXPECT_EQ(config->dispatch.max_attempts, 2);
  EXPECT_EQ(config->dispatch.hedge_after, std::chrono::milliseconds(300));
  EXPECT_EQ(config->dispatch.max_waiting, 10u);
  EXPECT_EQ(config->first_token_time, std::chrono::milliseconds(700));
  EXPECT_EQ(config->dispatch.failed_probes, 3);
  const auto settings = ReplicaSettings(*config);
  EXPECT_EQ(settings[0].capacity, 2);
  EXPECT_EQ(settings[0].group, 0);
  EXPECT_TRUE(settings[0].same_zone);
  EXPECT_EQ(settings[1].group, 1);
  EXPECT_FALSE(settings[1].same_zone);
  EXPECT_EQ(settings[1].max_outstanding, 8);
  EXPECT_EQ(config->dispatch.group_weights, (std::vector<double>{95, 5}));
}

TEST(GatewayConfigTest, SaysWhereAMistakeIsAndWhatIsAllowed) {
  const std::string one = "replicas: [{name: a, url: 'http://a'}]\n";
  const struct {
    std::string yaml;
    const char* message;
  } cases[] = {
      {"", "g.yaml:1: expected names with values, found nothing"},
      {"replicas: []", "g.yaml:1: replicas: expected at least one"},
      {"listen: x", "g.yaml:1: replicas: expected at least one"},
      {one + "speed: 3", "g.yaml:2: there is no \"speed\"; allowed: listen, admin_listen"},
      {one + one, "g.yaml:2: \"replicas\" is there twice"},
      {"replicas:\n  - {name: a, url: 'http://a', weight: abc}",
       "g.yaml:2: replicas[0].weight: expected a number from 0.01 to 1000, found \"abc\""},
      {"replicas:\n  - {name: a, url: 'http://a', weight: nan}", "expected a number from 0.01"},
      {"replicas:\n  - {name: a, url: 'http://a', speed: 1}",
       "g.yaml:2: replicas[0]: there is no \"speed\"; allowed: name, url"},
      {"replicas:\n  - {name: a, url: 'http://a', port: 1}",
       "g.yaml:2: replicas[0]: port: belongs to dns; that of a url stands in the url"},
      {"replicas:\n  - {name: a, url: 'http://a', scheme: https}",
       "g.yaml:2: replicas[0]: scheme: belongs to dns; that of a url stands in the url"},
      {"replicas:\n  - {name: a, url: 'http://a', most: 8}",
       "g.yaml:2: replicas[0]: most: belongs to dns; a url is one replica"},
      {"replicas:\n  - {url: 'http://a'}", "g.yaml:2: replicas[0]: name: missing"},
      {"replicas:\n  - {name: a}", "g.yaml:2: replicas[0]: url: missing"},
      {"replicas:\n  - {name: a, url: 'ftp://a'}", "url: expected http://HOST:PORT"},
      {"replicas:\n  - {name: a, url: 'http://u:p@a'}", "url: expected http://HOST:PORT"},
      {"replicas:\n  - {name: a b, url: 'http://a'}", "name: expected letters"},
      {"replicas:\n- {name: a, url: 'http://a'}\n- {name: a, url: 'http://b'}",
       "g.yaml:3: replicas[1]: name: \"a\" is there twice"},
      {one + "balancing: {method: random}",
       "g.yaml:2: balancing.method: expected one of least_outstanding, round_robin"},
      {one + "limits:\n  queue_ms: [1]",
       "g.yaml:3: limits.queue_ms: expected a whole number from 0 to 86400000, found a list"},
      {one + "groups: {default: -1}", "g.yaml:2: groups.default: expected a number from 0"},
      {one + "insecure: maybe", "g.yaml:2: insecure: expected true or false, found \"maybe\""},
      {one + "groups: {canari: 5}",
       "g.yaml:2: groups.canari: expected a group of a replica (default), found none in it"},
      {one + "breaker: {first_pause_ms: 9000}",
       "g.yaml:2: breaker.first_pause_ms: expected at most longest_pause_ms (4000), found 9000"},
      {one + "retries: {at_start: 300}",
       "g.yaml:2: retries.at_start: expected at most retries.most (200), found 300"},
      {"replicas:\n- {name: a, url: 'http://a', api_key_env: A, api_key_file: b}",
       "g.yaml:2: replicas[0]: expected api_key_env or api_key_file, found both"},
      {"replicas:\n- {name: a, url: 'http://a', health_path: health}",
       "g.yaml:2: replicas[0]: health_path: expected a path that begins with /, found \"health\""},
      {"replicas:\n- {name: a, url: 'http://a', dns: b, port: 1}",
       "g.yaml:2: replicas[0]: expected url or dns, found both"},
      {"replicas:\n- {name: a, dns: b}", "g.yaml:2: replicas[0]: port: missing, which dns needs"},
      {"replicas:\n- {name: a, dns: 'b:1', port: 1}",
       "g.yaml:2: replicas[0]: dns: expected the name of a host, found \"b:1\""},
      {"replicas:\n- {name: a, dns: b, port: 1, most: 60}\n- {name: c, dns: d, port: 1}",
       "g.yaml:2: replicas: expected at most 64 places (one for a url, `most` for a dns), found "
       "68"},
      {"replicas:\n- {name: a, dns: b, port: 1}\n- {name: a-1, url: 'http://a'}",
       "g.yaml:2: replicas: name: \"a-1\" is there twice, once of a pool"},
      {one + "allowed_hosts: models", "g.yaml:2: allowed_hosts: expected a list of texts"},
      {"a: [", "g.yaml:"},
  };
  for (const auto& each : cases) {
    const auto config = ParseGatewayConfig(each.yaml, "g.yaml");
    ASSERT_FALSE(config.ok()) << each.yaml;
    EXPECT_NE(std::string(config.status().message()).find(each.message), std::string::npos)
        << each.yaml << "\n"
        << config.status();
  }
  EXPECT_EQ(ReadGatewayFile("/nowhere.yaml").status().code(), absl::StatusCode::kNotFound);
}

TEST(GatewayConfigTest, ReportsEveryMistakeInTheOrderOfTheFile) {
  GatewayConfig config;
  const auto mistakes = ReadGatewayConfig(R"(speed: 3
replicas:
  - {name: a, url: 'http://a', weight: fast, ports: 1}
  - {name: b c, url: 'a:1'}
limits: {waiting: many}
)",
                                          "g.yaml", config);
  std::string all;
  for (const absl::Status& one : mistakes) all += std::string(one.message()) + "\n";
  size_t at = 0;
  for (const char* want :
       {"g.yaml:1: there is no \"speed\"", "g.yaml:3: replicas[0].weight: expected a number",
        "g.yaml:3: replicas[0]: there is no \"ports\"", "g.yaml:4: replicas[1]: name: expected",
        "g.yaml:4: replicas[1]: url: expected", "g.yaml:5: limits.waiting: expected a whole"}) {
    const size_t found = all.find(want, at);
    ASSERT_NE(found, std::string::npos) << want << "\n" << all;
    at = found;
  }
  EXPECT_EQ(mistakes.size(), 6u) << all;
}

TEST(GatewayConfigTest, AHostWithSeveralAddressesIsAPoolOfPlaces) {
  const auto config = ParseGatewayConfig(R"(
dns: {interval_ms: 2000}
replicas:
  - {name: a, url: "http://10.0.0.1:8000"}
  - {name: pool, dns: models.internal, port: 8443, scheme: https, most: 3, weight: 2}
)",
                                         "g.yaml");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->dns_interval, std::chrono::milliseconds(2000));
  ASSERT_EQ(config->replicas.size(), 4u);
  EXPECT_EQ(config->replicas[1].name, "pool-0");
  EXPECT_EQ(config->replicas[3].name, "pool-2");
  EXPECT_EQ(config->replicas[3].url, "https://models.internal:8443");
  ASSERT_EQ(config->pools.size(), 1u);
  EXPECT_EQ(config->pools[0].first, 1u);
  EXPECT_EQ(config->pools[0].count, 3u);
  const auto settings = ReplicaSettings(*config);
  EXPECT_TRUE(settings[0].present);
  EXPECT_FALSE(settings[1].present);
  EXPECT_EQ(settings[1].capacity, 2);
}

TEST(GatewayConfigTest, TakesUrlsThatAreOnes) {
  const auto status_of = [](const std::string& url) {
    return ParseGatewayConfig("replicas:\n  - {name: a, url: \"" + url + "\"}", "g.yaml").status();
  };
  for (const char* good :
       {"http://10.0.0.1:8000", "http://[::1]:8000", "http://[fe80::1%25eth0]",
        "https://models.example.com/prefix", "http://host_1", "http://a:65535/v1"}) {
    EXPECT_TRUE(status_of(good).ok()) << status_of(good);
  }
  for (const char* bad :
       {"http://", "http://:80", "http://::1:8000", "http://a:0", "http://a:65536", "http://a:http",
        "http://a:80x", "http://[::1", "http://[::1]x:1", "http://[]:1", "http://a b",
        "http://a/b?c", "a:8000", "unix:/run/a"}) {
    EXPECT_NE(status_of(bad).message().find("url: expected http://HOST:PORT"), std::string::npos)
        << bad << status_of(bad);
  }
}

}  // namespace
}  // namespace emptor::services
