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
  ProbeHandler(steady_clock::time_point deadline, std::string key, Done done)
      : deadline_(deadline), key_(std::move(key)), done_(std::move(done)) {}

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
    const std::string said = ReadReplicaError(body_, key_).message;
    if (!said.empty()) what += ": " + said;
    if (end.http_status == 401 || end.http_status == 403) what += " (api_key_env, api_key_file)";
    done_(absl::UnavailableError(what));
  }

 private:
  const steady_clock::time_point deadline_;
  const std::string key_;
  const Done done_;
  std::string body_;
};

}  // namespace

ReplicaProbes::ReplicaProbes(const Fleet& fleet, HttpStreams& streams, Callbacks callbacks)
    : fleet_(fleet),
      streams_(streams),
      callbacks_(std::move(callbacks)),
      listing_(fleet.config.replicas.size()),
      questions_(fleet.config.replicas.size()) {}

void ReplicaProbes::Forget(size_t place) {
  ++questions_[place];
  listing_[place] = false;
}

void ReplicaProbes::Get(size_t place, const std::string& path,
                        std::function<void(absl::StatusOr<std::string> body)> done) {
  const GatewayConfig& config = fleet_.config;
  HttpStreamCall http = fleet_.CallTo(place, path);
  http.is_get = true;
  http.connect_timeout = std::min(config.connect_time, config.probe_time);
  auto if_current = [this, place, question = questions_[place],
                     done = std::move(done)](absl::StatusOr<std::string> body) {
    if (question == questions_[place]) done(std::move(body));
  };
  streams_.Start(std::move(http),
                 std::make_shared<ProbeHandler>(steady_clock::now() + config.probe_time,
                                                fleet_.keys[place], std::move(if_current)));
}

void ReplicaProbes::Ask(size_t place) {
  Get(place, fleet_.config.replicas[place].health_path,
      [this, place](const absl::StatusOr<std::string>& body) { TakeHealth(place, body); });
}

void ReplicaProbes::TakeHealth(size_t place, const absl::StatusOr<std::string>& body) {
  const ReplicaConfig& replica = fleet_.config.replicas[place];
  // The models first: a request that comes once the replica is up is sent by them.
  const bool is_list = replica.health_path == kModelsPath;
  if (body.ok() && replica.models.empty() && is_list) {
    callbacks_.on_models(place, ReadModelNames(*body, fleet_.keys[place]));
  }
  callbacks_.on_health(place, body.status());
  if (!body.ok() || !replica.models.empty() || is_list || listing_[place]) return;
  listing_[place] = true;
  Get(place, kModelsPath, [this, place](const absl::StatusOr<std::string>& list) {
    listing_[place] = false;
    if (!list.ok()) return callbacks_.on_models(place, list.status());
    callbacks_.on_models(place, ReadModelNames(*list, fleet_.keys[place]));
  });
}

}  // namespace emptor::services
