// The parts of an engine server, in building order.
#include "services/engine_server/engine_server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

#include "services/api/admin_routes.h"
#include "services/api/key_routes.h"
#include "services/api/model_routes.h"
#include "services/app/access_policy.h"
#include "services/app/engine_options.h"
#include "services/app/server_ports.h"
#include "services/engine_server/grpc_service.h"
#include "services/llm_api/openai_routes.h"
#include "services/llm_api/tgi_routes.h"
#include "services/models/grpc_model_url.h"
#include "services/observability/engine_metrics.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

/// For the last replies over gRPC once the engines are idle.
constexpr milliseconds kLastReplies{2000};

ModelRegistryOptions RegistryOptions(const Config& config, EngineMetrics& metrics) {
  ModelRegistryOptions options;
  options.engine = EngineOptionsOf(config);
  options.drain = milliseconds(config.drain_ms);
  options.on_generation = [&metrics](const GenerationRecord& record) { metrics.Observe(record); };
  return options;
}

}  // namespace

struct EngineServer::Impl {
  explicit Impl(EngineServerOptions given)
      : options(std::move(given)), models(RegistryOptions(options.config, metrics)) {}
  ~Impl() { models.Stop(); }  // the last callbacks hand their ends to the workers
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const EngineServerOptions options;
  AccessParts access;
  EngineMetrics metrics;
  ModelRegistry models;
  std::unique_ptr<WorkerPool> workers;  // destroyed first: queued work looks up models
  std::atomic<bool> ready{false};
  std::unique_ptr<ServerPorts> ports;
  std::unique_ptr<GrpcServer> grpc_server;

  absl::Status OpenAccessParts();
  absl::Status OpenPorts();
  absl::Status LoadModels();
  std::vector<Route> PublicRoutes();
  std::vector<Route> AdminRoutes();
  absl::Status Readiness() const {
    return ready ? absl::OkStatus() : absl::UnavailableError("loading or stopping");
  }
};

std::vector<Route> EngineServer::Impl::PublicRoutes() {
  const Config& config = options.config;
  LlmRoutesParts parts{models, *workers, nullptr,
                       [] { return static_cast<int64_t>(std::time(nullptr)); }};
  parts.max_concurrent = config.engine_max_running + config.engine_max_waiting;
  std::vector<Route> routes = MakeOpenAiRoutes(parts);
  for (Route& route : MakeTgiRoutes(parts)) routes.push_back(std::move(route));
  routes.push_back(MakeHealthRoute([this] { return Readiness(); }));
  return routes;
}

std::vector<Route> EngineServer::Impl::AdminRoutes() {
  AdminRoutesParts parts;
  parts.readiness = [this] { return Readiness(); };
  parts.metrics = [this] {
    std::vector<Sample> samples = EngineSamples(models);
    for (Sample& sample : GatewaySamples(models)) samples.push_back(std::move(sample));
    for (Sample& sample : RefusalSamples(access)) {
      samples.push_back(std::move(sample));
    }
    return metrics.Text(samples);
  };
  std::vector<Route> routes = MakeAdminRoutes(parts);
  for (Route& route : MakeModelRoutes(models)) routes.push_back(std::move(route));
  for (Route& route : MakeKeyRoutes(*access.keys, *workers)) routes.push_back(std::move(route));
  return routes;
}

/// gRPC knows no keys: what reaches that port may generate.
absl::Status EngineServer::Impl::OpenAccessParts() {
  const Config& config = options.config;
  if (!options.grpc_listen.empty() && !config.insecure) {
    const auto address = ParseListenAddress(options.grpc_listen);
    if (!address.ok()) return address.status();
    if (IsReachedFromOutside(*address)) {
      return absl::FailedPreconditionError(
          "listen: other machines reach " + options.grpc_listen +
          ", and gRPC checks no keys: listen on 127.0.0.1. --insecure starts all the same and lets "
          "whoever reaches the port generate");
    }
  }
  auto opened = OpenAccess(config);
  if (!opened.ok()) return opened.status();
  access = *std::move(opened);
  return absl::OkStatus();
}

absl::Status EngineServer::Impl::OpenPorts() {
  const Config& config = options.config;
  ServerPortsOptions ports_options{.listen = config.listen, .admin_listen = config.admin_listen};
  ports_options.access_log = config.access_log && config.log_level == "info";
  ports_options.http_threads = config.http_threads;
  ports_options.max_streams = static_cast<size_t>(config.max_streams);
  ports_options.count = [this](const std::string& pattern, int status, double seconds) {
    metrics.CountRequest(pattern, status, seconds);
  };
  auto opened = ServerPorts::Open(ports_options, PublicRoutes(), AdminRoutes(), access);
  if (!opened.ok()) return opened.status();
  ports = *std::move(opened);
  if (options.grpc_listen.empty()) return absl::OkStatus();
  if (const auto address = ParseListenAddress(options.grpc_listen); !address.ok()) {
    return address.status();
  }
  auto grpc = GrpcServer::Start(options.grpc_listen, models);
  if (!grpc.ok()) return grpc.status();
  grpc_server = *std::move(grpc);
  grpc_server->SetServing(false);
  return absl::OkStatus();
}

absl::Status EngineServer::Impl::LoadModels() {
  const Config& config = options.config;
  if (IsGrpcModelUrl(config.model)) {
    return absl::InvalidArgumentError(
        "model: expected a model file or directory of this engine server, found \"" + config.model +
        "\"");
  }
  std::vector<ModelSpec> specs = LanguageModelsOf(config);
  std::vector<std::string> needed;  // before the server is ready
  const auto active = ActiveModelOf(config);
  if (!active.ok()) return active.status();
  if (!active->empty()) needed.push_back(*active);
  for (ModelSpec& spec : EncodersOf(config)) {
    if (spec.path != config.embedder) specs.push_back(std::move(spec));
  }
  if (!config.embedder.empty() && config.embedder != "none" && !IsEmbedderUrl(config.embedder)) {
    specs.push_back(EmbedderSpecOf(config));
    specs.back().load = true;
    needed.push_back(specs.back().name);
  }
  for (const ModelSpec& spec : specs) {
    absl::Status status = models.Add(spec);
    if (status.ok() && spec.load) status = models.Load(spec.name);
    if (!status.ok()) return status;
  }
  for (const std::string& name : needed) {
    if (absl::Status status = models.WaitFor(name); !status.ok()) return status;
  }
  return active->empty() ? absl::OkStatus() : models.Activate(*active);
}

EngineServer::EngineServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EngineServer::~EngineServer() { Stop(); }
const std::string& EngineServer::url() const { return impl_->ports->url(); }
const std::string& EngineServer::admin_url() const { return impl_->ports->admin_url(); }
const std::vector<Route>& EngineServer::routes() const { return impl_->ports->routes(); }
const std::vector<Route>& EngineServer::admin_routes() const {
  return impl_->ports->admin_routes();
}
int EngineServer::grpc_port() const {
  return impl_->grpc_server == nullptr ? 0 : impl_->grpc_server->port();
}

absl::StatusOr<std::unique_ptr<EngineServer>> EngineServer::Start(
    const EngineServerOptions& options) {
  std::unique_ptr<EngineServer> server(new EngineServer(std::make_unique<Impl>(options)));
  Impl& impl = *server->impl_;
  impl.workers = std::make_unique<WorkerPool>(options.config.workers,
                                              static_cast<size_t>(options.config.max_queued));
  if (absl::Status status = impl.OpenAccessParts(); !status.ok()) return status;
  if (absl::Status status = impl.OpenPorts(); !status.ok()) return status;
  if (absl::Status status = impl.LoadModels(); !status.ok()) return status;
  impl.ready = true;
  if (impl.grpc_server) impl.grpc_server->SetServing(true);
  return server;
}

void EngineServer::Stop() {
  Impl& parts = *impl_;
  if (parts.ready.exchange(false)) {
    if (parts.grpc_server) parts.grpc_server->SetServing(false);
    const auto grace = milliseconds(parts.options.config.drain_ms);
    const auto deadline = std::chrono::steady_clock::now() + grace;
    parts.ports->RefuseNew();
    parts.models.Drain(grace);  // over gRPC as well
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    LogStop(parts.ports->Drain(std::max(left, milliseconds(0))));
  }
  if (parts.grpc_server) parts.grpc_server->Stop(kLastReplies);
  if (parts.ports) parts.ports->Stop();
}

}  // namespace emptor::services
