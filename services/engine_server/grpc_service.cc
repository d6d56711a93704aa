// The gRPC server and its unary calls.
#include "services/engine_server/grpc_service.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <utility>
#include <vector>

#include "services/engine_server/generate_call.h"
#include "services/proto/engine.grpc.pb.h"

namespace emptor::services {
namespace {

namespace v1 = emptor::engine::v1;
using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

constexpr int kMaxTexts = 2048;
constexpr int kMaxMessageBytes = 8 << 20;

grpc::Status ToGrpc(const absl::Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

void Fill(const ModelStatus& status, v1::Model& out) {
  out.set_name(status.spec.name);
  out.set_kind(std::string(ToString(status.spec.kind)));
  out.set_state(std::string(ToString(status.state)));
  out.set_percent(status.percent);
  out.set_reason(status.reason);
  out.set_active(status.active);
  out.set_context_length(status.info.context_length);
  out.set_title(status.info.name);
  out.set_parent(status.parent);
  out.set_references(status.info.capabilities.references);
  for (const std::string& code : status.info.capabilities.languages) out.add_languages(code);
}

class EngineService final : public v1::Engine::CallbackService {
 public:
  explicit EngineService(ModelRegistry& models) : models_(models) {}

  grpc::ServerWriteReactor<v1::GenerateEvent>* Generate(
      CallbackServerContext* context, const v1::GenerateRequest* request) override {
    return StartGenerateCall(*context, *request, models_);
  }

  ServerUnaryReactor* Embed(CallbackServerContext* context, const v1::EmbedRequest* request,
                            v1::EmbedReply* reply) override {
    return Finished(context, ToGrpc(FillEmbeddings(*request, *reply)));
  }
  ServerUnaryReactor* ListModels(CallbackServerContext* context, const v1::ListModelsRequest*,
                                 v1::ListModelsReply* reply) override {
    for (const auto& status : models_.List()) Fill(status, *reply->add_models());
    return Finished(context, grpc::Status::OK);
  }
  ServerUnaryReactor* ModelStatus(CallbackServerContext* context, const v1::ModelRequest* request,
                                  v1::Model* reply) override {
    return ReplyStatus(context, request->name(), absl::OkStatus(), *reply);
  }
  ServerUnaryReactor* Activate(CallbackServerContext* context, const v1::ModelRequest* request,
                               v1::Model* reply) override {
    return ReplyStatus(context, request->name(), models_.Activate(request->name()), *reply);
  }
  ServerUnaryReactor* Load(CallbackServerContext* context, const v1::ModelRequest* request,
                           v1::Model* reply) override {
    return ReplyStatus(context, request->name(), models_.Load(request->name()), *reply);
  }
  ServerUnaryReactor* Unload(CallbackServerContext* context, const v1::ModelRequest* request,
                             v1::Model* reply) override {
    return ReplyStatus(context, request->name(), models_.Unload(request->name()), *reply);
  }

 private:
  static ServerUnaryReactor* Finished(CallbackServerContext* context, const grpc::Status& status) {
    ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(status);
    return reactor;
  }
  ServerUnaryReactor* ReplyStatus(CallbackServerContext* context, const std::string& name,
                                  absl::Status status, v1::Model& reply) const {
    const auto found = models_.Status(name);
    if (status.ok()) status = found.status();
    if (status.ok()) Fill(*found, reply);
    return Finished(context, ToGrpc(status));
  }
  absl::Status FillEmbeddings(const v1::EmbedRequest& request, v1::EmbedReply& reply) const;

  ModelRegistry& models_;
};

absl::Status EngineService::FillEmbeddings(const v1::EmbedRequest& request,
                                           v1::EmbedReply& reply) const {
  const auto encoder = models_.FindEncoder(request.model());
  if (!encoder.ok()) return encoder.status();
  if (request.texts_size() == 0 || request.texts_size() > kMaxTexts) {
    return absl::InvalidArgumentError("texts: expected 1 to 2048");
  }
  const std::vector<std::string> texts(request.texts().begin(), request.texts().end());
  const auto dimension = static_cast<size_t>((*encoder)->dimension());
  std::vector<float> floats(texts.size() * dimension);
  if (absl::Status status = (*encoder)->EmbedInto(texts, floats); !status.ok()) return status;
  size_t tokens = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    tokens += (*encoder)->Tokenize(texts[i]).size();
    const auto begin = floats.begin() + static_cast<std::ptrdiff_t>(i * dimension);
    reply.add_embeddings()->mutable_values()->Add(begin,
                                                  begin + static_cast<std::ptrdiff_t>(dimension));
  }
  reply.set_model(request.model().empty() ? models_.ActiveName(ModelKind::kEncoder)
                                          : request.model());
  reply.set_tokens(static_cast<int32_t>(tokens));
  return absl::OkStatus();
}

}  // namespace

struct GrpcServer::Impl {
  explicit Impl(ModelRegistry& models) : service(models) {}
  EngineService service;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

GrpcServer::GrpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GrpcServer::~GrpcServer() { Stop(std::chrono::milliseconds(0)); }
int GrpcServer::port() const { return impl_->port; }

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Start(const std::string& address,
                                                              ModelRegistry& models) {
  static const bool plugins = [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    return true;
  }();
  auto impl = std::make_unique<Impl>(models);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &impl->port);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.RegisterService(&impl->service);
  impl->server = builder.BuildAndStart();
  if (!plugins || impl->server == nullptr || impl->port == 0) {
    return absl::UnavailableError("grpc: cannot listen on " + address);
  }
  return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(impl)));
}

void GrpcServer::SetServing(bool serving) {
  impl_->server->GetHealthCheckService()->SetServingStatus(serving);
}

void GrpcServer::Stop(std::chrono::milliseconds timeout) {
  if (impl_->server == nullptr) return;
  impl_->server->Shutdown(std::chrono::system_clock::now() + timeout);
  impl_->server->Wait();
  impl_->server = nullptr;
}

}  // namespace emptor::services
