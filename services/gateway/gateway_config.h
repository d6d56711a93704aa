// The settings of `emptor gateway serve`: one YAML file (docs/gateway.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/gateway/balancing/dispatcher.h"

namespace emptor::services {

/// One server with the OpenAI API: vLLM, TGI, llama.cpp, `emptor serve`, `emptor engine serve`.
struct ReplicaConfig {
  std::string name;
  std::string url = {};         // without /v1; empty where `dns` is given
  std::string dns = {};         // a host whose addresses are replicas, at `port` each
  std::string scheme = "http";  // of them
  int port = 0;
  int most = 8;                          // of them at once
  std::string zone = {};                 // empty: that of the gateway
  std::string group = "default";         // of the split by `groups`
  std::vector<std::string> models = {};  // empty: what its /v1/models lists
  std::string send_model = {};           // in place of the client's; empty: the client's
  double weight = 1;                     // relative speed
  int max_outstanding = 64;              // requests
  std::string api_key_env = {}, api_key_file = {};
  std::string ca_file = {};                // PEM; empty: the system's
  std::string health_path = "/v1/models";  // 200: it is well
  /// "gateway.yaml:4: replicas[0] (a)"; equal for all places of a pool. Empty: from no file.
  std::string origin = {};
};

/// Replicas that are found by name: they take places `first` and so on of GatewayConfig::replicas.
struct ReplicaPool {
  std::string name, host;
  size_t first = 0, count = 0;
};

struct GroupConfig {
  std::string name;
  double weight = 1;
};

struct GatewayConfig {
  std::string listen = "127.0.0.1:8070", admin_listen = "127.0.0.1:8071";
  std::string data_dir = "./var/gateway";  // of the keys
  bool insecure = false;
  std::vector<std::string> allowed_hosts;  // names by which clients may address the gateway
  std::string log_level = "info";
  bool access_log = true;
  int drain_ms = 30000;
  int http_threads = 2, max_streams = 2000;
  std::string zone;
  std::vector<ReplicaConfig> replicas;  // one for each place of a pool
  std::vector<ReplicaPool> pools;
  std::chrono::milliseconds dns_interval{5000};
  std::vector<GroupConfig> groups;  // those that replicas name and this does not: weight 1
  DispatchOptions dispatch;
  std::chrono::milliseconds queue_time{10000}, request_time{600000}, connect_time{1000};
  std::chrono::milliseconds first_token_time{30000}, token_gap_time{10000};  // of streams
  std::chrono::milliseconds probe_time{2000};
  size_t prefix_block_bytes = 256, max_prefix_blocks = 256;
};

/// Every mistake, kInvalidArgument: `gateway.yaml:7: replicas[0].weight: expected a number from
/// 0.01 to 1000, found "abc"`; an unknown name is answered with those that are allowed. Where there
/// is one, `config` is not to be used. Never throws.
std::vector<absl::Status> ReadGatewayConfig(std::string_view yaml, std::string_view name,
                                            GatewayConfig& config);
/// The same with the first mistake only.
absl::StatusOr<GatewayConfig> ParseGatewayConfig(std::string_view yaml, std::string_view name);
/// The text of the file. Errors: kNotFound.
absl::StatusOr<std::string> ReadGatewayFile(const std::string& path);

/// Weights of the groups, in the order of GroupOf; and the settings of each replica.
std::vector<double> GroupWeights(const GatewayConfig& config);
std::vector<ReplicaSetting> ReplicaSettings(const GatewayConfig& config);

}  // namespace emptor::services
