// Events of clients, replicas and the clock into the dispatcher, its actions out of it.
#include "services/gateway/gateway.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/client/api_key.h"
#include "services/client/http_streams.h"
#include "services/gateway/completion_call.h"
#include "services/gateway/gateway_errors.h"
#include "services/gateway/replica_attempt.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using TimePoint = Dispatcher::TimePoint;

constexpr size_t kMaxProbeBody = 256u << 10;
/// What a piece of a replica's answer becomes at most, framing included.
constexpr size_t kRoom = 128u << 10;
constexpr const char* kReplicaHeader = "X-Emptor-Replica";

/// A client's request. Loop thread only.
struct Call {
  std::shared_ptr<Exchange> exchange;
  CompletionCall facts;
  TimePoint arrived{}, deadline{};
  std::shared_ptr<StreamSink> sink;  // from the first event on
};

/// A question for the health of a replica.
class ProbeHandler final : public HttpStreamHandler {
 public:
  using Done = std::function<void(bool healthy, std::string body)>;
  ProbeHandler(TimePoint deadline, Done done) : deadline_(deadline), done_(std::move(done)) {}

  bool OnPiece(int, std::string_view piece) override {
    if (body_.size() + piece.size() <= kMaxProbeBody) body_ += piece;
    return true;
  }
  TimePoint deadline() const override { return deadline_; }
  bool cancelled() const override { return false; }
  void OnEnd(const HttpStreamEnd& end) override {
    done_(end.status.ok() && end.http_status == 200, std::move(body_));
  }

 private:
  const TimePoint deadline_;
  const Done done_;
  std::string body_;
};

std::function<double()> MakeRandom() {
  return [engine = std::mt19937_64(std::random_device{}())]() mutable {
    return static_cast<double>(engine() >> 11) * 0x1p-53;
  };
}

}  // namespace

struct Gateway::Impl {
  Impl(GatewayConfig the_config, GatewayMetrics& the_metrics)
      : config(std::move(the_config)),
        metrics(the_metrics),
        dispatcher(config.dispatch, ReplicaSettings(config), MakeRandom()),
        models(config.replicas.size()) {
    for (size_t i = 0; i < models.size(); ++i) models[i] = config.replicas[i].models;
  }

  const GatewayConfig config;
  GatewayMetrics& metrics;
  std::vector<std::string> keys;  // of the replicas; not changed after Open

  mutable std::mutex mutex;
  Dispatcher dispatcher;                         // guarded by mutex
  std::vector<std::vector<std::string>> models;  // of each replica; guarded by mutex
  bool was_up = false;                           // a probe has succeeded; guarded by mutex

  // Of the loop thread alone:
  std::unordered_map<uint64_t, std::shared_ptr<Call>> calls;
  std::unordered_map<uint64_t, std::shared_ptr<ReplicaAttempt>> attempts;
  uint64_t next_request = 1;
  std::atomic<bool> stopping{false};

  std::mutex tick_mutex;
  std::condition_variable_any tick_changed;
  TimePoint next_tick{};  // guarded by tick_mutex
  HttpStreams streams;    // its thread is the loop; ends before what its handlers use
  std::jthread ticker;    // ends first

  template <typename Event>
  void Decide(Event event);
  void CarryOut(const DispatchAction& action);
  void ArmTick(TimePoint at);
  void RunTicker(const std::stop_token& stop);

  void Arrive(const std::shared_ptr<Exchange>& exchange, CompletionCall facts);
  uint64_t ReplicasFor(const std::string& model, bool& is_known) const;
  void Send(const DispatchAction& action);
  HttpStreamCall CallOf(const Call& call, size_t replica) const;
  void Probe(size_t replica);
  void Probed(size_t replica, bool healthy, const std::string& body);
  void Leave(uint64_t request);
  bool PassOn(uint64_t request, uint64_t attempt, size_t replica, std::string_view events);
  /// Null: the client has gone.
  std::shared_ptr<StreamSink> OpenSink(uint64_t request, Call& call, size_t replica);
  void EndAttempt(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  void Answer(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  void Refuse(const DispatchAction& action);
  std::string NameOfReplica(size_t replica) const { return config.replicas[replica].name; }
};

/// Gives the dispatcher an event and carries out what follows from it. Loop thread.
template <typename Event>
void Gateway::Impl::Decide(Event event) {
  std::vector<DispatchAction> actions;
  TimePoint next;
  {
    const std::lock_guard lock(mutex);
    event(dispatcher, steady_clock::now());
    actions = dispatcher.TakeActions();
    next = dispatcher.NextTick();
  }
  for (const DispatchAction& action : actions) CarryOut(action);
  ArmTick(next);
}

void Gateway::Impl::CarryOut(const DispatchAction& action) {
  switch (action.kind) {
    case Kind::kSend:
      return Send(action);
    case Kind::kCancel:
      if (const auto found = attempts.find(action.attempt); found != attempts.end()) {
        found->second->Cancel();
        attempts.erase(found);
        streams.Wake();
      }
      return;
    case Kind::kRefuse:
    case Kind::kBreak:
      return Refuse(action);
    case Kind::kProbe:
      return Probe(action.replica);
  }
}

void Gateway::Impl::ArmTick(TimePoint at) {
  const std::lock_guard lock(tick_mutex);
  const bool is_sooner = at < next_tick;
  next_tick = at;
  if (is_sooner) tick_changed.notify_one();
}

void Gateway::Impl::RunTicker(const std::stop_token& stop) {
  std::unique_lock lock(tick_mutex);
  while (!stop.stop_requested()) {
    const TimePoint at = next_tick;
    const TimePoint latest = steady_clock::now() + std::chrono::seconds(1);
    tick_changed.wait_until(lock, stop, std::min(at, latest), [&] { return next_tick < at; });
    if (stop.stop_requested() || next_tick > steady_clock::now()) continue;
    next_tick = TimePoint::max();
    lock.unlock();
    streams.Run([this] { Decide([](Dispatcher& to, TimePoint now) { to.Tick(now); }); });
    lock.lock();
  }
}

uint64_t Gateway::Impl::ReplicasFor(const std::string& model, bool& is_known) const {
  const std::lock_guard lock(mutex);
  uint64_t replicas = 0;
  for (size_t i = 0; i < models.size(); ++i) {
    const auto& names = models[i];
    const bool serves = model.empty() || names.empty() ||
                        std::find(names.begin(), names.end(), model) != names.end();
    if (serves) replicas |= uint64_t{1} << i;
  }
  is_known = replicas != 0;
  return replicas;
}

void Gateway::Impl::Arrive(const std::shared_ptr<Exchange>& exchange, CompletionCall facts) {
  const std::string& id = exchange->request().id;
  bool is_known = false;
  facts.dispatch.replicas = ReplicasFor(facts.model, is_known);
  if (!is_known) {
    return exchange->Respond(
        MakeGatewayError(404, "model_not_found", "no replica serves this model", id));
  }
  const uint64_t request = next_request++;
  const auto call = std::make_shared<Call>();
  call->exchange = exchange;
  call->arrived = steady_clock::now();
  call->deadline = call->arrived + config.request_time;
  facts.dispatch.deadline = call->deadline;
  facts.dispatch.patience = config.queue_time;
  DispatchRequest dispatch = std::move(facts.dispatch);
  call->facts = std::move(facts);
  calls.emplace(request, call);
  exchange->OnPeerGone([this, request] { streams.Run([this, request] { Leave(request); }); });
  Decide([&](Dispatcher& to, TimePoint now) { to.Arrive(request, std::move(dispatch), now); });
}

HttpStreamCall Gateway::Impl::CallOf(const Call& call, size_t place) const {
  const ReplicaConfig& replica = config.replicas[place];
  const Request& request = call.exchange->request();
  HttpStreamCall http;
  http.url = replica.url + (call.facts.chat ? "/v1/chat/completions" : "/v1/completions");
  http.body =
      replica.send_model.empty() ? request.body : WithModel(request.body, replica.send_model);
  http.connect_timeout = config.connect_time;
  http.ca_file = replica.ca_file;
  if (!keys[place].empty()) http.headers.push_back("Authorization: Bearer " + keys[place]);
  http.headers.push_back("X-Request-Id: " + request.id);
  const std::string_view trace = request.Header("traceparent");
  if (!trace.empty() && trace.size() <= 128) {
    http.headers.push_back("traceparent: " + std::string(trace));
  }
  const auto left = std::chrono::duration<double>(call.deadline - steady_clock::now()).count();
  http.headers.push_back("X-Request-Timeout: " + std::to_string(std::max(0.001, left)));
  return http;
}

void Gateway::Impl::Send(const DispatchAction& action) {
  const auto found = calls.find(action.request);
  if (found == calls.end()) return;
  const Call& call = *found->second;
  const uint64_t request = action.request, id = action.attempt;
  const size_t replica = action.replica;
  ReplicaAttempt::Callbacks callbacks;
  callbacks.on_events = [this, request, id, replica](std::string_view events) {
    return PassOn(request, id, replica, events);
  };
  callbacks.has_room = [call = found->second] {
    return call->sink == nullptr || call->sink->HasRoom(kRoom);
  };
  callbacks.on_end = [this, request, id, replica](AttemptEnd end) {
    EndAttempt(request, id, replica, std::move(end));
  };
  const AttemptLimits limits{.deadline = call.deadline,
                             .first_token = config.first_token_time,
                             .token_gap = config.token_gap_time};
  auto attempt = std::make_shared<ReplicaAttempt>(call.facts.stream, limits, std::move(callbacks));
  attempts.emplace(id, attempt);
  streams.Start(CallOf(call, replica), std::move(attempt));
}

void Gateway::Impl::Probe(size_t place) {
  const ReplicaConfig& replica = config.replicas[place];
  HttpStreamCall http;
  http.is_get = true;
  http.url = replica.url + replica.health_path;
  http.connect_timeout = std::min(config.connect_time, config.probe_time);
  http.ca_file = replica.ca_file;
  if (!keys[place].empty()) http.headers.push_back("Authorization: Bearer " + keys[place]);
  streams.Start(std::move(http),
                std::make_shared<ProbeHandler>(steady_clock::now() + config.probe_time,
                                               [this, place](bool healthy, std::string body) {
                                                 Probed(place, healthy, body);
                                               }));
}

void Gateway::Impl::Probed(size_t place, bool healthy, const std::string& body) {
  if (stopping) return;
  bool was_healthy = false, is_healthy = false;
  std::vector<std::string> names;
  if (healthy && config.replicas[place].models.empty()) names = ReadModelNames(body);
  Decide([&](Dispatcher& to, TimePoint now) {
    was_healthy = to.StatusOf(place, now).healthy;
    to.Probed(place, healthy, now);
    is_healthy = to.StatusOf(place, now).healthy;
    was_up = was_up || healthy;
    if (!names.empty()) models[place] = std::move(names);
  });
  if (was_healthy == is_healthy) return;
  Log(is_healthy ? LogLevel::kInfo : LogLevel::kWarning, is_healthy ? "replica_up" : "replica_down",
      {{"replica", NameOfReplica(place)}, {"url", config.replicas[place].url}});
}

/// The client has gone, whatever its request waits for.
void Gateway::Impl::Leave(uint64_t request) {
  if (calls.erase(request) == 0) return;
  Decide([&](Dispatcher& to, TimePoint now) { to.Leave(request, now); });
}

std::shared_ptr<StreamSink> Gateway::Impl::OpenSink(uint64_t request, Call& call, size_t replica) {
  StreamOptions options;
  options.headers = {{kReplicaHeader, NameOfReplica(replica)}};
  options.last_words = "data: " +
                       GatewayErrorJson("server_error", "draining",
                                        "the gateway was stopped in the middle of the answer",
                                        call.exchange->request().id) +
                       "\n\n";
  options.on_end = [this, request](StreamEnd end) {
    if (end != StreamEnd::kFinished) streams.Run([this, request] { Leave(request); });
  };
  call.sink = call.exchange->StartSse(std::move(options));
  if (call.sink == nullptr) return nullptr;
  const auto waited = std::chrono::duration<double>(steady_clock::now() - call.arrived);
  metrics.ObserveFirstToken(NameOfReplica(replica), waited.count());
  return call.sink;
}

bool Gateway::Impl::PassOn(uint64_t request, uint64_t attempt, size_t replica,
                           std::string_view events) {
  const auto found = calls.find(request);
  if (found == calls.end()) return false;
  const std::shared_ptr<Call> call = found->second;
  std::shared_ptr<StreamSink> sink = call->sink;
  if (sink == nullptr) {
    bool is_first = false;
    Decide([&](Dispatcher& to, TimePoint now) { is_first = to.Commit(attempt, now); });
    if (!is_first) return false;
    sink = OpenSink(request, *call, replica);
  }
  if (sink != nullptr && sink->Push(events)) return true;
  Leave(request);
  return false;
}

void Gateway::Impl::EndAttempt(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end) {
  attempts.erase(attempt);
  if (stopping) return;
  if (end.kind != AttemptEnd::Kind::kFailed) {
    return Answer(request, attempt, replica, std::move(end));
  }
  metrics.CountFailure(NameOfReplica(replica), NameOf(end.failure));
  Log(LogLevel::kWarning, "attempt_failed",
      {{"replica", NameOfReplica(replica)}, {"kind", NameOf(end.failure)}, {"what", end.what}});
  Decide([&](Dispatcher& to, TimePoint now) { to.Fail(attempt, end.failure, end.pause, now); });
}

void Gateway::Impl::Answer(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end) {
  const auto found = calls.find(request);
  if (found == calls.end()) return;
  const std::shared_ptr<Call> call = found->second;
  calls.erase(found);
  Exchange& exchange = *call->exchange;
  exchange.CountTokens(int64_t{end.usage.prompt_tokens} + end.usage.completion_tokens);
  if (call->sink != nullptr) {
    call->sink->Finish();
  } else {
    Response response;
    response.status = end.http_status;
    response.headers.emplace_back(kReplicaHeader, NameOfReplica(replica));
    const bool is_json =
        end.kind == AttemptEnd::Kind::kAnswered || catalog::ParseJson(end.body).ok();
    response.body = is_json
                        ? std::move(end.body)
                        : MakeGatewayError(end.http_status, "replica_refused",
                                           "the replica refuses the request", exchange.request().id)
                              .body;
    exchange.Respond(std::move(response));
  }
  Decide([&](Dispatcher& to, TimePoint now) {
    if (end.kind == AttemptEnd::Kind::kRejected) {
      to.Reject(attempt, now);
    } else {
      to.Succeed(attempt, end.usage.completion_tokens, now);
    }
  });
}

void Gateway::Impl::Refuse(const DispatchAction& action) {
  const auto found = calls.find(action.request);
  if (found == calls.end()) return;
  const std::shared_ptr<Call> call = found->second;
  calls.erase(found);
  metrics.CountRefusal(NameOf(action.reason));
  const std::string& id = call->exchange->request().id;
  if (call->sink == nullptr) {
    return call->exchange->Respond(RefusalOf(action.reason, action.failure, id));
  }
  call->sink->Push(BrokenStreamEvent(action.failure, id));
  call->sink->Finish();
}

Gateway::Gateway(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Gateway::~Gateway() { Stop(); }

absl::StatusOr<std::unique_ptr<Gateway>> Gateway::Open(GatewayConfig config,
                                                       GatewayMetrics& metrics) {
  std::vector<std::string> keys;
  for (const ReplicaConfig& replica : config.replicas) {
    auto key = ReadApiKey("replica " + replica.name, replica.api_key_env, replica.api_key_file);
    if (!key.ok()) return key.status();
    keys.push_back(*std::move(key));
  }
  auto impl = std::make_unique<Impl>(std::move(config), metrics);
  impl->keys = std::move(keys);
  impl->ticker =
      std::jthread([impl = impl.get()](const std::stop_token& stop) { impl->RunTicker(stop); });
  return std::unique_ptr<Gateway>(new Gateway(std::move(impl)));
}

void Gateway::Complete(std::shared_ptr<Exchange> exchange, bool chat) {
  Impl& impl = *impl_;
  const Request& request = exchange->request();
  auto facts = ReadCompletionCall(
      request.body, chat,
      {.block_bytes = impl.config.prefix_block_bytes, .max_blocks = impl.config.max_prefix_blocks});
  if (!facts.ok()) {
    return exchange->Respond(
        MakeGatewayError(400, "invalid_value", std::string(facts.status().message()), request.id));
  }
  impl.streams.Run([&impl, exchange = std::move(exchange), call = *std::move(facts)]() mutable {
    if (!impl.stopping) impl.Arrive(exchange, std::move(call));
  });
}

void Gateway::ListModels(Exchange& exchange) const {
  std::map<std::string, int> names;
  {
    const std::lock_guard lock(impl_->mutex);
    for (size_t i = 0; i < impl_->models.size(); ++i) {
      if (!impl_->dispatcher.StatusOf(i, steady_clock::now()).healthy) continue;
      for (const std::string& name : impl_->models[i]) ++names[name];
    }
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (const auto& [name, replicas] : names) {
    writer.BeginObject().Member("id", name).Member("object", "model").Member("created", 0);
    writer.Member("owned_by", "emptor").Member("replicas", replicas).EndObject();
  }
  writer.EndArray().EndObject();
  exchange.Respond({.body = writer.Take()});
}

absl::Status Gateway::Readiness() const {
  const std::lock_guard lock(impl_->mutex);
  const bool is_up = impl_->was_up && impl_->dispatcher.CanServe(~uint64_t{0}, steady_clock::now());
  return is_up ? absl::OkStatus() : absl::UnavailableError("no replica is up");
}

std::vector<Sample> Gateway::Samples() const {
  std::vector<std::string> names;
  for (const ReplicaConfig& replica : impl_->config.replicas) names.push_back(replica.name);
  const std::lock_guard lock(impl_->mutex);
  return DispatchSamples(impl_->dispatcher, names, steady_clock::now());
}

void Gateway::Drain() {
  const std::lock_guard lock(impl_->mutex);
  impl_->dispatcher.Drain();
}

void Gateway::Stop() {
  impl_->stopping = true;
  impl_->ticker.request_stop();
  if (impl_->ticker.joinable()) impl_->ticker.join();
  impl_->streams.Stop();
}

}  // namespace emptor::services
