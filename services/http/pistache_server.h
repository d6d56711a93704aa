// The HTTP server of the product: Pistache's reactor and transport carry the connections, our guard
// reads them, our hub and writer answer. Why so: docs/adr/0001-http-on-pistache.md.
#pragma once

#include <memory>

#include "services/http/exchange.h"

namespace emptor::services {

/// A server that is not yet started. Start ignores SIGPIPE in the whole process and raises the soft
/// limit of descriptors to the hard one; its threads take no signals. Stop, and the destructor, may
/// not be called from a handler or from on_end; exchanges and sinks may outlive the server.
/// TLS ends in a proxy in front.
std::unique_ptr<HttpServer> MakePistacheServer(HttpServerOptions options);

}  // namespace emptor::services
