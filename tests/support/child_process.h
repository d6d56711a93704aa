// A child process of a test: started, watched, read, killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace emptor::testing {

/// Runs one program with its standard output and error captured in one pipe.
/// Dies with its owner: the destructor kills what still runs. Thread-safety: none.
class ChildProcess {
 public:
  /// Starts `arguments[0]`. Throws std::runtime_error when it cannot.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal_number) const;

  /// Reads output until it contains `text` (then gives everything so far), or the time is up or the
  /// output ends (nothing).
  std::optional<std::string> ReadUntil(const std::string& text, std::chrono::milliseconds timeout);

  /// Waits for the end. Gives the exit code, 128 + signal, or -1 when the time is up.
  int Wait(std::chrono::milliseconds timeout);

  const std::string& output() const { return output_; }

 private:
  bool ReadSome(std::chrono::milliseconds timeout);

  pid_t pid_ = -1;
  int pipe_ = -1;
  std::optional<int> exit_code_;
  std::string output_;
};

/// An empty folder of the test's own, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace emptor::testing
