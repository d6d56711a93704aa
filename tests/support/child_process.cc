// A child process of a test: started, watched, read, killed.
#include "tests/support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace emptor::testing {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("pipe: " + std::string(strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int error = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  pipe_ = ends[0];
  // Room for the log of a service that answers while no test reads its output.
  (void)fcntl(pipe_, F_SETPIPE_SZ, 1 << 20);
  if (error != 0) {
    close(pipe_);
    throw std::runtime_error("spawn " + arguments[0] + ": " + strerror(error));
  }
}

ChildProcess::~ChildProcess() {
  if (!exit_code_) {
    Signal(SIGKILL);
    Wait(milliseconds(10000));
  }
  close(pipe_);
}

void ChildProcess::Signal(int signal_number) const {
  if (!exit_code_) kill(pid_, signal_number);
}

bool ChildProcess::ReadSome(milliseconds timeout) {
  pollfd event{.fd = pipe_, .events = POLLIN, .revents = 0};
  if (poll(&event, 1, static_cast<int>(timeout.count())) <= 0) return true;  // nothing yet
  char buffer[16384];
  const ssize_t n = read(pipe_, buffer, sizeof buffer);
  if (n > 0) output_.append(buffer, static_cast<size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

std::optional<std::string> ChildProcess::ReadUntil(const std::string& text, milliseconds timeout) {
  const auto end = steady_clock::now() + timeout;
  while (output_.find(text) == std::string::npos) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
    if (left.count() <= 0 || !ReadSome(left)) return std::nullopt;
  }
  return output_;
}

int ChildProcess::Wait(milliseconds timeout) {
  const auto end = steady_clock::now() + timeout;
  bool open = true;
  while (!exit_code_) {
    int status = 0;
    const pid_t done = waitpid(pid_, &status, WNOHANG);
    if (done == pid_) {
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      break;
    }
    if (steady_clock::now() >= end) return -1;
    // The pipe is drained meanwhile, or a talkative child would never end.
    if (open) open = ReadSome(milliseconds(20));
    if (!open) std::this_thread::sleep_for(milliseconds(2));
  }
  while (open) {
    const size_t before = output_.size();
    open = ReadSome(milliseconds(0)) && output_.size() > before;
  }
  return *exit_code_;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "emptor-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace emptor::testing
