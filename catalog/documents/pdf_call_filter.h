// The system calls that are left to the process that reads a PDF.
#pragma once

namespace emptor::catalog {

/// Narrows this process for good: it may allocate, ask for the time and for random bytes, write to
/// its standard output and error, and end or abort. A call that names a file gives EACCES, for
/// libraries look for their settings and go on without; every other call kills the process
/// (SIGSYS). False, and nothing is narrowed, when the kernel refuses the filter.
/// REQUIRES: no other thread; what is to be read has been read. Filter: libseccomp.
bool FilterPdfChildCalls();

}  // namespace emptor::catalog
