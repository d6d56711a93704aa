// emptor serve.
#include <semaphore.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "services/app/app.h"
#include "services/auth/key_store.h"
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

sem_t stop_arrived;  // posted by the handler

void SetStopAction(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void BlockStopSignals() {
  // Threads that start later inherit the mask. Threads that a library has started before main do
  // not: a signal that comes to one of them must not have its default action.
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  sem_init(&stop_arrived, /*pshared=*/0, 0);
  SetStopAction([](int) { sem_post(&stop_arrived); });
}

void WaitForStopSignal() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  while (sem_wait(&stop_arrived) != 0 && errno == EINTR) {
  }
  SetStopAction(SIG_DFL);  // a second signal ends a stop that takes too long
}

namespace {

int RunServe(const Config& config) {
  if (!SetLogLevel(config.log_level)) {
    return Fail(absl::InvalidArgumentError("log_level: expected info, warning, error or off"));
  }
  BlockStopSignals();
  const QueuedLog log;
  auto app = App::Start(config);
  if (!app.ok()) return Fail(app.status());
  std::printf("serving on %s\nadmin on %s\nkey in %s\nready\n", (*app)->url().c_str(),
              (*app)->admin_url().c_str(), OwnKeyPath(config.data_dir).c_str());
  std::fflush(stdout);
  WarnIfInsecure(config);
  WaitForStopSignal();
  (*app)->Stop();
  return 0;
}

}  // namespace

void AddServeCommand(Command root, SettingFlags& settings) {
  const Command command = root.AddCommand("serve", "serve shops and models from one process");
  settings.AddForServe(command);
  settings.AddSwitch(command, "insecure", kInsecureHelp);
  settings.OnRun(command, RunServe);
}

}  // namespace emptor::services
