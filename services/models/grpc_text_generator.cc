// Converts between the port and Generate calls of an engine server.
#include "services/models/grpc_text_generator.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "services/models/call_handle.h"
#include "services/proto/engine.grpc.pb.h"

namespace emptor::services {
namespace {

namespace v1 = emptor::engine::v1;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr std::chrono::milliseconds kLoadingPoll{100};  // between polls of a model that is loading

absl::Status FromGrpc(const grpc::Status& status) {
  return {static_cast<absl::StatusCode>(status.error_code()), status.error_message()};
}

v1::GenerateRequest ToProto(const GeneratorRequest& request, const std::string& model) {
  v1::GenerateRequest out;
  out.set_model(model);
  out.set_id(request.id);
  for (const GeneratorMessage& message : request.messages) {
    v1::Message& added = *out.add_messages();
    added.set_role(message.role);
    added.set_content(message.content);
  }
  out.set_max_tokens(request.max_tokens);
  out.mutable_sampling()->set_temperature(request.temperature);
  out.mutable_sampling()->set_seed(request.seed);
  if (request.references) {
    for (const std::string& text : *request.references) out.mutable_references()->add_texts(text);
    out.mutable_references();  // an empty list is a constraint too
  }
  out.set_priority(request.priority == GeneratorPriority::kBatch ? v1::PRIORITY_BATCH
                                                                 : v1::PRIORITY_INTERACTIVE);
  out.set_tenant(request.tenant);
  out.set_cache_salt(request.cache_salt);
  return out;
}

GeneratorUsage FromProto(const v1::Usage& usage) {
  return {usage.prompt_tokens(), usage.completion_tokens(), usage.queue_seconds(),
          usage.ttft_seconds(), usage.total_seconds()};
}

}  // namespace

struct GrpcTextGenerator::Impl {
  class Call;

  std::unique_ptr<v1::Engine::Stub> stub;
  std::string model, title;
  engine::ModelCapabilities capabilities;

  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_set<Call*> calls;  // guarded by mutex
  bool stopped = false;             // guarded by mutex

  void Remove(Call* call) {
    const std::lock_guard lock(mutex);
    calls.erase(call);
    changed.notify_all();
  }
};

/// Lives until OnDone; the caller's handle does not own it.
class GrpcTextGenerator::Impl::Call final : public grpc::ClientReadReactor<v1::GenerateEvent> {
 public:
  Call(Impl& owner, v1::GenerateRequest request, GeneratorCallbacks callbacks)
      : owner_(owner), request_(std::move(request)), callbacks_(std::move(callbacks)) {}

  void Start(const std::shared_ptr<Call>& self, steady_clock::time_point deadline) {
    self_ = self;
    if (deadline != steady_clock::time_point::max()) {
      context_.set_deadline(
          system_clock::now() +
          std::chrono::duration_cast<system_clock::duration>(deadline - steady_clock::now()));
    }
    owner_.stub->async()->Generate(&context_, &request_, this);
    StartRead(&event_);
    StartCall();
  }
  /// Does nothing once the call is done: gRPC may be freeing it then.
  void Cancel() {
    const std::lock_guard lock(mutex_);
    if (!is_done_) context_.TryCancel();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (event_.has_piece() && !event_.piece().text().empty()) {
      callbacks_.on_text(event_.piece().text());
    }
    if (event_.has_end()) end_ = event_.end();
    StartRead(&event_);
  }
  void OnDone(const grpc::Status& status) override {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    const GeneratorUsage usage = FromProto(end_.usage());
    if (status.error_code() == grpc::StatusCode::CANCELLED) {
      callbacks_.on_end("cancelled", usage, absl::CancelledError("cancelled"));
    } else if (!status.ok()) {
      callbacks_.on_end("error", usage, FromGrpc(status));
    } else if (end_.reason() == v1::FINISH_REASON_DEADLINE) {
      callbacks_.on_end("error", usage, absl::DeadlineExceededError("engine: the deadline passed"));
    } else {
      callbacks_.on_end(end_.reason() == v1::FINISH_REASON_STOP ? "stop" : "length", usage,
                        absl::OkStatus());
    }
    // The owner waits until nothing of the call is left.
    Impl& owner = owner_;
    auto last = std::move(self_);
    last.reset();
    owner.Remove(this);
  }

 private:
  Impl& owner_;
  const v1::GenerateRequest request_;
  const GeneratorCallbacks callbacks_;
  grpc::ClientContext context_;
  v1::GenerateEvent event_;
  v1::GenerateEvent::End end_;
  std::shared_ptr<Call> self_;
  std::mutex mutex_;
  bool is_done_ = false;  // guarded by mutex_
};

namespace {

absl::Status At(const std::string& address, const absl::Status& status) {
  return {status.code(), "engine server " + address + ": " + std::string(status.message())};
}

/// One channel for each server, kept until the process ends: with its last channel gRPC 1.51 frees
/// the queue of its callbacks while a thread still reads it ("assertion failed: prior > 0").
std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address) {
  using Channels = std::unordered_map<std::string, std::shared_ptr<grpc::Channel>>;
  static std::mutex mutex;
  static auto* const channels = new Channels;
  const std::lock_guard lock(mutex);
  std::shared_ptr<grpc::Channel>& channel = (*channels)[address];
  if (channel == nullptr) {
    channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  }
  return channel;
}

/// The language model of that name; empty: the active one. Errors: kUnavailable, kNotFound.
absl::StatusOr<v1::Model> FindModel(v1::Engine::Stub& stub, const std::string& name,
                                    system_clock::time_point deadline) {
  grpc::ClientContext context;
  context.set_deadline(deadline);
  context.set_wait_for_ready(true);
  v1::ListModelsReply models;
  const grpc::Status status = stub.ListModels(&context, {}, &models);
  if (!status.ok()) return absl::UnavailableError(status.error_message());
  if (models.models().empty()) {  // the server has just started
    v1::Model coming;
    coming.set_state("loading");
    return coming;
  }
  for (const v1::Model& one : models.models()) {
    if (one.kind() == "llm" && (name.empty() ? one.active() : one.name() == name)) return one;
  }
  return absl::NotFoundError(name.empty() ? "there is no active language model"
                                          : "there is no language model \"" + name + "\"");
}

}  // namespace

GrpcTextGenerator::GrpcTextGenerator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

GrpcTextGenerator::~GrpcTextGenerator() { Stop(); }

void GrpcTextGenerator::Stop() {
  std::unique_lock lock(impl_->mutex);
  impl_->stopped = true;
  for (Impl::Call* call : impl_->calls) call->Cancel();
  impl_->changed.wait(lock, [&] { return impl_->calls.empty(); });
}

absl::StatusOr<std::unique_ptr<GrpcTextGenerator>> GrpcTextGenerator::Connect(
    const std::string& address, const std::string& model, std::chrono::milliseconds timeout) {
  const auto deadline = system_clock::now() + timeout;
  auto impl = std::make_unique<Impl>();
  impl->stub = v1::Engine::NewStub(ChannelTo(address));
  while (true) {
    auto found = FindModel(*impl->stub, model, deadline);
    if (!found.ok()) return At(address, found.status());
    if (found->state() == "available") {
      impl->model = found->name();
      impl->title = found->title().empty() ? found->name() : found->title();
      impl->capabilities = {found->references(),
                            {found->languages().begin(), found->languages().end()}};
      return std::unique_ptr<GrpcTextGenerator>(new GrpcTextGenerator(std::move(impl)));
    }
    if (found->state() != "loading" || system_clock::now() + kLoadingPoll > deadline) {
      const std::string reason = found->reason().empty() ? "" : ": " + found->reason();
      return At(address, absl::UnavailableError("model \"" + found->name() + "\" is " +
                                                found->state() + reason));
    }
    std::this_thread::sleep_for(kLoadingPoll);
  }
}

std::string GrpcTextGenerator::model_name() const { return impl_->title; }
engine::ModelCapabilities GrpcTextGenerator::capabilities() const { return impl_->capabilities; }

absl::StatusOr<std::unique_ptr<Generation>> GrpcTextGenerator::Generate(
    GeneratorRequest request, GeneratorCallbacks callbacks) {
  if (request.messages.empty()) return absl::InvalidArgumentError("messages: empty");
  const auto call =
      std::make_shared<Impl::Call>(*impl_, ToProto(request, impl_->model), std::move(callbacks));
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopped) return absl::UnavailableError("engine server: stopping");
    impl_->calls.insert(call.get());
  }
  auto handle = std::make_unique<CallHandle<Impl::Call>>(call);
  call->Start(call, request.deadline);
  return handle;
}

}  // namespace emptor::services
