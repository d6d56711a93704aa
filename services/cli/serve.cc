// emptor serve.
#include <signal.h>

#include <cstdio>
#include <utility>

#include "services/app/app.h"
#include "services/cli/commands.h"
#include "services/observability/log.h"

namespace emptor::services {

namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

void BlockStopSignals() {
  // Threads that start later inherit the mask, so that only sigwait gets the signals.
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void WaitForStopSignal() {
  const sigset_t signals = StopSignals();
  int signal_number = 0;
  sigwait(&signals, &signal_number);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

namespace {

int RunServe(const Config& config) {
  if (!SetLogLevel(config.log_level)) {
    return Fail(absl::InvalidArgumentError("log_level: expected info, warning, error or off"));
  }
  BlockStopSignals();
  auto app = App::Start(config);
  if (!app.ok()) return Fail(app.status());
  std::printf("serving on %s\nadmin on %s\nready\n", (*app)->url().c_str(),
              (*app)->admin_url().c_str());
  std::fflush(stdout);
  WaitForStopSignal();
  (*app)->Stop();
  return 0;
}

}  // namespace

void AddServeCommand(Command root, SettingFlags& settings) {
  const Command command = root.AddCommand("serve", "serve shops and models from one process");
  settings.AddForServe(command);
  settings.OnRun(command, RunServe);
}

}  // namespace emptor::services
