// emptor engine serve.
#include <cstdio>

#include "services/cli/commands.h"
#include "services/engine_server/engine_server.h"
#include "services/observability/log.h"

namespace emptor::services {

int RunEngineServe(const Config& config, const EngineServeCommand& command) {
  if (!SetLogLevel(config.log_level)) {
    return Fail(absl::InvalidArgumentError("log_level: expected info, warning, error or off"));
  }
  BlockStopSignals();
  EngineServerOptions options;
  options.config = config;
  if (!command.http.empty()) options.config.listen = command.http;
  options.grpc_listen = command.grpc == "none" ? "" : command.grpc;
  const auto server = EngineServer::Start(options);
  if (!server.ok()) return Fail(server.status());
  std::printf("serving on %s\n", (*server)->url().c_str());
  if ((*server)->grpc_port() != 0) std::printf("grpc on port %d\n", (*server)->grpc_port());
  std::printf("admin on %s\nready\n", (*server)->admin_url().c_str());
  std::fflush(stdout);
  WaitForStopSignal();
  (*server)->Stop();
  return 0;
}

}  // namespace emptor::services
