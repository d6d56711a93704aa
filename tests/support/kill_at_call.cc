// The executable's own definitions go before those of the C library, for every library in it.
#include "tests/support/kill_at_call.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>

namespace emptor::testing {
namespace {

thread_local bool is_counting = false;
thread_local long counted = 0;
thread_local long kill_at = 0;

void Count() {
  if (is_counting && ++counted == kill_at) ::kill(::getpid(), SIGKILL);
}

}  // namespace

void KillAtCall(long call) {
  is_counting = true;
  kill_at = call;
}

long CountedCalls() { return counted; }

}  // namespace emptor::testing

using emptor::testing::Count;

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  Count();
  return syscall(SYS_write, file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  Count();
  return syscall(SYS_pwrite64, file, bytes, size, offset);
}
int fsync(int file) {
  Count();
  return static_cast<int>(syscall(SYS_fsync, file));
}
int fdatasync(int file) {
  Count();
  return static_cast<int>(syscall(SYS_fdatasync, file));
}
int ftruncate(int file, off_t size) noexcept {
  Count();
  return static_cast<int>(syscall(SYS_ftruncate, file, size));
}
int rename(const char* from, const char* to) noexcept {
  Count();
  return static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int unlink(const char* path) noexcept {
  Count();
  return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int unlinkat(int directory, const char* path, int flags) noexcept {
  Count();
  return static_cast<int>(syscall(SYS_unlinkat, directory, path, flags));
}
int mkdir(const char* path, mode_t mode) noexcept {
  Count();
  return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    Count();
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

}  // extern "C"
