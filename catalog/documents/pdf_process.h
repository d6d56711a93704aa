// Reads a PDF in a separate process (docs/adr/0010-pdf-in-a-child-process.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/documents/document_reader.h"

namespace emptor::catalog {

inline constexpr size_t kMaxPdfBytes = 32u << 20;

struct PdfProcessOptions {
  /// Program to start with the argument kPdfChildCommand (pdf_child.h); by default this one.
  std::string executable = "/proc/self/exe";
  std::chrono::milliseconds deadline = std::chrono::seconds(20);  // wall-clock time
  size_t max_reply_bytes = 4u << 20;
};

/// Whether the kernel supports seccomp filters and lets this process use them. Without them only
/// the limits of pdf_child.h restrict the process that reads a PDF.
bool KernelFiltersCalls();

/// Thread-safety: any thread; at most two calls run at a time, others wait. It returns soon after
/// the deadline at the latest, and the process has ended by then. Errors: kInvalidArgument, the PDF
/// is encrypted, damaged or too long, or the process that read it crashed, hung, exceeded a limit
/// or made a forbidden system call. kUnavailable: the process cannot be started.
absl::StatusOr<PdfPages> ReadPdfInChild(std::string_view bytes,
                                        const PdfProcessOptions& options = {});

}  // namespace emptor::catalog
