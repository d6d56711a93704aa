// The parts of the gateway's process, in building order.
#include "services/gateway/gateway_server.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "services/api/admin_routes.h"
#include "services/api/key_routes.h"
#include "services/app/access_policy.h"
#include "services/app/config.h"
#include "services/app/server_ports.h"
#include "services/client/api_key.h"
#include "services/gateway/completion_call.h"
#include "services/gateway/gateway.h"
#include "services/gateway/gateway_metrics.h"
#include "services/gateway/openai_errors.h"
#include "services/observability/log.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using std::chrono::milliseconds;

/// What the parts that gateway and service share are set by.
Config ServiceConfigOf(const GatewayConfig& config) {
  Config service;
  service.data_dir = config.data_dir;
  service.listen = config.listen;
  service.admin_listen = config.admin_listen;
  service.insecure = config.insecure;
  service.allowed_hosts = config.allowed_hosts;
  return service;
}

}  // namespace

std::vector<absl::Status> CheckGatewayConfig(const GatewayConfig& config, const std::string& file) {
  std::vector<absl::Status> mistakes;
  for (const auto& [name, text] :
       {std::pair("listen", config.listen), std::pair("admin_listen", config.admin_listen)}) {
    if (ParseListenAddress(text).ok()) continue;
    mistakes.push_back(absl::InvalidArgumentError(file + ": " + name +
                                                  ": expected HOST:PORT, found \"" + text + "\""));
  }
  std::string latest;
  for (const ReplicaConfig& replica : config.replicas) {
    const std::string where =
        replica.origin.empty() ? file + ": replica " + replica.name : replica.origin;
    if (std::exchange(latest, where) == where) continue;  // another place of the same pool
    if (!replica.api_key_env.empty() && std::getenv(replica.api_key_env.c_str()) == nullptr) {
      mistakes.push_back(absl::NotFoundError(where + ": api_key_env: the environment has no " +
                                             replica.api_key_env +
                                             ": set it, or name a file by api_key_file"));
    } else if (auto key = ReadApiKey(where, replica.api_key_env, replica.api_key_file); !key.ok()) {
      mistakes.push_back(key.status());
    }
    if (!replica.ca_file.empty() && !std::ifstream(replica.ca_file).is_open()) {
      mistakes.push_back(
          absl::NotFoundError(where + ": ca_file: " + replica.ca_file + ": cannot be read"));
    }
  }
  return mistakes;
}

struct GatewayServer::Impl {
  explicit Impl(const GatewayConfig& given) : config(given) {}

  const GatewayConfig config;
  AccessParts access;
  GatewayMetrics metrics;
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<WorkerPool> workers;  // of changes to keys
  std::atomic<bool> ready{false};
  std::unique_ptr<ServerPorts> ports;

  absl::Status Readiness() const {
    return ready ? gateway->Readiness() : absl::UnavailableError("starting or stopping");
  }
  std::vector<Route> PublicRoutes();
  std::vector<Route> AdminRoutes();
  absl::Status OpenPorts();
};

std::vector<Route> GatewayServer::Impl::PublicRoutes() {
  const auto complete = [this](bool chat) {
    return [this, chat](const ExchangePtr& exchange, std::string_view) {
      gateway->Complete(exchange, chat);
    };
  };
  std::vector<Route> routes = {
      Generating(
          {"POST", "/v1/chat/completions", Access::kAsk, complete(true), kMaxCompletionBody}),
      Generating({"POST", "/v1/completions", Access::kAsk, complete(false), kMaxCompletionBody}),
      {"GET", "/v1/models", Access::kAsk,
       [this](const ExchangePtr& exchange, std::string_view) { gateway->ListModels(*exchange); }},
  };
  routes.push_back(MakeHealthRoute([this] { return Readiness(); }));
  return routes;
}

std::vector<Route> GatewayServer::Impl::AdminRoutes() {
  AdminRoutesParts parts;
  parts.readiness = [this] { return Readiness(); };
  parts.metrics = [this] {
    std::vector<Sample> samples = gateway->Samples();
    for (Sample& sample : RefusalSamples(access)) samples.push_back(std::move(sample));
    return metrics.Text(samples);
  };
  std::vector<Route> routes = MakeAdminRoutes(parts);
  for (Route& route : MakeKeyRoutes(*access.keys, *workers)) routes.push_back(std::move(route));
  return routes;
}

absl::Status GatewayServer::Impl::OpenPorts() {
  ServerPortsOptions options{.listen = config.listen, .admin_listen = config.admin_listen};
  options.access_log = config.access_log && config.log_level == "info";
  options.max_body_bytes = 2 * kMaxCompletionBody;
  options.http_threads = config.http_threads;
  options.max_streams = static_cast<size_t>(config.max_streams);
  options.max_stream_queue_bytes = kStreamQueueBytes;
  options.error_body = OpenAiErrorBody;
  options.wrap = WithOpenAiErrors;
  options.count = [this](const std::string& pattern, int status, double seconds) {
    metrics.CountRequest(pattern, status, seconds);
  };
  auto opened = ServerPorts::Open(options, PublicRoutes(), AdminRoutes(), access);
  if (!opened.ok()) return opened.status();
  ports = *std::move(opened);
  return absl::OkStatus();
}

GatewayServer::GatewayServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GatewayServer::~GatewayServer() { Stop(); }
const std::string& GatewayServer::url() const { return impl_->ports->url(); }
const std::string& GatewayServer::admin_url() const { return impl_->ports->admin_url(); }

absl::StatusOr<std::unique_ptr<GatewayServer>> GatewayServer::Start(const GatewayConfig& config,
                                                                    HostResolver resolve) {
  std::unique_ptr<GatewayServer> server(new GatewayServer(std::make_unique<Impl>(config)));
  Impl& impl = *server->impl_;
  auto access = OpenAccess(ServiceConfigOf(config));
  if (!access.ok()) return access.status();
  impl.access = *std::move(access);
  impl.workers = std::make_unique<WorkerPool>(1, 64);
  auto gateway = Gateway::Open(config, impl.metrics, std::move(resolve));
  if (!gateway.ok()) return gateway.status();
  impl.gateway = *std::move(gateway);
  if (absl::Status status = impl.OpenPorts(); !status.ok()) return status;
  impl.ready = true;
  return server;
}

void GatewayServer::Stop() {
  Impl& parts = *impl_;
  if (parts.ready.exchange(false)) {
    parts.gateway->Drain();
    LogStop(parts.ports->Drain(milliseconds(parts.config.drain_ms)));
  }
  if (parts.ports) parts.ports->Stop();
  if (parts.gateway) parts.gateway->Stop();
}

}  // namespace emptor::services
