// The process that reads one PDF: its limits and its main function.
#pragma once

#include <cstddef>

namespace emptor::catalog {

/// First argument that starts an executable as this process.
inline constexpr char kPdfChildCommand[] = "read-pdf";

/// Limits of the process, set by itself before it reads the PDF.
struct PdfChildLimits {
  size_t memory_bytes = 512u << 20;  // of address space beyond that of the program
  unsigned cpu_seconds = 10;
};

/// Reads a PDF from standard input, writes a reply (pdf_reply.h) to standard output and returns the
/// exit code. It opens no file or socket, starts no process, leaves no core file and dies with its
/// parent. Once it has read the PDF, any other system call kills it (pdf_call_filter.h), where
/// KernelFiltersCalls. REQUIRES: called from main(), with no other thread.
int RunPdfChild(const PdfChildLimits& limits = {});

/// Sets the limits as RunPdfChild does; false on failure. For tests.
bool ConfinePdfChild(const PdfChildLimits& limits);

}  // namespace emptor::catalog
