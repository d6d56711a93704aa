// A disk that is full, as far as this process is concerned: no file may grow beyond a size.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace emptor::testing {

/// While it lives, SIGXFSZ is ignored, so that a write over the limit fails (EFBIG, possibly after
/// a part of it was written). The old limit comes back at the end. One at a time.
class FileSizeLimit {
 public:
  FileSizeLimit() : old_action_(signal(SIGXFSZ, SIG_IGN)) { getrlimit(RLIMIT_FSIZE, &before_); }
  ~FileSizeLimit() {
    Lift();
    signal(SIGXFSZ, old_action_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  bool Set(rlim_t bytes) {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
  }
  void Lift() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  void (*old_action_)(int);
  rlimit before_{};
};

}  // namespace emptor::testing
