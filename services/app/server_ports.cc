// Two servers and two routers.
#include "services/app/server_ports.h"

#include <utility>

#include "services/app/counting_exchange.h"
#include "services/observability/access_log.h"

namespace emptor::services {
namespace {

/// A port and what it serves. The router outlives the server.
struct Port {
  std::unique_ptr<const Router> router;
  std::unique_ptr<HttpServer> server;
  std::string url;

  absl::Status Listen(const std::string& listen, HttpServerOptions options) {
    const auto address = ParseListenAddress(listen);
    if (!address.ok()) return address.status();
    options.address = address->host;
    options.port = address->port;
    options.body_limit = BodyLimits(router->routes());
    server = std::make_unique<HttpServer>(std::move(options));
    absl::Status status = server->Start(
        [this](std::shared_ptr<Exchange> exchange) { (*router)(std::move(exchange)); });
    if (status.ok()) url = UrlOf(*address, server->port());
    return status;
  }
};

Router::Observer ObserverOf(const ServerPortsOptions& options) {
  return [wrap = options.wrap, count = options.count](
             const std::string& pattern,
             std::shared_ptr<Exchange> exchange) -> std::shared_ptr<Exchange> {
    if (wrap != nullptr) exchange = wrap(std::move(exchange));
    if (!count) return exchange;
    return std::make_shared<CountingExchange>(
        std::move(exchange),
        [count, pattern](int status, double seconds) { count(pattern, status, seconds); });
  };
}

}  // namespace

struct ServerPorts::Impl {
  Port admin, open;  // the second is closed first
};

std::string UrlOf(const ListenAddress& address, int port) {
  return "http://" + address.host + ":" + std::to_string(port);
}

ServerPorts::ServerPorts(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ServerPorts::~ServerPorts() { Stop(); }

absl::StatusOr<std::unique_ptr<ServerPorts>> ServerPorts::Open(const ServerPortsOptions& options,
                                                               std::vector<Route> routes,
                                                               std::vector<Route> admin_routes,
                                                               const AccessParts& access) {
  std::unique_ptr<ServerPorts> ports(new ServerPorts(std::make_unique<Impl>()));
  Port &admin = ports->impl_->admin, &open = ports->impl_->open;
  HttpServerOptions http;
  if (options.access_log) http.on_answered = MakeAccessLog();
  http.max_body_bytes = options.max_body_bytes;
  http.threads = 1;
  http.max_streams = 16;
  admin.router =
      std::make_unique<const Router>(std::move(admin_routes), access.admin_gate, nullptr);
  absl::Status status = admin.Listen(options.admin_listen, http);
  if (!status.ok()) return status;
  http.threads = options.http_threads;
  http.max_streams = options.max_streams;
  http.max_stream_queue_bytes = options.max_stream_queue_bytes;
  http.error_body = options.error_body;
  open.router = std::make_unique<const Router>(std::move(routes), access.gate, ObserverOf(options));
  status = open.Listen(options.listen, http);
  if (!status.ok()) return status;
  return ports;
}

const std::string& ServerPorts::url() const { return impl_->open.url; }
const std::string& ServerPorts::admin_url() const { return impl_->admin.url; }
const std::vector<Route>& ServerPorts::routes() const { return impl_->open.router->routes(); }
const std::vector<Route>& ServerPorts::admin_routes() const {
  return impl_->admin.router->routes();
}

void ServerPorts::RefuseNew() { impl_->open.server->RefuseNew(); }

DrainReport ServerPorts::Drain(std::chrono::milliseconds grace) {
  return impl_->open.server->Drain(grace);
}

void ServerPorts::Stop() {
  if (impl_->open.server) impl_->open.server->Stop();
  if (impl_->admin.server) impl_->admin.server->Stop();
}

}  // namespace emptor::services
