// Restricts the system calls of the process that reads a PDF.
#pragma once

namespace emptor::catalog {

/// Restricts this process permanently: it may allocate, read the clock and random bytes, write to
/// its standard output and error, and exit or abort. A call that names a file fails with EACCES,
/// which libraries that look for settings tolerate; any other call kills the process (SIGSYS).
/// Returns false and restricts nothing when the kernel refuses the filter. REQUIRES: no other
/// thread; all input has been read. Filter: libseccomp.
bool FilterPdfChildCalls();

}  // namespace emptor::catalog
