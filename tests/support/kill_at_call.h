// Ends the process by SIGKILL right before the n-th call that changes a file.
#pragma once

namespace emptor::testing {

/// From here on this thread's calls of write, pwrite, fsync, fdatasync, ftruncate, rename, unlink,
/// unlinkat, mkdir and open for creation are counted, those of libraries too; none is made from
/// number `call` on. 0: none is stopped.
void KillAtCall(long call);

/// How many there were.
long CountedCalls();

}  // namespace emptor::testing
