// SIGSTOP and SIGCONT let the neighbour rest and work.
#include "engine/speed/neighbour_meter.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <random>
#include <utility>

#include "engine/engine.h"
#include "engine/speed/single_request.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

absl::Status CheckRange(const char* field, int found, int least, int most) {
  if (found >= least && found <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "bench engine: neighbour: {}: expected {} to {}, found {}", field, least, most, found));
}

/// A process that keeps one core busy while it is enabled.
class BusyProcess {
 public:
  /// Creates the process, stopped. Errors: kUnavailable.
  static absl::StatusOr<std::unique_ptr<BusyProcess>> Start() {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return absl::ErrnoToStatus(errno, "bench engine: neighbour: fork");
    if (child == 0) Spin(parent);
    auto process = std::unique_ptr<BusyProcess>(new BusyProcess(child));
    process->Rest();
    return process;
  }
  ~BusyProcess() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

  void Work() { Send(SIGCONT, WCONTINUED); }
  void Rest() { Send(SIGSTOP, WUNTRACED); }

 private:
  explicit BusyProcess(pid_t child) : child_(child) {}

  /// Returns when the signal has taken effect.
  void Send(int signal, int change) {
    kill(child_, signal);
    while (waitpid(child_, nullptr, change) < 0 && errno == EINTR) {
    }
  }

  /// Only what a forked child of a process with threads may call.
  [[noreturn]] static void Spin(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    volatile uint64_t value = 1;
    while (true) value = value * 2862933555777941757u + 3037000493u;
  }

  pid_t child_;
};

absl::Status Sample(Engine& engine, const NeighbourOptions& options, std::mt19937_64& random,
                    std::vector<double>& rates) {
  // The first token belongs to the prompt.
  const auto usage =
      AskAndWait(engine, RandomPrompt(engine, options.prompt, random), options.tokens + 1);
  if (!usage.ok()) return usage.status();
  rates.push_back(options.tokens / (usage->total_seconds - usage->ttft_seconds));
  return absl::OkStatus();
}

absl::Status RunRound(Engine& engine, const NeighbourOptions& options, bool disturbed_first,
                      BusyProcess& neighbour, std::mt19937_64& random, NeighbourReport& report) {
  for (const bool disturbed : {disturbed_first, !disturbed_first}) {
    if (disturbed) neighbour.Work();
    const absl::Status status =
        Sample(engine, options, random, disturbed ? report.disturbed : report.quiet);
    if (disturbed) neighbour.Rest();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

Summary NeighbourReport::Share() const {
  std::vector<double> values;
  for (size_t i = 0; i < quiet.size(); ++i) values.push_back(disturbed[i] / quiet[i]);
  return Summarize(std::move(values));
}

absl::StatusOr<NeighbourReport> MeasureNeighbour(const std::string& path,
                                                 const NeighbourOptions& options) {
  constexpr int kManyTokens = 1 << 20;
  for (const absl::Status& status : {CheckRange("prompt", options.prompt, 1, kManyTokens),
                                     CheckRange("tokens", options.tokens, 1, kManyTokens),
                                     CheckRange("rounds", options.rounds, 1, 10'000)}) {
    if (!status.ok()) return status;
  }
  // Before the model: pages that are forked would have to be copied where the engine writes.
  auto neighbour = BusyProcess::Start();
  if (!neighbour.ok()) return neighbour.status();
  EngineOptions engine_options;
  engine_options.threads = options.threads;
  engine_options.kv_blocks = (options.prompt + options.tokens) / engine_options.kv_block_tokens + 2;
  auto engine = Engine::Load(path, engine_options);
  if (!engine.ok()) return engine.status();
  NeighbourReport report{.model = path, .threads = options.threads};
  std::mt19937_64 random(options.seed);
  std::vector<double> first;  // warms up, and is not counted
  absl::Status status = Sample(**engine, options, random, first);
  for (int round = 0; round < options.rounds && status.ok(); ++round) {
    status = RunRound(**engine, options, round % 2 == 1, **neighbour, random, report);
  }
  if (!status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
