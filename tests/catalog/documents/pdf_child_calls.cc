// A table of calls.
#include "tests/catalog/documents/pdf_child_calls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace emptor::testing {
namespace {

constexpr size_t kPage = 4096;

long RunProgram() {
  char name[] = "/bin/true";
  char* const arguments[] = {name, nullptr};
  char* const environment[] = {nullptr};
  return execve(name, arguments, environment);
}

long MapPage(int protection, int flags, int file) {
  return reinterpret_cast<long>(mmap(nullptr, kPage, protection, MAP_PRIVATE | flags, file, 0));
}

long MakePageExecutable() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(page, kPage, PROT_READ | PROT_EXEC);
}

struct Call {
  const char* name;
  long (*make)();
};
char byte;
int word;
struct stat about;

const Call kCalls[] = {
    {"open", [] { return long{open("/etc/passwd", O_RDONLY)}; }},
    {"create", [] { return long{open("/tmp/of-a-pdf", O_WRONLY | O_CREAT, 0600)}; }},
    {"look", [] { return long{stat("/etc/passwd", &about)}; }},
    {"socket", [] { return long{socket(AF_INET, SOCK_STREAM, 0)}; }},
    {"local socket", [] { return long{socket(AF_UNIX, SOCK_STREAM, 0)}; }},
    {"execve", &RunProgram},
    {"fork", [] { return long{fork()}; }},
    {"thread", [] { return syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0); }},
    {"signal", [] { return long{kill(getppid(), 0)}; }},
    {"trace", [] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
    {"read", [] { return long{read(STDIN_FILENO, &byte, 1)}; }},
    {"write elsewhere", [] { return long{write(STDIN_FILENO, &byte, 1)}; }},
    {"dup", [] { return long{dup(STDIN_FILENO)}; }},
    {"map a file", [] { return MapPage(PROT_READ, 0, STDIN_FILENO); }},
    {"map a program", [] { return MapPage(PROT_READ | PROT_EXEC, MAP_ANONYMOUS, -1); }},
    {"make a program", &MakePageExecutable},
    {"move a lock", [] { return syscall(SYS_futex, &word, FUTEX_REQUEUE, 1, 1, &word, 0); }},
    {"privileges", [] { return long{prctl(PR_SET_DUMPABLE, 1)}; }},
    {"user", [] { return long{setuid(0)}; }},
    {"ring", [] { return syscall(425, 1, nullptr); }},  // io_uring_setup: calls by another way
    {"allocate", [] { return MapPage(PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1); }},
    {"abort",
     []() -> long {
       void (*volatile end)() = abort;  // not known to end: sanitizers make calls before what is
       end();
       return 0;
     }},
};

}  // namespace

std::string MakePdfChildCall(const std::string& name) {
  for (const Call& call : kCalls) {
    if (name != call.name) continue;
    return call.make() == -1 ? strerrorname_np(errno) : "possible";
  }
  return "unknown";
}

bool TakeAwayCallFilters() {
  const scmp_filter_ctx rules = seccomp_init(SCMP_ACT_ALLOW);
  if (rules == nullptr) return false;
  const bool taken = seccomp_rule_add(rules, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) == 0 &&
                     seccomp_load(rules) == 0;
  seccomp_release(rules);
  return taken;
}

}  // namespace emptor::testing
