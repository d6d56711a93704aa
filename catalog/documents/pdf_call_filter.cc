// Lists of calls, as a filter of the kernel.
#include "catalog/documents/pdf_call_filter.h"

#include <linux/futex.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <memory>

namespace emptor::catalog {
namespace {

/// Calls whatever their arguments: what the allocator, the clock, an ending process and qsort
/// (which asks for the size of the memory) need of the kernel.
constexpr int kAllowed[] = {SCMP_SYS(brk),     SCMP_SYS(munmap),        SCMP_SYS(mremap),
                            SCMP_SYS(madvise), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
                            SCMP_SYS(time),    SCMP_SYS(getrandom),     SCMP_SYS(sysinfo),
                            SCMP_SYS(getpid),  SCMP_SYS(gettid),        SCMP_SYS(rt_sigprocmask),
                            SCMP_SYS(exit),    SCMP_SYS(exit_group)};

/// Calls that name a file: of Poppler's tables, of fontconfig, of the time zone.
constexpr int kNamesAFile[] = {SCMP_SYS(open),      SCMP_SYS(openat),     SCMP_SYS(access),
                               SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(stat),
                               SCMP_SYS(lstat),     SCMP_SYS(newfstatat), SCMP_SYS(statx),
                               SCMP_SYS(statfs),    SCMP_SYS(readlink),   SCMP_SYS(readlinkat),
                               SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),    SCMP_SYS(getcwd)};

class Rules {
 public:
  Rules() : context_(seccomp_init(SCMP_ACT_KILL_PROCESS), &seccomp_release) {
    good_ = context_ != nullptr &&
            seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  }

  /// The call where all the comparisons hold.
  void Add(uint32_t action, int call, std::initializer_list<scmp_arg_cmp> comparisons = {}) {
    good_ = good_ && seccomp_rule_add_array(context_.get(), action, call,
                                            static_cast<unsigned>(comparisons.size()),
                                            comparisons.begin()) == 0;
  }

  bool Load() { return good_ && seccomp_load(context_.get()) == 0; }

 private:
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  bool good_ = false;
};

scmp_arg_cmp Equals(unsigned argument, uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }

/// Requires that exactly these bits of the mask are set.
scmp_arg_cmp HasBits(unsigned argument, uint64_t mask, uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, bits};
}

/// Anonymous memory that is never executable.
void AddMemory(Rules& rules) {
  rules.Add(SCMP_ACT_ALLOW, SCMP_SYS(mmap),
            {HasBits(2, PROT_EXEC, 0), HasBits(3, MAP_ANONYMOUS, MAP_ANONYMOUS)});
  rules.Add(SCMP_ACT_ALLOW, SCMP_SYS(mprotect), {HasBits(2, PROT_EXEC, 0)});
}

void AddOutput(Rules& rules) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    for (const int call : {SCMP_SYS(write), SCMP_SYS(writev)}) {
      rules.Add(SCMP_ACT_ALLOW, call, {Equals(0, static_cast<uint64_t>(descriptor))});
    }
  }
}

/// Process-private locks, and abort(), so that a crash of the parser is seen as one.
void AddLocksAndAbort(Rules& rules) {
  constexpr auto kCommand = static_cast<uint32_t>(FUTEX_CMD_MASK);
  for (const uint64_t operation : {FUTEX_WAIT, FUTEX_WAKE}) {
    rules.Add(SCMP_ACT_ALLOW, SCMP_SYS(futex), {HasBits(1, kCommand, operation)});
  }
  rules.Add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), {Equals(0, static_cast<uint64_t>(getpid()))});
}

}  // namespace

bool FilterPdfChildCalls() {
  Rules rules;
  for (const int call : kAllowed) rules.Add(SCMP_ACT_ALLOW, call);
  for (const int call : kNamesAFile) rules.Add(SCMP_ACT_ERRNO(EACCES), call);
  AddMemory(rules);
  AddOutput(rules);
  AddLocksAndAbort(rules);
  return rules.Load();
}

}  // namespace emptor::catalog
