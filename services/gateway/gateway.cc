// Events of clients and their requests into the dispatcher, its actions out of it.
#include "services/gateway/gateway.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "services/client/api_key.h"
#include "services/gateway/gateway_impl.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using std::chrono::steady_clock;
using TimePoint = Dispatcher::TimePoint;
using Call = GatewayCall;

constexpr const char* kReplicaHeader = "X-Emptor-Replica";

ClientEnd ClientEndOf(StreamEnd end) {
  if (end == StreamEnd::kShutdown) return ClientEnd::kStopped;
  const bool is_slow = end == StreamEnd::kStalled || end == StreamEnd::kOverflow;
  return is_slow ? ClientEnd::kTooSlow : ClientEnd::kLeft;
}

std::function<double()> MakeRandom() {
  return [engine = std::mt19937_64(std::random_device{}())]() mutable {
    return static_cast<double>(engine() >> 11) * 0x1p-53;
  };
}

}  // namespace

Gateway::Impl::Impl(GatewayConfig given, GatewayMetrics& the_metrics)
    : metrics(the_metrics),
      fleet(std::move(given)),
      models(config),
      dispatcher(config.dispatch, ReplicaSettings(config), MakeRandom()),
      unreadable(config.replicas.size()),
      unresolved(config.pools.size()),
      without_place(config.pools.size()),
      probes(fleet, streams,
             {.on_health = [this](size_t replica,
                                  const absl::Status& health) { Probed(replica, health); },
              .on_models = [this](size_t replica,
                                  auto names) { Listed(replica, std::move(names)); }}) {}

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
  const Request& request = call.exchange->request();
  HttpStreamCall http =
      fleet.CallTo(place, call.facts.chat ? "/v1/chat/completions" : "/v1/completions");
  const std::string& model = config.replicas[place].send_model;
  http.body = model.empty() ? request.body : WithModel(request.body, model);
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
  auto attempt = std::make_shared<ReplicaAttempt>(call.facts.stream, limits, std::move(callbacks),
                                                  fleet.keys[replica]);
  attempts.emplace(id, attempt);
  streams.Start(CallOf(call, replica), std::move(attempt));
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
  options.headers = {{kReplicaHeader, fleet.name(replica)}};
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
  metrics.ObserveFirstToken(fleet.name(replica), waited.count());
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
  metrics.CountFailure(fleet.name(replica), NameOf(end.failure));
  std::string request_id;
  if (const auto found = calls.find(request); found != calls.end()) {
    found->second->last = {end.failure, end.error.message, end.pause};
    request_id = found->second->exchange->request().id;
  }
  Log(LogLevel::kWarning, "attempt_failed",
      {{"request_id", request_id},
       {"replica", fleet.name(replica)},
       {"kind", std::string(NameOf(end.failure))},
       {"what", fleet.Hide(replica, end.what)}});
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
  if (end.kind != AttemptEnd::Kind::kRejected) {  // a model may say any word, also the key
    response.body = std::move(end.body);
  } else if (end.body.empty()) {
    response = RejectionOf(end.http_status, end.error, request_id);
  } else {
    response.body = fleet.Hide(replica, end.body);
  }
  response.headers.emplace_back(kReplicaHeader, fleet.name(replica));
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
                                                       GatewayMetrics& metrics,
                                                       HostResolver resolve) {
  auto owned = std::make_unique<Impl>(std::move(config), metrics);
  Impl* const impl = owned.get();
  for (size_t i = 0; i < impl->config.replicas.size(); ++i) {
    const ReplicaConfig& replica = impl->config.replicas[i];
    auto key = ReadApiKey("replica " + replica.name, replica.api_key_env, replica.api_key_file);
    if (!key.ok()) return key.status();
    impl->fleet.keys[i] = *std::move(key);
  }
  std::unique_ptr<Gateway> gateway(new Gateway(std::move(owned)));
  impl->ticker.Start();
  impl->watcher = std::make_unique<PoolWatcher>(
      impl->config.pools, impl->config.dns_interval, std::move(resolve),
      [impl](size_t pool, absl::StatusOr<std::vector<std::string>> addresses) {
        impl->streams.Run([impl, pool, addresses = std::move(addresses)]() mutable {
          impl->Resolved(pool, std::move(addresses));
        });
      });
  return gateway;
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
  exchange.Respond({.body = impl_->models.ListJson(up)});
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
  if (impl_->watcher) impl_->watcher->Stop();
  impl_->ticker.Stop();
  impl_->streams.Stop();
}

}  // namespace emptor::services
