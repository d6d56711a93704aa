// The process that reads one PDF: what it may use, and its main function.
#pragma once

#include <cstddef>

namespace emptor::catalog {

/// First argument by which an executable knows that it is to be this process.
inline constexpr char kPdfChildCommand[] = "read-pdf";

/// What the process may take. It sets the limits itself, before the first byte of the PDF.
struct PdfChildLimits {
  size_t memory_bytes = 512u << 20;  // of addresses beyond those of the program
  unsigned cpu_seconds = 10;
};

/// A PDF on standard input, a reply (pdf_reply.h) on standard output; the exit code. From its first
/// line on it opens no file and no socket, writes no file, starts no process, leaves no core, and
/// ends with its parent; once it has the PDF, what else it could ask the kernel for kills it
/// (pdf_call_filter.h), where KernelFiltersCalls.
/// REQUIRES: called from main(), with no other thread.
int RunPdfChild(const PdfChildLimits& limits = {});

/// Sets the limits as RunPdfChild does; false when that cannot be. For tests of the limits.
bool ConfinePdfChild(const PdfChildLimits& limits);

}  // namespace emptor::catalog
