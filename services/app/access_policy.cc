// Settings to policy.
#include "services/app/access_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "services/auth/web_origin.h"

namespace emptor::services {
namespace {

OpenReading ReadingOf(const Config& config) {
  if (config.insecure || config.open_reading == "always") return OpenReading::kAlways;
  const auto address = ParseListenAddress(config.listen);
  const bool is_outside = !address.ok() || IsReachedFromOutside(*address);
  if (config.open_reading == "never" || is_outside) return OpenReading::kNever;
  return OpenReading::kUntilKeys;
}

absl::Status CheckListener(std::string_view setting, const std::string& text, bool has_keys,
                           std::string_view kind, const std::string& data_dir) {
  const auto address = ParseListenAddress(text);
  if (!address.ok()) return address.status();
  if (!IsReachedFromOutside(*address) || has_keys) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "{}: other machines reach {}, and there is no key for them: make one with \"emptor key issue "
      "{} --data-dir {}\", or listen on 127.0.0.1. --insecure starts all the same and lets whoever "
      "reaches the port read and ask without a key",
      setting, text, kind, data_dir));
}

}  // namespace

bool IsReachedFromOutside(const ListenAddress& address) {
  return !IsLoopback(HostNameOf(address.host));
}

AccessPolicy AccessPolicyOf(const Config& config) {
  AccessPolicy policy;
  policy.reading = ReadingOf(config);
  for (const std::string& host : config.allowed_hosts) policy.hosts.push_back(HostNameOf(host));
  for (const std::string& listen : {config.listen, config.admin_listen}) {
    const auto address = ParseListenAddress(listen);
    if (address.ok()) policy.hosts.push_back(HostNameOf(address->host));
  }
  const size_t path = config.public_url.find('/', config.public_url.find("://") + 3);
  if (auto origin = NormalOrigin(std::string_view(config.public_url).substr(0, path))) {
    policy.hosts.push_back(HostNameOf(std::string_view(*origin).substr(origin->find("://") + 3)));
    policy.own_origin = *std::move(origin);
  }
  return policy;
}

absl::Status CheckListeners(const Config& config, const KeyStore& keys) {
  if (config.insecure) return absl::OkStatus();
  absl::Status status =
      CheckListener("listen", config.listen, keys.HasIssuedKeys(), "server", config.data_dir);
  if (!status.ok()) return status;
  return CheckListener("admin_listen", config.admin_listen, keys.HasIssuedKeys(KeyKind::kAdmin),
                       "admin", config.data_dir);
}

absl::StatusOr<AccessParts> OpenAccess(const Config& config) {
  std::error_code error;
  std::filesystem::create_directories(config.data_dir, error);
  if (error) return absl::UnavailableError(config.data_dir + ": " + error.message());
  AccessParts parts;
  auto keys = KeyStore::Open(config.data_dir);
  if (!keys.ok()) return keys.status();
  parts.keys = *std::move(keys);
  if (absl::Status status = CheckListeners(config, *parts.keys); !status.ok()) return status;
  parts.audit = std::make_unique<AuditLog>(AuditLogPath(config.data_dir));
  const AccessPolicy policy = AccessPolicyOf(config);
  parts.gate = std::make_shared<const AccessGate>(policy, *parts.keys, parts.audit.get());
  parts.admin_gate = std::make_shared<const AccessGate>(policy, *parts.keys, parts.audit.get());
  return parts;
}

RateGateOptions RateGateOptionsOf(const Config& config) {
  const auto rate = [](int per_minute, int parts) {
    return TokenBucket::Policy{static_cast<double>(per_minute),
                               std::max(1.0, static_cast<double>(per_minute) / parts)};
  };
  constexpr int kBurstParts = 5;  // of a minute's requests
  RateGateOptions options;
  options.trusted_proxies = config.trusted_proxies;
  options.per_address = {rate(config.address_requests_per_minute, kBurstParts),
                         rate(config.address_tokens_per_minute, 1), config.address_streams};
  options.per_key = {rate(config.key_requests_per_minute, kBurstParts),
                     rate(config.key_tokens_per_minute, 1), config.key_streams};
  return options;
}

std::vector<Sample> RateSamples(const RateGate& rates) {
  constexpr std::pair<Limit, const char*> kLimits[] = {
      {Limit::kRequests, "requests"}, {Limit::kTokens, "tokens"}, {Limit::kStreams, "streams"}};
  std::vector<Sample> samples;
  for (const auto& [limit, name] : kLimits) {
    for (const bool by_key : {false, true}) {
      samples.push_back({"emptor_rate_limited_total",
                         "Requests beyond a limit",
                         true,
                         static_cast<double>(rates.refused(limit, by_key)),
                         {{"limit", name}, {"of", by_key ? "key" : "address"}}});
    }
  }
  return samples;
}

std::vector<Sample> RepeatSamples(IdempotencyGate& repeats) {
  using Outcome = IdempotencyStore::Outcome;
  constexpr std::pair<Outcome, const char*> kOutcomes[] = {{Outcome::kNew, "new"},
                                                           {Outcome::kRunning, "running"},
                                                           {Outcome::kDone, "replayed"},
                                                           {Outcome::kOther, "reused"},
                                                           {Outcome::kTooMany, "too_many"}};
  std::vector<Sample> samples;
  for (const auto& [outcome, name] : kOutcomes) {
    samples.push_back({"emptor_idempotency_requests_total",
                       "Requests with an Idempotency-Key",
                       true,
                       static_cast<double>(repeats.answered(outcome)),
                       {{"outcome", name}}});
  }
  samples.push_back({"emptor_idempotency_keys", "Idempotency keys that are remembered", false,
                     static_cast<double>(repeats.kept())});
  return samples;
}

std::vector<Sample> RefusalSamples(const AccessParts& access) {
  std::vector<Sample> samples;
  for (int i = 0; i < kRefusalReasons; ++i) {
    const auto reason = static_cast<RefusalReason>(i);
    const uint64_t count = access.gate->refused(reason) + access.admin_gate->refused(reason);
    samples.push_back({"emptor_access_refused_total",
                       "Requests that may not pass",
                       true,
                       static_cast<double>(count),
                       {{"reason", std::string(ToString(reason))}}});
  }
  return samples;
}

}  // namespace emptor::services
