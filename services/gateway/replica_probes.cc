// One GET for each question.
#include "services/gateway/replica_probes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "services/gateway/replica_answer.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

constexpr size_t kMaxBody = 1u << 20;
constexpr const char* kModelsPath = "/v1/models";

/// Takes the answer to one question.
class ProbeHandler final : public HttpStreamHandler {
 public:
  using Done = std::function<void(absl::StatusOr<std::string> body)>;
  ProbeHandler(steady_clock::time_point deadline, Done done)
      : deadline_(deadline), done_(std::move(done)) {}

  bool OnPiece(int, std::string_view piece) override {
    body_ += piece.substr(0, kMaxBody - body_.size());
    return body_.size() < kMaxBody;
  }
  steady_clock::time_point deadline() const override { return deadline_; }
  bool cancelled() const override { return false; }
  void OnEnd(const HttpStreamEnd& end) override {
    if (!end.status.ok()) return done_(end.status);
    if (end.http_status == 200) return done_(std::move(body_));
    std::string what = "HTTP " + std::to_string(end.http_status);
    const std::string said = ReadReplicaError(body_).message;
    if (!said.empty()) what += ": " + said;
    if (end.http_status == 401 || end.http_status == 403) what += " (api_key_env, api_key_file)";
    done_(absl::UnavailableError(what));
  }

 private:
  const steady_clock::time_point deadline_;
  const Done done_;
  std::string body_;
};

}  // namespace

ReplicaProbes::ReplicaProbes(const GatewayConfig& config, const std::vector<std::string>& keys,
                             HttpStreams& streams, Callbacks callbacks)
    : config_(config),
      keys_(keys),
      streams_(streams),
      callbacks_(std::move(callbacks)),
      listing_(config.replicas.size()) {}

void ReplicaProbes::Get(size_t place, const std::string& path,
                        std::function<void(absl::StatusOr<std::string> body)> done) {
  const ReplicaConfig& replica = config_.replicas[place];
  HttpStreamCall http;
  http.is_get = true;
  http.url = replica.url + path;
  http.connect_timeout = std::min(config_.connect_time, config_.probe_time);
  http.ca_file = replica.ca_file;
  if (!keys_[place].empty()) http.headers.push_back("Authorization: Bearer " + keys_[place]);
  streams_.Start(std::move(http), std::make_shared<ProbeHandler>(
                                      steady_clock::now() + config_.probe_time, std::move(done)));
}

void ReplicaProbes::Ask(size_t place) {
  Get(place, config_.replicas[place].health_path,
      [this, place](const absl::StatusOr<std::string>& body) { TakeHealth(place, body); });
}

void ReplicaProbes::TakeHealth(size_t place, const absl::StatusOr<std::string>& body) {
  const ReplicaConfig& replica = config_.replicas[place];
  // The models first: a request that comes once the replica is up is sent by them.
  const bool is_list = replica.health_path == kModelsPath;
  if (body.ok() && replica.models.empty() && is_list) {
    callbacks_.on_models(place, ReadModelNames(*body));
  }
  callbacks_.on_health(place, body.status());
  if (!body.ok() || !replica.models.empty() || is_list || listing_[place]) return;
  listing_[place] = true;
  Get(place, kModelsPath, [this, place](const absl::StatusOr<std::string>& list) {
    listing_[place] = false;
    if (!list.ok()) return callbacks_.on_models(place, list.status());
    callbacks_.on_models(place, ReadModelNames(*list));
  });
}

}  // namespace emptor::services
