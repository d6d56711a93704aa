// A child process, fed from memory and read until its end, its deadline or its limit.
#include "catalog/documents/pdf_process.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <semaphore>
#include <utility>

#include "absl/status/status.h"
#include "catalog/documents/pdf_child.h"
#include "catalog/documents/pdf_reply.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kReadBytes = 1u << 16;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { Close(); }
  void Close() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }
  int number() const { return number_; }

 private:
  int number_;
};

absl::Status CannotStart(std::string_view what, int error) {
  return absl::UnavailableError(fmt::format("PDF: {}: {}", what, std::strerror(error)));
}

/// The bytes as an anonymous file, positioned at its start.
absl::StatusOr<Descriptor> InMemory(std::string_view bytes) {
  Descriptor file(memfd_create("pdf", MFD_CLOEXEC));
  if (file.number() < 0) return CannotStart("no memory file", errno);
  while (!bytes.empty()) {
    const ssize_t count = write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return CannotStart("no room in memory", errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  if (lseek(file.number(), 0, SEEK_SET) != 0) return CannotStart("memory file", errno);
  return file;
}

/// The resources of posix_spawn; freed with this object.
class SpawnSettings {
 public:
  SpawnSettings(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  absl::StatusOr<pid_t> Spawn(const std::string& executable) const {
    std::string name = "emptor", command = kPdfChildCommand;
    // Libraries that the program is linked with start no threads, and nothing of ours leaks.
    std::string one_thread = "OPENBLAS_NUM_THREADS=1", one_more = "OMP_NUM_THREADS=1";
    std::array<char*, 3> arguments = {name.data(), command.data(), nullptr};
    std::array<char*, 3> environment = {one_thread.data(), one_more.data(), nullptr};
    pid_t process = 0;
    const int error = posix_spawn(&process, executable.c_str(), &actions_, &attributes_,
                                  arguments.data(), environment.data());
    if (error != 0) return CannotStart(executable, error);
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// A child process that is killed and reaped with this object.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() { End(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Kills the process if it still runs. Returns its exit status.
  int End() {
    if (process_ <= 0) return status_;
    kill(process_, SIGKILL);
    while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status_;
  }

 private:
  pid_t process_;
  int status_ = 0;
};

enum class ReadEnd { kEnded, kTooMuch, kLate };

/// Until the writer closes the pipe.
ReadEnd ReadAll(int pipe, const PdfProcessOptions& options, std::string& out) {
  const auto end = Clock::now() + options.deadline;
  std::string chunk(kReadBytes, '\0');
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left.count() <= 0) return ReadEnd::kLate;
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready == 0) return ReadEnd::kLate;
    if (ready < 0) continue;  // a signal
    const ssize_t count = read(pipe, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return ReadEnd::kEnded;
    out.append(chunk, 0, static_cast<size_t>(count));
    if (out.size() > options.max_reply_bytes) return ReadEnd::kTooMuch;
  }
}

absl::Status Refuse(std::string_view reason, std::string_view what) {
  return WithRefusal(absl::InvalidArgumentError(fmt::format("PDF: {}", what)), reason);
}

absl::Status RefuseEnded(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGXCPU) return Refuse("pdf_slow", "reading it takes too long");
    if (number == SIGSYS) {
      return Refuse("pdf_stopped", "its reader was stopped: it asked for what no reader needs");
    }
    return Refuse("pdf_crashed", fmt::format("reading it crashed the parser (signal {})", number));
  }
  return Refuse("pdf_crashed",
                fmt::format("reading it failed (exit code {})", WEXITSTATUS(status)));
}

absl::StatusOr<PdfPages> PagesOf(PdfReply reply) {
  switch (reply.outcome) {
    case PdfOutcome::kEncrypted:
      return Refuse("pdf_encrypted", "it is encrypted: save it without a password");
    case PdfOutcome::kDamaged:
      return Refuse("pdf_damaged", "it is damaged");
    case PdfOutcome::kTooManyPages:
      return Refuse("pdf_large", "it has too many pages");
    case PdfOutcome::kTooMuchText:
      return Refuse("pdf_large", "it has too much text");
    case PdfOutcome::kRead:
      break;
  }
  return PdfPages{std::move(reply.title), std::move(reply.pages)};
}

void WarnWithoutFilter() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (KernelFiltersCalls()) return;
    spdlog::warn("PDF: no system-call filter in this kernel; only limits confine the reader");
  });
}

}  // namespace

bool KernelFiltersCalls() {
  const uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

absl::StatusOr<PdfPages> ReadPdfInChild(std::string_view bytes, const PdfProcessOptions& options) {
  if (bytes.size() > kMaxPdfBytes) {
    return Refuse("pdf_large", fmt::format("{} bytes, at most {}", bytes.size(), kMaxPdfBytes));
  }
  WarnWithoutFilter();
  static std::counting_semaphore<2> places(2);
  places.acquire();
  struct GiveBack {
    ~GiveBack() { places.release(); }
  } const give_back;
  auto input = InMemory(bytes);
  if (!input.ok()) return input.status();
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return CannotStart("no pipe", errno);
  const Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);
  const auto process = SpawnSettings(input->number(), ends[1]).Spawn(options.executable);
  if (!process.ok()) return process.status();
  Child child(*process);
  to_parent.Close();
  std::string answer;
  const ReadEnd end = ReadAll(from_child.number(), options, answer);
  const int status = child.End();
  if (end == ReadEnd::kLate) return Refuse("pdf_slow", "reading it takes too long");
  if (end == ReadEnd::kTooMuch) return Refuse("pdf_large", "it has too much text");
  auto reply = DecodePdfReply(answer);
  if (!reply) return RefuseEnded(status);
  return PagesOf(*std::move(reply));
}

}  // namespace emptor::catalog
