// Reads a PDF in a process of its own (docs/adr/0010-pdf-in-a-child-process.md).
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
  /// Started with kPdfChildCommand (pdf_child.h) as its argument; by default this very program.
  std::string executable = "/proc/self/exe";
  std::chrono::milliseconds deadline = std::chrono::seconds(20);  // by the clock on the wall
  size_t max_reply_bytes = 4u << 20;
};

/// Whether the kernel filters the system calls of a process that asks for it (seccomp), as it does
/// unless it was built without or a sandbox around this process refuses to. Where it does not, the
/// limits of pdf_child.h alone hold a reader of PDFs.
bool KernelFiltersCalls();

/// Thread-safety: from any thread; more than two at a time wait for each other. Whatever the bytes
/// do, it returns soon after the deadline, and the process is gone by then.
/// Errors: kInvalidArgument, for this PDF: it is encrypted, damaged, too long, or the process that
/// read it crashed, hung, took too much, or was stopped for a call that no reader needs.
/// kUnavailable: no process can be started.
absl::StatusOr<PdfPages> ReadPdfInChild(std::string_view bytes,
                                        const PdfProcessOptions& options = {});

}  // namespace emptor::catalog
