// Events of clients, replicas and the clock into the dispatcher, its actions out of it.
#include "services/gateway/gateway.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
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
#include "services/gateway/model_table.h"
#include "services/gateway/replica_attempt.h"
#include "services/gateway/replica_probes.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using TimePoint = Dispatcher::TimePoint;

constexpr const char* kReplicaHeader = "X-Emptor-Replica";

/// A client's request. Loop thread only, but for `end`.
struct Call {
  std::shared_ptr<Exchange> exchange;
  CompletionCall facts;
  TimePoint arrived{}, deadline{};
  std::shared_ptr<StreamSink> sink;  // from the first event on
  FailureDetail last;                // of the attempt that failed last
  std::atomic<ClientEnd> end{ClientEnd::kLeft};
};

ClientEnd ClientEndOf(StreamEnd end) {
  if (end == StreamEnd::kShutdown) return ClientEnd::kStopped;
  const bool is_slow = end == StreamEnd::kStalled || end == StreamEnd::kOverflow;
  return is_slow ? ClientEnd::kTooSlow : ClientEnd::kLeft;
}

std::vector<std::vector<std::string>> ModelsOf(const GatewayConfig& config) {
  std::vector<std::vector<std::string>> models;
  for (const ReplicaConfig& replica : config.replicas) models.push_back(replica.models);
  return models;
}

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
        models(ModelsOf(config)),
        dispatcher(config.dispatch, ReplicaSettings(config), MakeRandom()),
        unreadable(config.replicas.size()),
        probes(config, keys, streams,
               {.on_health = [this](size_t replica,
                                    const absl::Status& health) { Probed(replica, health); },
                .on_models = [this](size_t replica,
                                    auto names) { Listed(replica, std::move(names)); }}) {}

  const GatewayConfig config;
  GatewayMetrics& metrics;
  std::vector<std::string> keys;  // of the replicas; not changed after Open
  ModelTable models;

  mutable std::mutex mutex;
  Dispatcher dispatcher;  // guarded by mutex
  bool was_up = false;    // a probe has succeeded; guarded by mutex

  // Of the loop thread alone:
  std::unordered_map<uint64_t, std::shared_ptr<Call>> calls;
  std::unordered_map<uint64_t, std::shared_ptr<ReplicaAttempt>> attempts;
  uint64_t next_request = 1;
  std::vector<bool> unreadable;  // the list of models of each replica
  ReplicaProbes probes;
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
  void Send(const DispatchAction& action);
  HttpStreamCall CallOf(const Call& call, size_t replica) const;
  void Probed(size_t replica, const absl::Status& health);
  void Listed(size_t replica, absl::StatusOr<std::vector<std::string>> names);
  void Leave(uint64_t request, ClientEnd end);
  bool PassOn(uint64_t request, uint64_t attempt, size_t replica, std::string_view events);
  /// Null: the client has gone.
  std::shared_ptr<StreamSink> OpenSink(uint64_t request, const std::shared_ptr<Call>& call,
                                       size_t replica);
  void EndAttempt(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  void Answer(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  Response ResponseOf(AttemptEnd& end, size_t replica, const std::string& request_id) const;
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
      return probes.Ask(action.replica);
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

void Gateway::Impl::Arrive(const std::shared_ptr<Exchange>& exchange, CompletionCall facts) {
  facts.dispatch.replicas = models.Serving(facts.model);
  if (facts.dispatch.replicas == 0) {
    return exchange->Respond(MakeGatewayError(
        404, "model_not_found",
        "no replica serves the model \"" + facts.model + "\"; GET /v1/models lists those that are",
        exchange->request().id));
  }
  const uint64_t request = next_request++;
  const auto call = std::make_shared<Call>();
  call->exchange = exchange;
  call->arrived = steady_clock::now();
  call->deadline = call->arrived + config.request_time;
  facts.dispatch.deadline = call->deadline;
  facts.dispatch.patience = config.queue_time;
  facts.dispatch.may_hedge = facts.stream;
  DispatchRequest dispatch = std::move(facts.dispatch);
  call->facts = std::move(facts);
  calls.emplace(request, call);
  exchange->OnPeerGone(
      [this, request] { streams.Run([this, request] { Leave(request, ClientEnd::kLeft); }); });
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
    return call->sink == nullptr || call->sink->HasRoom(kMaxPush);
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

void Gateway::Impl::Probed(size_t place, const absl::Status& health) {
  if (stopping) return;
  bool was_healthy = false, is_healthy = false;
  Decide([&](Dispatcher& to, TimePoint now) {
    was_healthy = to.StatusOf(place, now).healthy;
    to.Probed(place, health.ok(), now);
    is_healthy = to.StatusOf(place, now).healthy;
    was_up = was_up || health.ok();
  });
  if (was_healthy == is_healthy) return;
  const ReplicaConfig& replica = config.replicas[place];
  if (is_healthy) {
    return Log(LogLevel::kInfo, "replica_up", {{"replica", replica.name}, {"url", replica.url}});
  }
  Log(LogLevel::kWarning, "replica_down",
      {{"replica", replica.name},
       {"url", replica.url + replica.health_path},
       {"what", WithoutKey(std::string(health.message()), keys[place])}});
}

/// Keeps what it listed before where the list cannot be read now, and says so once.
void Gateway::Impl::Listed(size_t place, absl::StatusOr<std::vector<std::string>> names) {
  if (stopping) return;
  const bool was_unreadable = unreadable[place];
  unreadable[place] = !names.ok();
  if (names.ok()) return models.Set(place, *std::move(names));
  if (was_unreadable) return;
  Log(LogLevel::kWarning, "models_unreadable",
      {{"replica", NameOfReplica(place)},
       {"url", config.replicas[place].url + "/v1/models"},
       {"what", WithoutKey(std::string(names.status().message()), keys[place])}});
}

/// The client gets nothing more, whatever its request waits for.
void Gateway::Impl::Leave(uint64_t request, ClientEnd end) {
  const auto found = calls.find(request);
  if (found == calls.end()) return;
  if (end == ClientEnd::kTooSlow) {
    Log(LogLevel::kWarning, "client_too_slow",
        {{"request_id", found->second->exchange->request().id}});
  }
  calls.erase(found);
  Decide([&](Dispatcher& to, TimePoint now) { to.Leave(request, now, end); });
}

std::shared_ptr<StreamSink> Gateway::Impl::OpenSink(uint64_t request,
                                                    const std::shared_ptr<Call>& shared,
                                                    size_t replica) {
  Call& call = *shared;
  StreamOptions options;
  options.headers = {{kReplicaHeader, NameOfReplica(replica)}};
  options.last_words = "data: " +
                       GatewayErrorJson("server_error", "draining",
                                        "the gateway was stopped in the middle of the answer",
                                        call.exchange->request().id) +
                       "\n\n";
  options.on_end = [this, request, weak = std::weak_ptr<Call>(shared)](StreamEnd end) {
    if (end == StreamEnd::kFinished) return;
    const ClientEnd reason = ClientEndOf(end);
    if (const auto left = weak.lock()) left->end = reason;
    streams.Run([this, request, reason] { Leave(request, reason); });
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
    sink = OpenSink(request, call, replica);
  }
  if (sink != nullptr && sink->Push(events)) return true;
  Leave(request, call->end);
  return false;
}

void Gateway::Impl::EndAttempt(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end) {
  attempts.erase(attempt);
  if (stopping) return;
  if (end.kind != AttemptEnd::Kind::kFailed) {
    return Answer(request, attempt, replica, std::move(end));
  }
  metrics.CountFailure(NameOfReplica(replica), NameOf(end.failure));
  std::string request_id;
  if (const auto found = calls.find(request); found != calls.end()) {
    std::string message = end.error.message;
    if (message.empty() && end.http_status != 0) {
      message = "HTTP " + std::to_string(end.http_status);
    }
    found->second->last = {end.failure, WithoutKey(std::move(message), keys[replica]), end.pause};
    request_id = found->second->exchange->request().id;
  }
  Log(LogLevel::kWarning, "attempt_failed",
      {{"request_id", request_id},
       {"replica", NameOfReplica(replica)},
       {"kind", std::string(NameOf(end.failure))},
       {"what", WithoutKey(end.what, keys[replica])}});
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
    exchange.Respond(ResponseOf(end, replica, exchange.request().id));
  }
  Decide([&](Dispatcher& to, TimePoint now) {
    if (end.kind == AttemptEnd::Kind::kRejected) {
      to.Reject(attempt, now);
    } else {
      to.Succeed(attempt, end.usage.completion_tokens, now);
    }
  });
}

/// The whole answer, or the refusal of the request in the form that clients expect.
Response Gateway::Impl::ResponseOf(AttemptEnd& end, size_t replica,
                                   const std::string& request_id) const {
  Response response;
  response.status = end.http_status;
  if (end.kind == AttemptEnd::Kind::kRejected && end.body.empty()) {
    end.error.message = WithoutKey(std::move(end.error.message), keys[replica]);
    response = RejectionOf(end.http_status, end.error, request_id);
  } else {
    response.body = WithoutKey(std::move(end.body), keys[replica]);
  }
  response.headers.emplace_back(kReplicaHeader, NameOfReplica(replica));
  return response;
}

void Gateway::Impl::Refuse(const DispatchAction& action) {
  const auto found = calls.find(action.request);
  if (found == calls.end()) return;
  const std::shared_ptr<Call> call = found->second;
  calls.erase(found);
  metrics.CountRefusal(NameOf(action.reason));
  const std::string& id = call->exchange->request().id;
  FailureDetail detail{action.failure};
  if (call->last.failure == action.failure) detail = call->last;
  const bool was_tried = action.reason == DispatchRefusal::kFailed ||
                         action.reason == DispatchRefusal::kPoison ||
                         action.reason == DispatchRefusal::kLostMidStream;
  if (was_tried) {  // what is refused untried is counted, and in the access log
    Log(LogLevel::kWarning, "request_failed",
        {{"request_id", id},
         {"reason", std::string(NameOf(action.reason))},
         {"kind", std::string(NameOf(action.failure))}});
  }
  if (call->sink == nullptr) return call->exchange->Respond(RefusalOf(action.reason, detail, id));
  call->sink->Push(BrokenStreamEvent(detail, id));
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
  uint64_t up = 0;
  {
    const std::lock_guard lock(impl_->mutex);
    for (size_t i = 0; i < impl_->config.replicas.size(); ++i) {
      const bool is_up = impl_->dispatcher.StatusOf(i, steady_clock::now()).healthy;
      if (is_up) up |= uint64_t{1} << i;
    }
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (const auto& [name, replicas] : impl_->models.List(up)) {
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
