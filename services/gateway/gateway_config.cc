// Reads the file strictly: the first mistake is kept, with its line.
#include "services/gateway/gateway_config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <utility>

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMaxBytes = 256u << 10;
constexpr size_t kMaxText = 1024;
constexpr int kDayMs = 24 * 3600 * 1000;

/// Thread-safety: one thread. After the first mistake nothing more is read.
class Reader {
 public:
  using Take = std::function<void(const YAML::Node& value, const std::string& where)>;
  using Members = std::vector<std::pair<std::string_view, Take>>;

  explicit Reader(std::string_view file) : file_(file) {}
  const absl::Status& status() const { return status_; }

  void Fail(const YAML::Node& node, const std::string& where, const std::string& what) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(fmt::format("{}:{}: {}{}{}", file_,
                                                     std::max(1, node.Mark().line + 1), where,
                                                     where.empty() ? "" : ": ", what));
  }

  /// Calls what is given for each name.
  void Map(const YAML::Node& node, const std::string& where, const Members& members) {
    EachMember(node, where, [&](const YAML::Node& key, const YAML::Node& value) {
      const std::string path = where.empty() ? key.Scalar() : where + "." + key.Scalar();
      for (const auto& [name, take] : members) {
        if (name == key.Scalar()) return take(value, path);
      }
      std::vector<std::string_view> names;
      for (const auto& member : members) names.push_back(member.first);
      Fail(key, where,
           fmt::format("there is no \"{}\"; allowed: {}", Cut(key.Scalar()),
                       fmt::join(names, ", ")));
    });
  }

  /// Members of any name.
  void EachMember(const YAML::Node& node, const std::string& where,
                  const std::function<void(const YAML::Node&, const YAML::Node&)>& take) {
    if (!node.IsMap()) return Expected(node, where, "names with values");
    std::set<std::string> seen;
    for (const auto& each : node) {
      if (!status_.ok()) return;
      if (!each.first.IsScalar()) return Fail(each.first, where, "expected a name");
      if (!seen.insert(each.first.Scalar()).second) {
        return Fail(each.first, where, "\"" + Cut(each.first.Scalar()) + "\" is there twice");
      }
      take(each.first, each.second);
    }
  }

  Take Text(std::string& out, bool may_be_empty = true) {
    return [this, &out, may_be_empty](const YAML::Node& node, const std::string& where) {
      if (!node.IsScalar()) return Expected(node, where, "a text");
      if (node.Scalar().size() > kMaxText) return Fail(node, where, "is too long");
      if (node.Scalar().empty() && !may_be_empty) return Fail(node, where, "must not be empty");
      out = node.Scalar();
    };
  }
  Take OneOf(std::vector<std::string> values, std::string& out) {
    return [this, values = std::move(values), &out](const YAML::Node& node,
                                                    const std::string& where) {
      const bool is_one =
          node.IsScalar() && std::find(values.begin(), values.end(), node.Scalar()) != values.end();
      if (!is_one) return Expected(node, where, fmt::format("one of {}", fmt::join(values, ", ")));
      out = node.Scalar();
    };
  }
  Take Number(double low, double high, double& out) {
    return [this, low, high, &out](const YAML::Node& node, const std::string& where) {
      double value = 0;
      const std::string text = node.IsScalar() ? node.Scalar() : "";
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || !(value >= low) ||
          !(value <= high)) {
        return Expected(node, where, fmt::format("a number from {:g} to {:g}", low, high));
      }
      out = value;
    };
  }
  template <typename Integer>
  Take Whole(int low, int high, Integer& out) {
    return [this, low, high, &out](const YAML::Node& node, const std::string& where) {
      int value = 0;
      const std::string text = node.IsScalar() ? node.Scalar() : "";
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
        return Expected(node, where, fmt::format("a whole number from {} to {}", low, high));
      }
      out = static_cast<Integer>(value);
    };
  }
  Take Time(int low_ms, milliseconds& out) {
    return [this, low_ms, &out](const YAML::Node& node, const std::string& where) {
      int64_t value = out.count();
      Whole(low_ms, kDayMs, value)(node, where);
      out = milliseconds(value);
    };
  }
  Take Flag(bool& out) {
    return [this, &out](const YAML::Node& node, const std::string& where) {
      const std::string text = node.IsScalar() ? node.Scalar() : "";
      if (text != "true" && text != "false") return Expected(node, where, "true or false");
      out = text == "true";
    };
  }
  Take Texts(std::vector<std::string>& out) {
    return [this, &out](const YAML::Node& node, const std::string& where) {
      if (!node.IsSequence() || node.size() > 64) return Expected(node, where, "a list of texts");
      for (const YAML::Node& each : node) Text(out.emplace_back(), false)(each, where);
    };
  }

  void Expected(const YAML::Node& node, const std::string& where, const std::string& kind) {
    const char* other = node.IsMap() ? "names with values" : node.IsNull() ? "nothing" : "a list";
    const std::string found = node.IsScalar() ? "\"" + Cut(node.Scalar()) + "\"" : other;
    Fail(node, where, "expected " + kind + ", found " + found);
  }

 private:
  static std::string Cut(const std::string& text) { return text.substr(0, 64); }

  const std::string_view file_;
  absl::Status status_;
};

Reader::Members ReplicaMembers(Reader& reader, ReplicaConfig& replica) {
  return {
      {"name", reader.Text(replica.name, false)},
      {"url", reader.Text(replica.url, false)},
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

void CheckReplica(Reader& reader, const YAML::Node& node, const std::string& where,
                  ReplicaConfig& replica) {
  if (replica.name.empty()) return reader.Fail(node, where, "name: missing");
  if (!IsName(replica.name)) {
    return reader.Fail(node, where, "name: expected letters, digits, '-', '_' and '.', at most 64");
  }
  std::string& url = replica.url;
  if (url.empty()) return reader.Fail(node, where, "url: missing");
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with("/v1")) url.resize(url.size() - 3);
  const bool is_http = url.starts_with("http://") || url.starts_with("https://");
  const bool is_plain = std::all_of(url.begin(), url.end(), [](unsigned char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '?' && c != '#' && c != '@';
  });
  if (!is_http || !is_plain || url.ends_with('/')) {
    return reader.Fail(
        node, where,
        "url: expected http://HOST:PORT or https://HOST, found \"" + url.substr(0, 64) + "\"");
  }
  if (!replica.health_path.starts_with('/')) {
    reader.Fail(node, where, "health_path: expected a path that begins with /");
  }
}

void ReadReplicas(Reader& reader, const YAML::Node& list, const std::string& where,
                  std::vector<ReplicaConfig>& replicas) {
  if (!list.IsSequence()) return reader.Expected(list, where, "a list of replicas");
  if (list.size() > kMaxReplicas) {
    return reader.Fail(list, where, fmt::format("at most {} replicas", kMaxReplicas));
  }
  std::set<std::string> names;
  for (size_t i = 0; i < list.size() && reader.status().ok(); ++i) {
    const std::string place = fmt::format("{}[{}]", where, i);
    ReplicaConfig replica;
    reader.Map(list[i], place, ReplicaMembers(reader, replica));
    if (reader.status().ok()) CheckReplica(reader, list[i], place, replica);
    if (!names.insert(replica.name).second) {
      reader.Fail(list[i], place, "name: \"" + replica.name + "\" is there twice");
    }
    replicas.push_back(std::move(replica));
  }
}

Reader::Take InMap(Reader& reader, Reader::Members members) {
  return [&reader, members = std::move(members)](const YAML::Node& node, const std::string& where) {
    reader.Map(node, where, members);
  };
}

Reader::Members BalancingMembers(Reader& reader, GatewayConfig& config, std::string& method) {
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

Reader::Members BreakerMembers(Reader& reader, BreakerPolicy& breaker) {
  return {
      {"failures_in_row", reader.Whole(1, 1000, breaker.failures_in_row)},
      {"failure_share", reader.Number(0.01, 1, breaker.failure_share)},
      {"window", reader.Whole(1, 100000, breaker.window)},
      {"first_pause_ms", reader.Time(1, breaker.first_pause)},
      {"longest_pause_ms", reader.Time(1, breaker.longest_pause)},
      {"max_ejected_share", reader.Number(0, 1, breaker.max_ejected_share)},
  };
}

Reader::Members RetryMembers(Reader& reader, DispatchOptions& dispatch) {
  return {
      {"attempts", reader.Whole(1, 10, dispatch.max_attempts)},
      {"per_success", reader.Number(0, 1, dispatch.retries.per_success)},
      {"at_start", reader.Number(0, 100000, dispatch.retries.at_start)},
      {"most", reader.Number(0, 100000, dispatch.retries.most)},
      {"hedge_after_ms", reader.Time(0, dispatch.hedge_after)},
  };
}

Reader::Members LimitMembers(Reader& reader, GatewayConfig& config) {
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

void ReadGroups(Reader& reader, const YAML::Node& node, const std::string& where,
                std::vector<GroupConfig>& groups) {
  reader.EachMember(node, where, [&](const YAML::Node& key, const YAML::Node& value) {
    GroupConfig group{.name = key.Scalar()};
    reader.Number(0, 1e6, group.weight)(value, where + "." + group.name);
    groups.push_back(std::move(group));
    if (groups.size() > kMaxReplicas) reader.Fail(key, where, "too many groups");
  });
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

absl::Status ReadRoot(const YAML::Node& root, std::string_view name, GatewayConfig& config) {
  Reader reader(name);
  std::string method;
  reader.Map(
      root, "",
      {{"listen", reader.Text(config.listen, false)},
       {"admin_listen", reader.Text(config.admin_listen, false)},
       {"data_dir", reader.Text(config.data_dir, false)},
       {"insecure", reader.Flag(config.insecure)},
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
       {"health",
        InMap(reader, {{"interval_ms", reader.Time(10, config.dispatch.probe_interval)},
                       {"timeout_ms", reader.Time(10, config.probe_time)},
                       {"failures", reader.Whole(1, 100, config.dispatch.failed_probes)}})}});
  if (reader.status().ok() && config.replicas.empty()) {
    reader.Fail(root, "replicas", "expected at least one");
  }
  if (method == "round_robin") config.dispatch.pick.balancing = Balancing::kRoundRobin;
  return reader.status();
}

}  // namespace

absl::StatusOr<GatewayConfig> ParseGatewayConfig(std::string_view yaml, std::string_view name) {
  if (yaml.size() > kMaxBytes) {
    return absl::InvalidArgumentError(fmt::format("{}: longer than {} bytes", name, kMaxBytes));
  }
  GatewayConfig config;
  try {
    const absl::Status status = ReadRoot(YAML::Load(std::string(yaml)), name, config);
    if (!status.ok()) return status;
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", name, std::max(1, error.mark.line + 1), error.msg));
  }
  CompleteGroups(config);
  config.dispatch.group_weights = GroupWeights(config);
  return config;
}

absl::StatusOr<GatewayConfig> LoadGatewayConfig(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || !stream.is_open()) return absl::NotFoundError(path + ": cannot be read");
  text.resize(static_cast<size_t>(stream.gcount()));
  return ParseGatewayConfig(text, path);
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
                        .max_outstanding = replica.max_outstanding});
  }
  return settings;
}

}  // namespace emptor::services
