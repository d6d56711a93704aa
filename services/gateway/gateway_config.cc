// What the file may say, and what of it must fit together.
#include "services/gateway/gateway_config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <utility>

#include "services/gateway/config_reader.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxBytes = 256u << 10;
constexpr int kDayMs = 24 * 3600 * 1000;

ConfigReader::Members ReplicaMembers(ConfigReader& reader, ReplicaConfig& replica) {
  return {
      {"name", reader.Text(replica.name, false)},
      {"url", reader.Text(replica.url, false)},
      {"dns", reader.Text(replica.dns, false)},
      {"scheme", reader.OneOf({"http", "https"}, replica.scheme)},
      {"port", reader.Whole(1, 65535, replica.port)},
      {"most", reader.Whole(1, kMaxReplicas, replica.most)},
      {"zone", reader.Text(replica.zone)},
      {"group", reader.Text(replica.group, false)},
      {"models", reader.Texts(replica.models)},
      {"send_model", reader.Text(replica.send_model)},
      {"weight", reader.Number(0.01, 1000, replica.weight)},
      {"max_outstanding", reader.Whole(1, 100000, replica.max_outstanding)},
      {"api_key_env", reader.Text(replica.api_key_env)},
      {"api_key_file", reader.Text(replica.api_key_file)},
      {"ca_file", reader.Text(replica.ca_file)},
      {"health_path", reader.Text(replica.health_path, false)},
  };
}

bool IsName(const std::string& text) {
  return !text.empty() && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

bool IsHost(std::string_view host, std::string_view others) {
  return !host.empty() && std::all_of(host.begin(), host.end(), [&](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// "HOST", "HOST:PORT", "[ADDRESS]:PORT".
bool IsAuthority(std::string_view text) {
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos || !IsHost(text.substr(1, end - 1), ":.%")) return false;
    port = text.substr(end + 1);
  } else {
    const size_t colon = text.find(':');
    if (!IsHost(text.substr(0, colon), ".-_")) return false;
    port = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (port.empty()) return true;
  int number = 0;
  const char* end = port.data() + port.size();
  const auto read = std::from_chars(port.data() + 1, end, number);
  return port[0] == ':' && read.ec == std::errc() && read.ptr == end && number > 0 &&
         number <= 65535;
}

bool IsPath(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '?' && c != '#' && c != '@';
  });
}

bool IsUrl(std::string_view url) {
  const size_t begin = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  if (begin == 0) return false;
  const size_t slash = std::min(url.find('/', begin), url.size());
  return IsAuthority(url.substr(begin, slash - begin)) && IsPath(url.substr(slash)) &&
         !url.ends_with('/');
}

/// The address, or the name of several.
void CheckPlace(ConfigReader& reader, const YAML::Node& node, const std::string& where,
                ReplicaConfig& replica) {
  std::string& url = replica.url;
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with("/v1")) url.resize(url.size() - 3);
  if (replica.dns.empty()) {
    if (url.empty()) return reader.Fail(node, where, "url: missing");
    for (const char* name : {"port", "scheme"}) {
      if (!node[name].IsDefined()) continue;
      return reader.Fail(node, where,
                         std::string(name) + ": belongs to dns; that of a url stands in the url");
    }
    if (node["most"].IsDefined()) {
      return reader.Fail(node, where, "most: belongs to dns; a url is one replica");
    }
    if (IsUrl(url)) return;
    return reader.Fail(node, where,
                       "url: expected http://HOST:PORT, https://HOST or http://[IPV6]:PORT, found "
                       "\"" +
                           url.substr(0, 64) + "\"");
  }
  if (!url.empty()) return reader.Fail(node, where, "expected url or dns, found both");
  if (replica.port == 0) return reader.Fail(node, where, "port: missing, which dns needs");
  if (!IsHost(replica.dns, ".-_")) {
    reader.Fail(node, where,
                "dns: expected the name of a host, found \"" + replica.dns.substr(0, 64) + "\"");
  }
}

void CheckReplica(ConfigReader& reader, const YAML::Node& node, const std::string& where,
                  ReplicaConfig& replica) {
  if (replica.name.empty()) {
    reader.Fail(node, where, "name: missing");
  } else if (!IsName(replica.name)) {
    reader.Fail(node, where,
                "name: expected letters, digits, '-', '_' and '.', at most 64, found \"" +
                    replica.name.substr(0, 64) + "\"");
  }
  CheckPlace(reader, node, where, replica);
  if (!replica.health_path.starts_with('/') || !IsPath(replica.health_path)) {
    reader.Fail(node, where,
                "health_path: expected a path that begins with /, found \"" +
                    replica.health_path.substr(0, 64) + "\"");
  }
  if (!replica.api_key_env.empty() && !replica.api_key_file.empty()) {
    reader.Fail(node, where, "expected api_key_env or api_key_file, found both");
  }
}

void ReadReplicas(ConfigReader& reader, const YAML::Node& list, const std::string& where,
                  std::vector<ReplicaConfig>& replicas) {
  if (!list.IsSequence()) return reader.Expected(list, where, "a list of replicas");
  if (list.size() > kMaxReplicas) {
    return reader.Fail(
        list, where,
        fmt::format("expected at most {} replicas, found {}", kMaxReplicas, list.size()));
  }
  std::set<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", where, i);
    ReplicaConfig replica;
    const size_t before = reader.mistakes().size();
    reader.Map(list[i], place, ReplicaMembers(reader, replica));
    if (reader.mistakes().size() == before) CheckReplica(reader, list[i], place, replica);
    if (!replica.name.empty() && !names.insert(replica.name).second) {
      reader.Fail(list[i], place, "name: \"" + replica.name + "\" is there twice");
    }
    replica.origin = fmt::format("{} ({})", reader.Place(list[i], place), replica.name);
    replicas.push_back(std::move(replica));
  }
}

ConfigReader::Take InMap(ConfigReader& reader, ConfigReader::Members members) {
  return [&reader, members = std::move(members)](const YAML::Node& node, const std::string& where) {
    reader.Map(node, where, members);
  };
}

ConfigReader::Members BalancingMembers(ConfigReader& reader, GatewayConfig& config,
                                       std::string& method) {
  PickPolicy& pick = config.dispatch.pick;
  return {
      {"method", reader.OneOf({"least_outstanding", "round_robin"}, method)},
      {"choices",
       [&reader, &pick](const YAML::Node& node, const std::string& where) {
         std::string text;
         reader.OneOf({"all", "2"}, text)(node, where);
         pick.choices = text == "2" ? 2 : 0;
       }},
      {"affinity", reader.Flag(pick.affinity)},
      {"balance_bound", reader.Number(1, 100, pick.balance_bound)},
      {"zone_bound", reader.Number(1, 100, pick.zone_bound)},
      {"prefix_block_bytes", reader.Whole(16, 65536, config.prefix_block_bytes)},
      {"prefix_blocks", reader.Whole(1, 1 << 24, config.dispatch.prefix_blocks)},
  };
}

ConfigReader::Members BreakerMembers(ConfigReader& reader, BreakerPolicy& breaker) {
  return {
      {"failures_in_row", reader.Whole(1, 1000, breaker.failures_in_row)},
      {"failure_share", reader.Number(0.01, 1, breaker.failure_share)},
      {"window", reader.Whole(1, 100000, breaker.window)},
      {"first_pause_ms", reader.Time(1, breaker.first_pause)},
      {"longest_pause_ms", reader.Time(1, breaker.longest_pause)},
      {"max_ejected_share", reader.Number(0, 1, breaker.max_ejected_share)},
  };
}

ConfigReader::Members RetryMembers(ConfigReader& reader, DispatchOptions& dispatch) {
  return {
      {"attempts", reader.Whole(1, 10, dispatch.max_attempts)},
      {"per_success", reader.Number(0, 1, dispatch.retries.per_success)},
      {"at_start", reader.Number(0, 100000, dispatch.retries.at_start)},
      {"most", reader.Number(0, 100000, dispatch.retries.most)},
      {"hedge_after_ms", reader.Time(0, dispatch.hedge_after)},
  };
}

ConfigReader::Members LimitMembers(ConfigReader& reader, GatewayConfig& config) {
  return {
      {"waiting", reader.Whole(0, 100000, config.dispatch.max_waiting)},
      {"queue_ms", reader.Time(0, config.queue_time)},
      {"request_ms", reader.Time(1, config.request_time)},
      {"connect_ms", reader.Time(1, config.connect_time)},
      {"first_token_ms", reader.Time(1, config.first_token_time)},
      {"token_gap_ms", reader.Time(1, config.token_gap_time)},
      {"max_streams", reader.Whole(1, 100000, config.max_streams)},
  };
}

void ReadGroups(ConfigReader& reader, const YAML::Node& node, const std::string& where,
                std::vector<GroupConfig>& groups) {
  reader.EachMember(node, where, [&](const YAML::Node& key, const YAML::Node& value) {
    GroupConfig group{.name = key.Scalar()};
    reader.Number(0, 1e6, group.weight)(value, where + "." + group.name);
    groups.push_back(std::move(group));
    if (groups.size() > kMaxReplicas) reader.Fail(key, where, "too many groups");
  });
}

/// A split by a group that no replica is in would be another one than the file says.
void CheckGroups(ConfigReader& reader, const YAML::Node& node, const GatewayConfig& config) {
  if (!node.IsDefined()) return;
  std::set<std::string> used;
  for (const ReplicaConfig& replica : config.replicas) used.insert(replica.group);
  for (const auto& each : node) {
    if (used.contains(each.first.Scalar())) continue;
    reader.Fail(
        each.first, "groups." + each.first.Scalar().substr(0, 64),
        fmt::format("expected a group of a replica ({}), found none in it", fmt::join(used, ", ")));
  }
}

/// Settings that bound one another.
void CheckBounds(ConfigReader& reader, const YAML::Node& root, const DispatchOptions& dispatch) {
  const BreakerPolicy& breaker = dispatch.breaker;
  if (breaker.first_pause > breaker.longest_pause) {
    reader.Fail(root["breaker"], "breaker.first_pause_ms",
                fmt::format("expected at most longest_pause_ms ({}), found {}",
                            breaker.longest_pause.count(), breaker.first_pause.count()));
  }
  if (dispatch.retries.at_start > dispatch.retries.most) {
    reader.Fail(root["retries"], "retries.at_start",
                fmt::format("expected at most retries.most ({:g}), found {:g}",
                            dispatch.retries.most, dispatch.retries.at_start));
  }
}

/// Every group that a replica names has a weight.
void CompleteGroups(GatewayConfig& config) {
  for (const ReplicaConfig& replica : config.replicas) {
    const auto is_it = [&](const GroupConfig& group) { return group.name == replica.group; };
    if (std::none_of(config.groups.begin(), config.groups.end(), is_it)) {
      config.groups.push_back({.name = replica.group});
    }
  }
}

/// Each pool becomes its places: "name-0", "name-1" and so on.
void CompletePools(ConfigReader& reader, const YAML::Node& node, GatewayConfig& config) {
  std::vector<ReplicaConfig> places;
  std::set<std::string> names;
  for (const ReplicaConfig& replica : config.replicas) {
    const bool is_pool = !replica.dns.empty();
    const size_t count = is_pool ? static_cast<size_t>(replica.most) : 1;
    if (is_pool) config.pools.push_back({replica.name, replica.dns, places.size(), count});
    for (size_t i = 0; i < count; ++i) {
      ReplicaConfig place = replica;
      if (is_pool) {
        place.name = fmt::format("{}-{}", replica.name, i);
        place.url = fmt::format("{}://{}:{}", replica.scheme, replica.dns, replica.port);
      }
      if (!names.insert(place.name).second) {
        return reader.Fail(node, "replicas",
                           "name: \"" + place.name + "\" is there twice, once of a pool");
      }
      places.push_back(std::move(place));
    }
  }
  if (places.size() > kMaxReplicas) {
    return reader.Fail(node, "replicas",
                       fmt::format("expected at most {} places (one for a url, `most` for a dns), "
                                   "found {}",
                                   kMaxReplicas, places.size()));
  }
  config.replicas = std::move(places);
}

void ReadRoot(ConfigReader& reader, const YAML::Node& root, GatewayConfig& config) {
  std::string method;
  reader.Map(
      root, "",
      {{"listen", reader.Text(config.listen, false)},
       {"admin_listen", reader.Text(config.admin_listen, false)},
       {"data_dir", reader.Text(config.data_dir, false)},
       {"insecure", reader.Flag(config.insecure)},
       {"allowed_hosts", reader.Texts(config.allowed_hosts)},
       {"log_level", reader.OneOf({"info", "warning", "error", "off"}, config.log_level)},
       {"access_log", reader.Flag(config.access_log)},
       {"drain_ms", reader.Whole(0, kDayMs, config.drain_ms)},
       {"http_threads", reader.Whole(1, 64, config.http_threads)},
       {"zone", reader.Text(config.zone)},
       {"replicas",
        [&](const YAML::Node& node, const std::string& where) {
          ReadReplicas(reader, node, where, config.replicas);
        }},
       {"groups",
        [&](const YAML::Node& node, const std::string& where) {
          ReadGroups(reader, node, where, config.groups);
        }},
       {"balancing", InMap(reader, BalancingMembers(reader, config, method))},
       {"breaker", InMap(reader, BreakerMembers(reader, config.dispatch.breaker))},
       {"retries", InMap(reader, RetryMembers(reader, config.dispatch))},
       {"limits", InMap(reader, LimitMembers(reader, config))},
       {"dns", InMap(reader, {{"interval_ms", reader.Time(10, config.dns_interval)}})},
       {"health",
        InMap(reader, {{"interval_ms", reader.Time(10, config.dispatch.probe_interval)},
                       {"timeout_ms", reader.Time(10, config.probe_time)},
                       {"failures", reader.Whole(1, 100, config.dispatch.failed_probes)}})}});
  if (reader.mistakes().empty() && config.replicas.empty()) {
    reader.Fail(root, "replicas", "expected at least one");
  }
  if (method == "round_robin") config.dispatch.pick.balancing = Balancing::kRoundRobin;
  if (!reader.mistakes().empty()) return;  // what is wrong in itself fits nothing
  CheckGroups(reader, root["groups"], config);
  CheckBounds(reader, root, config.dispatch);
  CompletePools(reader, root["replicas"], config);
}

}  // namespace

std::vector<absl::Status> ReadGatewayConfig(std::string_view yaml, std::string_view name,
                                            GatewayConfig& config) {
  if (yaml.size() > kMaxBytes) {
    return {absl::InvalidArgumentError(fmt::format("{}: longer than {} bytes", name, kMaxBytes))};
  }
  ConfigReader reader(name);
  try {
    ReadRoot(reader, YAML::Load(std::string(yaml)), config);
  } catch (const YAML::Exception& error) {
    return {absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", name, std::max(1, error.mark.line + 1), error.msg))};
  }
  CompleteGroups(config);
  config.dispatch.group_weights = GroupWeights(config);
  return reader.mistakes();
}

absl::StatusOr<GatewayConfig> ParseGatewayConfig(std::string_view yaml, std::string_view name) {
  GatewayConfig config;
  const auto mistakes = ReadGatewayConfig(yaml, name, config);
  if (!mistakes.empty()) return mistakes.front();
  return config;
}

absl::StatusOr<std::string> ReadGatewayFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || !stream.is_open()) {
    return absl::NotFoundError(path + ": cannot be read: is the path right, and may it be read?");
  }
  text.resize(static_cast<size_t>(stream.gcount()));
  return text;
}

std::vector<double> GroupWeights(const GatewayConfig& config) {
  std::vector<double> weights;
  for (const GroupConfig& group : config.groups) weights.push_back(group.weight);
  return weights;
}

std::vector<ReplicaSetting> ReplicaSettings(const GatewayConfig& config) {
  std::vector<ReplicaSetting> settings;
  for (const ReplicaConfig& replica : config.replicas) {
    const auto group =
        std::find_if(config.groups.begin(), config.groups.end(),
                     [&](const GroupConfig& one) { return one.name == replica.group; });
    settings.push_back({.capacity = replica.weight,
                        .group = static_cast<int>(group - config.groups.begin()),
                        .same_zone = replica.zone.empty() || replica.zone == config.zone,
                        .max_outstanding = replica.max_outstanding,
                        .present = replica.dns.empty()});
  }
  return settings;
}

}  // namespace emptor::services
