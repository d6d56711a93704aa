// emptor engine serve.
#include <cstdio>
#include <memory>

#include "services/auth/key_store.h"
#include "services/cli/commands.h"
#include "services/engine_server/engine_server.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

struct EngineServeCommand {
  std::string grpc = "127.0.0.1:8090";  // "none": no gRPC
  std::string http;                     // empty: the setting `listen`
};

int RunEngineServe(const Config& config, const EngineServeCommand& command) {
  if (!SetLogLevel(config.log_level)) {
    return Fail(absl::InvalidArgumentError("log_level: expected info, warning, error or off"));
  }
  BlockStopSignals();
  const QueuedLog log;
  EngineServerOptions options;
  options.config = config;
  if (!command.http.empty()) options.config.listen = command.http;
  options.grpc_listen = command.grpc == "none" ? "" : command.grpc;
  const auto server = EngineServer::Start(options);
  if (!server.ok()) return Fail(server.status());
  std::printf("serving on %s\n", (*server)->url().c_str());
  if ((*server)->grpc_port() != 0) std::printf("grpc on port %d\n", (*server)->grpc_port());
  std::printf("admin on %s\nkey in %s\nready\n", (*server)->admin_url().c_str(),
              OwnKeyPath(config.data_dir).c_str());
  std::fflush(stdout);
  WarnIfInsecure(options.config);
  WaitForStopSignal();
  (*server)->Stop();
  return 0;
}

}  // namespace

void AddEngineCommand(Command root, SettingFlags& settings) {
  const auto options = std::make_shared<EngineServeCommand>();
  const Command engine = root.AddCommand("engine", "models without a shop");
  engine.RequireCommand();
  const Command command =
      engine.AddCommand("serve", "serve models through the OpenAI, TGI and gRPC interfaces");
  command.Add("--listen", options->grpc, "address of gRPC, or \"none\" (127.0.0.1:8090)");
  command.Add("--http", options->http, "address of HTTP (127.0.0.1:8080)");
  settings.Add(command, "admin_listen");
  settings.AddConfig(command);
  settings.Add(command, "data_dir", "directory of the keys (./var/emptor)");
  settings.AddSwitch(command, "insecure", kInsecureHelp);
  settings.Add(command, "model", "language model, or \"none\"");
  settings.Add(command, "adapter");
  settings.Add(command, "embedder", "embedding model, or \"none\"");
  settings.Add(command, "log_level");
  settings.OnRun(command,
                 [options](const Config& config) { return RunEngineServe(config, *options); });
}

}  // namespace emptor::services
