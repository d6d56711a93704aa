// emptor gateway serve.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/auth/key_store.h"
#include "services/cli/commands.h"
#include "services/gateway/gateway_config.h"
#include "services/gateway/gateway_server.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

struct GatewayServeCommand {
  std::string config, listen, admin_listen, data_dir;  // the last three: over the file's
  bool insecure = false;
  bool check = false;
};

/// File and flags. Reports every mistake; false: there is one.
bool ReadConfig(const GatewayServeCommand& command, GatewayConfig& config) {
  const auto text = ReadGatewayFile(command.config);
  if (!text.ok()) {
    Fail(text.status());
    return false;
  }
  std::vector<absl::Status> mistakes = ReadGatewayConfig(*text, command.config, config);
  if (!command.listen.empty()) config.listen = command.listen;
  if (!command.admin_listen.empty()) config.admin_listen = command.admin_listen;
  if (!command.data_dir.empty()) config.data_dir = command.data_dir;
  config.insecure = config.insecure || command.insecure;
  for (absl::Status& mistake : CheckGatewayConfig(config, command.config)) {
    mistakes.push_back(std::move(mistake));
  }
  for (const absl::Status& mistake : mistakes) Fail(mistake);
  return mistakes.empty();
}

int ReportConfig(const std::string& file, const GatewayConfig& config) {
  std::printf("%s: no mistake; listen %s, admin_listen %s, data_dir %s\n", file.c_str(),
              config.listen.c_str(), config.admin_listen.c_str(), config.data_dir.c_str());
  for (const ReplicaConfig& replica : config.replicas) {
    std::printf("  %s  %s  weight %g, group %s, at most %d requests\n", replica.name.c_str(),
                replica.url.c_str(), replica.weight, replica.group.c_str(),
                replica.max_outstanding);
  }
  return 0;
}

int RunGatewayServe(const GatewayServeCommand& command) {
  GatewayConfig config;
  if (!ReadConfig(command, config)) return 2;
  if (command.check) return ReportConfig(command.config, config);
  SetLogLevel(config.log_level);
  BlockStopSignals();
  const QueuedLog log;
  const auto server = GatewayServer::Start(config);
  if (!server.ok()) return Fail(server.status());
  std::printf("serving on %s\nadmin on %s\nkey in %s\nready\n", (*server)->url().c_str(),
              (*server)->admin_url().c_str(), OwnKeyPath(config.data_dir).c_str());
  std::fflush(stdout);
  Config service;
  service.insecure = config.insecure;
  service.listen = config.listen;
  service.admin_listen = config.admin_listen;
  WarnIfInsecure(service);
  WaitForStopSignal();
  (*server)->Stop();
  return 0;
}

}  // namespace

void AddGatewayCommand(Command root) {
  const auto options = std::make_shared<GatewayServeCommand>();
  const Command gateway = root.AddCommand("gateway", "one address for a fleet of model servers");
  gateway.RequireCommand();
  const Command command = gateway.AddCommand(
      "serve", "balance requests for language models over servers with the OpenAI API");
  command.Add("--config", options->config, "YAML file of the gateway (docs/gateway.md)").Required();
  command.Add("--listen", options->listen, "address of HTTP, in place of the file's");
  command.Add("--admin-listen", options->admin_listen,
              "address of health and metrics, in place of the file's");
  command.Add("--data-dir", options->data_dir, "directory of the keys, in place of the file's");
  command.AddSwitch("--insecure", options->insecure, kInsecureHelp);
  command.AddSwitch("--check", options->check,
                    "report every mistake in the file, its keys and certificates, and end");
  command.OnRun([options] { return RunGatewayServe(*options); });
}

}  // namespace emptor::services
